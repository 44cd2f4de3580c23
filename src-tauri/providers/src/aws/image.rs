//! What a machine is started from.

use gpudesk_core::rental::Spec;
use serde::Deserialize;
use serde_json::json;

use super::instance::USER;
use super::service::{Aws, Service, fields};
use crate::cloud::{CloudError, CloudErrorCode};
use crate::http::redact;

/// An image in a region.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Image {
    pub id: String,
    /// The device it is started from.
    pub root: String,
    /// GB that its disk has at least.
    pub least_gb: Option<u64>,
    pub user: &'static str,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Told {
    parameter: Option<Parameter>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Parameter {
    value: Option<String>,
}

/// The image of an order: an id as it is, else the newest of a kind of the vendor's Deep Learning images
/// (<https://docs.aws.amazon.com/dlami/latest/devguide/find-dlami-id.html>), or of any other path of such parameters.
pub(super) async fn image(
    aws: &Aws,
    region: &str,
    spec: &Spec,
    architectures: &[String],
) -> Result<Image, CloudError> {
    let doing = "image";
    let refused = |words: String| aws.error(CloudErrorCode::Refused, doing, words);
    let wanted = spec.image.id.trim();
    let architecture = architectures.first().map_or("x86_64", String::as_str);
    let id = if wanted.starts_with("ami-") {
        wanted.to_owned()
    } else {
        let path = match wanted.strip_prefix("resolve:ssm:").unwrap_or(wanted) {
            path if path.starts_with('/') => path.to_owned(),
            kind => format!("/aws/service/deeplearning/ami/{architecture}/{kind}/latest/ami-id"),
        };
        newest(aws, region, &path).await?
    };
    let found =
        aws.ask(doing, (Service::Ec2, region), "DescribeImages", &fields(&[("ImageId.1", &id)])).await?;
    let Some(row) = found.items("imagesSet").find(|row| row.text("imageId") == Some(id.as_str())) else {
        return Err(refused(format!("there is no image {id} in {region}")).hint("choose another image"));
    };
    if let Some(of) = row.text("architecture")
        && !architectures.is_empty()
        && !architectures.iter().any(|known| known == of)
    {
        let words = format!(
            "the image {id} is for {}, the machine is {}",
            redact::words(of),
            architectures.join(" or ")
        );
        return Err(refused(words).hint("choose an image for the machine's processor"));
    }
    if let Some(platform) = row.text("platformDetails").filter(|platform| *platform != "Linux/UNIX") {
        let words =
            format!("the image {id} is {}, which costs more than the offer says", redact::words(platform));
        return Err(refused(words).hint("choose an image without a licence to pay"));
    }
    let root = row.text("rootDeviceName").unwrap_or("/dev/sda1");
    let disk = row.items("blockDeviceMapping").find(|disk| disk.text("deviceName") == Some(root));
    let names = [row.text("name"), row.text("description"), row.text("imageLocation")];
    let is_amazon_linux = names.into_iter().flatten().any(|name| {
        let name = name.to_ascii_lowercase();
        ["amzn", "al2023", "amazon linux"].iter().any(|word| name.contains(word))
    });
    Ok(Image {
        id,
        root: redact::words(root),
        least_gb: disk.and_then(|disk| disk.whole("ebs/volumeSize")),
        user: if is_amazon_linux { "ec2-user" } else { USER },
    })
}

/// The image that a parameter of the vendor's names now.
async fn newest(aws: &Aws, region: &str, path: &str) -> Result<String, CloudError> {
    let doing = "image";
    let answer = match aws
        .ask_json(doing, (Service::Ssm, region), "GetParameter", &json!({ "Name": path }))
        .await
    {
        Ok(answer) => answer,
        Err(error) if error.detail.contains("ParameterNotFound") => {
            return Err(aws
                .error(CloudErrorCode::Refused, doing, format!("AWS names no image under {path} in {region}"))
                .hint("choose another image, or give the id of one: ami-…"));
        }
        Err(error) => return Err(error),
    };
    let text = answer.json_text();
    let told: Told = answer.parse(&text)?;
    let id = told.parameter.and_then(|parameter| parameter.value).map(|id| id.trim().to_owned());
    id.filter(|id| id.starts_with("ami-")).ok_or_else(|| answer.bad("the parameter holds no image").into())
}
