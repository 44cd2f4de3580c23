//! The calls of one account: each is signed for its service and region.

use std::time::Duration;

use aws_credential_types::Credentials;
use serde_json::Value;
use url::form_urlencoded::Serializer;

use super::credentials::Wallet;
use super::key::Key;
use super::said::{explain, refused, said};
use super::sign::{self, Scope};
use super::xml::Node;
use crate::cloud::{CloudError, CloudErrorCode, Effect};
use crate::http::{Answer, Base, Call, Change, Failure, Http, Limits, Pace, Retry, Secret};
use crate::source::SourceErrorCode;

/// Calls of a kind, by account and region: buckets of 100 that fill by 20 a second for what only asks, of 50 by 5 for
/// what changes, of 5 by 2 for launches and starts
/// (<https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html>). All regions together are held to what
/// one of them allows.
pub(super) const READ: Pace = Pace::per_minute("aws read", 1200);
pub(super) const WRITE: Pace = Pace::per_minute("aws write", 300);
pub(super) const LAUNCH: Pace = Pace::one_each("aws launch", Duration::from_millis(500));

/// A launch may take long, and giving it up early only makes it unclear.
const LIMITS: Limits = Limits {
    idle: Duration::from_secs(60),
    total: Duration::from_secs(120),
    max_bytes: 32 * 1024 * 1024,
    retry: Retry {
        tries: 4,
        first_wait: Duration::from_secs(1),
        longest_wait: Duration::from_secs(20),
        longest_asked: Duration::from_secs(30),
    },
};

/// A service that is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Service {
    /// Machines and what belongs to them.
    Ec2,
    /// Who the key is.
    Sts,
    /// Which image is the newest of its kind.
    Ssm,
    /// List prices.
    Pricing,
    /// How much an account may have.
    Quotas,
}

impl Service {
    /// The name in signatures.
    fn signs_as(self) -> &'static str {
        match self {
            Self::Ec2 => "ec2",
            Self::Sts => "sts",
            Self::Ssm => "ssm",
            Self::Pricing => "pricing",
            Self::Quotas => "servicequotas",
        }
    }

    /// The documented address in a region.
    fn address(self, region: &str) -> String {
        let name = if self == Self::Pricing { "api.pricing" } else { self.signs_as() };
        let end = if region.starts_with("cn-") { ".cn" } else { "" };
        format!("https://{name}.{region}.amazonaws.com{end}")
    }

    /// The version of a Query service; the others speak JSON and have theirs in the target.
    fn version(self) -> &'static str {
        if self == Self::Sts { "2011-06-15" } else { "2016-11-15" }
    }

    /// What stands before the action in the target of a JSON service.
    fn target(self) -> &'static str {
        match self {
            Self::Ssm => "AmazonSSM",
            Self::Pricing => "AWSPriceListService",
            _ => "ServiceQuotasV20190624",
        }
    }
}

/// Fields of a call: name and value.
pub(super) type Fields = Vec<(String, String)>;

