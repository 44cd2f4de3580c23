//! What is asked in forms and said in XML.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::super::Refused;
use super::super::clock::Nanos;
use super::super::refusal::Refusal;
use super::super::twist::Rendered;

/// The fields of a form.
#[derive(Debug, Default)]
pub struct Fields(BTreeMap<String, String>);

impl Fields {
    pub fn read(body: &[u8]) -> Self {
        Self(url::form_urlencoded::parse(body).into_owned().collect())
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// A field that must be there.
    pub fn needed(&self, name: &str) -> Result<&str, Refused> {
        self.text(name).ok_or_else(|| {
            let words = format!("The request must contain the parameter {name}");
            Said::new(400, "MissingParameter", &words).refused()
        })
    }

    /// The values of `Name.1`, `Name.2` ….
    pub fn list(&self, name: &str) -> Vec<&str> {
        (1..).map_while(|n| self.text(&format!("{name}.{n}"))).collect()
    }

    /// The values of a filter; empty = it was not asked for.
    pub fn filter(&self, name: &str) -> Vec<&str> {
        let filters = (1..).map_while(|n| Some((n, self.text(&format!("Filter.{n}.Name"))?)));
        filters
            .filter(|(_, known)| *known == name)
            .flat_map(|(n, _)| self.list(&format!("Filter.{n}.Value")))
            .collect()
    }

    /// Whether a filter lets a value through. `*` at the end stands for anything.
    pub fn lets(&self, name: &str, value: &str) -> bool {
        let wanted = self.filter(name);
        wanted.is_empty()
            || wanted.iter().any(|wanted| match wanted.strip_suffix('*') {
                Some(begin) => value.starts_with(begin),
                None => *wanted == value,
            })
    }

    /// All of them, for the record of a machine.
    pub fn all(&self) -> Value {
        json!(self.0)
    }

    /// A field that the action does not know. The real service refuses them as well.
    pub fn unknown(&self, action: &str) -> Option<&str> {
        let always = ["Action", "Version", "DryRun"];
        let known = known(action)?;
        let begins =
            |name: &str| known.iter().any(|begin| name == *begin || name.starts_with(&format!("{begin}.")));
        self.0.keys().map(String::as_str).find(|name| !always.contains(name) && !begins(name))
    }
}

/// The fields of an action, as far as this market knows it.
fn known(action: &str) -> Option<&'static [&'static str]> {
    Some(match action {
        "DescribeRegions" => &["RegionName", "AllRegions", "Filter"],
        "DescribeInstanceTypes" => &["InstanceType", "Filter", "MaxResults", "NextToken"],
        "DescribeInstanceTypeOfferings" => &["LocationType", "Filter", "MaxResults", "NextToken"],
        "DescribeSpotPriceHistory" => &[
            "InstanceType",
            "ProductDescription",
            "AvailabilityZone",
            "StartTime",
            "EndTime",
            "Filter",
            "MaxResults",
            "NextToken",
        ],
        "DescribeImages" => &["ImageId", "Owner", "Filter", "MaxResults", "NextToken"],
        "DescribeSubnets" => &["SubnetId", "Filter", "MaxResults", "NextToken"],
        "DescribeKeyPairs" => &["KeyName", "IncludePublicKey", "Filter"],
        "ImportKeyPair" => &["KeyName", "PublicKeyMaterial", "TagSpecification"],
        "DescribeSecurityGroups" => &["GroupId", "GroupName", "Filter", "MaxResults", "NextToken"],
        "CreateSecurityGroup" => &["GroupName", "GroupDescription", "VpcId", "TagSpecification"],
        "AuthorizeSecurityGroupIngress" => &["GroupId", "IpPermissions"],
        "DescribeInstances" => &["InstanceId", "Filter", "MaxResults", "NextToken"],
        "DescribeAddresses" => &["PublicIp", "AllocationId", "Filter"],
        "DescribeVolumes" => &["VolumeId", "Filter", "MaxResults", "NextToken"],
        "CreateTags" => &["ResourceId", "Tag"],
        "StopInstances" | "StartInstances" | "TerminateInstances" => &["InstanceId", "Force"],
        "RunInstances" => &[
            "ImageId",
            "InstanceType",
            "MinCount",
            "MaxCount",
            "KeyName",
            "ClientToken",
            "NetworkInterface",
            "BlockDeviceMapping",
            "MetadataOptions.HttpTokens",
            "TagSpecification",
            "InstanceMarketOptions.MarketType",
            "InstanceMarketOptions.SpotOptions.SpotInstanceType",
            "InstanceMarketOptions.SpotOptions.InstanceInterruptionBehavior",
            "InstanceMarketOptions.SpotOptions.MaxPrice",
            "InstanceInitiatedShutdownBehavior",
            "UserData",
        ],
        _ => return None,
    })
}