/// Fields from pairs.
pub(super) fn fields(pairs: &[(&str, &str)]) -> Fields {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// The fields of a filter by a name: `Filter.1.Name`, `Filter.1.Value.1` ….
pub(super) fn filter(number: usize, name: &str, values: &[&str]) -> Fields {
    let mut filter = vec![(format!("Filter.{number}.Name"), name.to_owned())];
    filter.extend(
        values
            .iter()
            .enumerate()
            .map(|(n, value)| (format!("Filter.{number}.Value.{}", n + 1), (*value).to_owned())),
    );
    filter
}

/// The fields of one `TagSpecification`.
pub(super) fn tags(of: &str, number: usize, tags: &[(&str, &str)]) -> Fields {
    let at = format!("TagSpecification.{number}");
    let mut all = vec![(format!("{at}.ResourceType"), of.to_owned())];
    for (n, (key, value)) in tags.iter().enumerate() {
        all.push((format!("{at}.Tag.{}.Key", n + 1), key.chars().take(128).collect()));
        all.push((format!("{at}.Tag.{}.Value", n + 1), value.chars().take(256).collect()));
    }
    all
}

/// One account.
pub(super) struct Aws {
    pub http: Http,
    pub key: Key,
    wallet: Wallet,
    lane: Secret,
    /// Where all services answer, and where list prices do, instead of the documented addresses.
    address: Option<String>,
    pricing_address: Option<String>,
}

impl Aws {
    /// The account of a key. `address` gives the base address set for a service, as in `GPUDESK_<SERVICE>_URL`.
    pub fn new<'a>(
        http: Http,
        key: &Secret,
        address: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<Self, CloudError> {
        let read = Key::read(key)?;
        let set = |service| address(service).map(str::to_owned);
        let account = Self {
            http,
            wallet: Wallet::new(read.signer.clone()),
            key: read,
            lane: key.clone(),
            address: set("aws"),
            pricing_address: set("aws_pricing").or_else(|| set("aws")),
        };
        // What is wrong with an address is said now, not at the first call.
        for service in [Service::Ec2, Service::Pricing] {
            account.base(service, &account.key.home).join("/")?;
        }
        Ok(account)
    }

    /// Whether the services are asked at an address on this computer.
    pub fn is_here(&self) -> bool {
        let url = self.base(Service::Ec2, &self.key.home).join("/");
        url.is_ok_and(|url| url.scheme() == "http")
    }

    fn base(&self, service: Service, region: &str) -> Base {
        let set = if service == Service::Pricing { &self.pricing_address } else { &self.address };
        Base::new(&service.address(region), set.as_deref())
    }

    /// The name of a call in errors: `AWS launch`.
    pub fn what(&self, doing: &str) -> String {
        format!("AWS {doing}")
    }

    /// An error of ours about something this account was asked.
    pub fn error(&self, code: CloudErrorCode, doing: &str, detail: impl AsRef<str>) -> CloudError {
        CloudError::new(code, self.what(doing), detail)
    }

    /// A success that cannot be read: whatever was asked may have been done.
    pub fn unreadable(&self, doing: &str, detail: impl AsRef<str>) -> CloudError {
        self.error(CloudErrorCode::Http(SourceErrorCode::BadAnswer), doing, detail)
            .hint("look at AWS's own page before asking again")
            .with_effect(Effect::Unclear)
    }

    /// Asks a Query service; changes nothing.
    pub async fn ask(
        &self,
        doing: &str,
        (service, region): (Service, &str),
        action: &str,
        fields: &Fields,
    ) -> Result<Node, CloudError> {
        let call = self.query(doing, (service, region), action, fields).await?;
        let answer = self.http.hear(&call.explain(explain).pace(READ)).await.map_err(refused)?;
        tree(&answer)
    }

    /// Changes something through a Query service. Never repeated once it may have had an effect.
    pub async fn change(
        &self,
        doing: &str,
        region: &str,
        (action, fields): (&str, &Fields),
        pace: Pace,
    ) -> Result<Node, CloudError> {
        let call = self.query(doing, (Service::Ec2, region), action, fields).await?;
        let change = Change::of(call).limits(LIMITS).pace(pace);
        let answer = self.http.change(&change).await.map_err(refused)?;
        tree(&answer).map_err(|error| error.with_effect(Effect::Unclear))
    }

    /// Whether the account may do something, by a call that does nothing.
    pub async fn may(&self, region: &str, action: &str, fields: &Fields) -> Result<bool, CloudError> {
        let mut fields = fields.clone();
        fields.push(("DryRun".to_owned(), "true".to_owned()));
        let call = self.query("rights", (Service::Ec2, region), action, &fields).await?;
        let Err(failure) = self.http.hear(&call.explain(explain).pace(WRITE)).await else {
            return Err(self.error(
                CloudErrorCode::Http(SourceErrorCode::BadAnswer),
                "rights",
                format!("{action} was answered as if it had been meant"),
            ));
        };
        if said(&failure.body).is_some_and(|said| said.code == "DryRunOperation") {
            return Ok(true);
        }
        let error = refused(failure);
        if error.code == CloudErrorCode::Forbidden { Ok(false) } else { Err(error) }
    }

    async fn query(
        &self,
        doing: &str,
        at: (Service, &str),
        action: &str,
        fields: &Fields,
    ) -> Result<Call, CloudError> {
        let body = Serializer::new(String::new())
            .append_pair("Action", action)
            .append_pair("Version", at.0.version())
            .extend_pairs(fields)
            .finish();
        let kind = ("content-type", "application/x-www-form-urlencoded; charset=utf-8");
        Ok(self.signed(doing, at, &[kind], body.into_bytes()).await?.expecting("XML"))
    }

    /// Asks a JSON service; changes nothing.
    pub async fn ask_json(
        &self,
        doing: &str,
        (service, region): (Service, &str),
        action: &str,
        body: &Value,
    ) -> Result<Answer, CloudError> {
        let target = format!("{}.{action}", service.target());
        let headers = [("content-type", "application/x-amz-json-1.1"), ("x-amz-target", target.as_str())];
        let call = self.signed(doing, (service, region), &headers, body.to_string().into_bytes()).await?;
        self.http.hear(&call.expecting("JSON").explain(explain).pace(READ)).await.map_err(refused)
    }

    async fn signed(
        &self,
        doing: &str,
        (service, region): (Service, &str),
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Result<Call, CloudError> {
        let url = self.base(service, region).join("/").map_err(Failure::unsent)?;
        let credentials: Credentials = self.wallet.credentials(self.http.now()).await?;
        let scope = Scope { service: service.signs_as(), region, now: self.http.now() };
        let signed = sign::headers(scope, &credentials, &url, headers, &body).map_err(|words| {
            self.error(CloudErrorCode::BadKey, doing, format!("the request cannot be signed: {words}"))
        })?;
        let mut call = Call::post(self.what(doing), url, body).of_account(&self.lane);
        for (name, value) in signed {
            call = call.header(name, value);
        }
        Ok(call)
    }
}

fn tree(answer: &Answer) -> Result<Node, CloudError> {
    Node::read(&answer.text()).map_err(|words| answer.bad(words).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_cut_to_what_may_be_sent() {
        let long = "v".repeat(300);
        let sent = tags("instance", 2, &[("gpudesk", "m"), ("note", &long)]);
        assert_eq!(sent[0], ("TagSpecification.2.ResourceType".to_owned(), "instance".to_owned()));
        assert_eq!(sent[4].1.len(), 256);
    }

    #[test]
    fn each_partition_has_addresses_of_its_own() {
        assert_eq!(Service::Ec2.address("eu-west-1"), "https://ec2.eu-west-1.amazonaws.com");
        assert_eq!(Service::Ec2.address("cn-north-1"), "https://ec2.cn-north-1.amazonaws.com.cn");
        assert_eq!(Service::Pricing.address("us-east-1"), "https://api.pricing.us-east-1.amazonaws.com");
    }
}