/// An error.
pub struct Said {
    status: u16,
    code: String,
    words: String,
}

impl Said {
    pub fn new(status: u16, code: &str, words: &str) -> Self {
        Self { status, code: code.to_owned(), words: words.to_owned() }
    }

    pub fn refused(self) -> Refused {
        let body = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Response><Errors><Error><Code>{}</Code><Message>{}</Message></Error></Errors><RequestID>practice</RequestID></Response>",
            escaped(&self.code),
            escaped(&self.words)
        );
        xml(self.status, body).into()
    }
}

/// An error of a JSON service.
pub fn json_error(kind: &str, words: &str) -> Refused {
    let body = json!({ "__type": kind, "message": words }).to_string();
    (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/x-amz-json-1.1")], body)
        .into_response()
        .into()
}

/// The market's refusals in EC2's form.
pub fn refuse(why: Refusal, path: &str, _now: Nanos) -> Response {
    let (status, code, words) = match why {
        Refusal::BadKey => {
            (401, "AuthFailure", "AWS was not able to validate the provided access credentials")
        }
        Refusal::Forbidden => {
            (403, "UnauthorizedOperation", "You are not authorized to perform this operation.")
        }
        Refusal::NoFunds | Refusal::AccountNotReady => (
            400,
            "PendingVerification",
            "Your request for accessing resources in this region is being validated.",
        ),
        Refusal::Quota => (
            400,
            "VcpuLimitExceeded",
            "You have requested more vCPU capacity than your current vCPU limit of 0 allows for the instance bucket.",
        ),
        Refusal::NoCapacity => (
            500,
            "InsufficientInstanceCapacity",
            "We currently do not have sufficient capacity in the Availability Zone you requested.",
        ),
        Refusal::TooMany | Refusal::DailyQuota => (503, "RequestLimitExceeded", "Request limit exceeded."),
        Refusal::SshKey => (400, "InvalidKey.Format", "Key is not in valid OpenSSH public key format"),
        Refusal::Internal | Refusal::Gateway => (500, "InternalError", "An internal error has occurred"),
        Refusal::Retired => (400, "InvalidAction", "The action is not valid for this web service."),
    };
    if path == "/GetCallerIdentity" && why == Refusal::BadKey {
        // The token service has a code of its own for it.
        return Said::new(
            403,
            "InvalidClientTokenId",
            "The security token included in the request is invalid",
        )
        .refused()
        .into_response();
    }
    Said::new(status, code, words).refused().into_response()
}

fn xml(status: u16, body: String) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(header::CONTENT_TYPE, "text/xml;charset=UTF-8")], body).into_response()
}

/// The answer to an action. A list becomes `item` elements, what is null is left out.
pub fn answer(action: &str, mut content: Value) -> Response {
    content["requestId"] = "practice".into();
    let document = json!({ format!("{action}Response"): content });
    let mut response = xml(200, rendered(&document));
    response.extensions_mut().insert(Rendered { document, render: rendered });
    response
}

/// A page of rows: at most what is asked for and what a page has here, with a token where there are more.
pub fn page(action: &str, set: &str, rows: Vec<Value>, fields: &Fields, most: usize) -> Response {
    let asked = fields.text("MaxResults").and_then(|most| most.parse().ok()).unwrap_or(usize::MAX);
    let size = most.min(asked).max(1);
    let from: usize =
        fields.text("NextToken").and_then(|token| token.strip_prefix("row-")?.parse().ok()).unwrap_or(0);
    let total = rows.len();
    let shown: Vec<Value> = rows.into_iter().skip(from).take(size).collect();
    let mut content = json!({ set: shown });
    if from + size < total {
        content["nextToken"] = format!("row-{}", from + size).into();
    }
    answer(action, content)
}

/// A document as XML.
fn rendered(document: &Value) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    inside(document, &mut text);
    text
}

fn inside(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
                let _ = write!(text, "<{name}>");
                inside(value, text);
                let _ = write!(text, "</{name}>");
            }
        }
        Value::Array(rows) => {
            for row in rows {
                text.push_str("<item>");
                inside(row, text);
                text.push_str("</item>");
            }
        }
        Value::String(words) => text.push_str(&escaped(words)),
        Value::Null => {}
        other => {
            let _ = write!(text, "{other}");
        }
    }
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
