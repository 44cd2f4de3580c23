//! Where a row of a SkyPilot catalogue lies. `Region` and `AvailabilityZone` mean something else in every file.

use std::borrow::Cow;

use gpudesk_core::place::{self, canonical_provider};

/// A place as shown, and its country where it can be proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Located<'a> {
    pub text: Cow<'a, str>,
    pub country: Option<&'static str>,
}

/// Whose iron a machine is: resellers put the name of the cloud before the type (`imwt_A6000x8`,
/// `lambdalabs__8xA100_80GB__240__1800`).
pub(super) fn upstream<'a>(provider: &'a str, machine: &'a str) -> &'a str {
    let separator = match provider {
        "shadeform" => "_",
        "prime" => "__",
        _ => return provider,
    };
    match machine.split_once(separator) {
        Some((cloud, _)) if !cloud.is_empty() => canonical_provider(cloud),
        _ => provider,
    }
}

pub(super) fn locate<'a>(provider: &str, cloud: &str, region: &'a str, zone: &'a str) -> Located<'a> {
    let by_region = || place::locate(provider, region).country;
    if zone.is_empty() || is_uuid(zone) {
        return Located { text: Cow::Borrowed(region), country: by_region() };
    }
    // The zone is the upstream's own place (Prime), or a data centre (RunPod): it knows better than the region
    // beside it, which puts Lambda's me-west-1 into Iceland and one data centre into two countries.
    if cloud != provider || provider == "runpod" {
        return Located {
            text: Cow::Borrowed(zone),
            country: place::locate(cloud, zone).country.or_else(by_region),
        };
    }
    // OCI writes its zones in either case.
    let same_case = region.bytes().any(|letter| letter.is_ascii_uppercase());
    let zone = if same_case { Cow::Borrowed(zone) } else { lower(zone) };
    let names_region = zone.get(..region.len()).is_some_and(|start| start.eq_ignore_ascii_case(region));
    let text = if names_region { zone } else { Cow::Owned(format!("{region} ({zone})")) };
    Located { text, country: by_region() }
}

fn lower(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|letter| letter.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// Prime gives some places as a bare identifier.
fn is_uuid(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_shown_with_its_region_unless_it_names_it() {
        let text = |provider: &str, region: &'static str, zone: &'static str| {
            locate(provider, provider, region, zone).text.into_owned()
        };
        assert_eq!(text("aws", "us-east-1", "use1-az2"), "us-east-1 (use1-az2)");
        assert_eq!(text("gcp", "us-central1", "us-central1-a"), "us-central1-a");
        assert_eq!(text("oci", "eu-stockholm-1", "EU-STOCKHOLM-1-AD-1"), "eu-stockholm-1-ad-1");
        assert_eq!(text("oci", "us-phoenix-1", "PHX-AD-2"), "us-phoenix-1 (phx-ad-2)");
        assert_eq!(text("ovh", "GRA", "GRA11"), "GRA11");
        assert_eq!(text("lambda", "europe-central-1", ""), "europe-central-1");
        assert_eq!(text("runpod", "NO", "EU-SE-1"), "EU-SE-1");
    }

    #[test]
    fn the_upstream_stands_before_the_type() {
        assert_eq!(upstream("shadeform", "imwt_A6000x8"), "imwt");
        assert_eq!(upstream("shadeform", "digitalocean_H200-sxm5"), "digitalocean");
        assert_eq!(upstream("prime", "dc_roan__8xH100_80GB__104__1024"), "dc_roan");
        assert_eq!(upstream("vast", "1x-RTX_3090-32-65536"), "vast");
    }

    #[test]
    fn a_uuid_is_no_place() {
        let located = locate("prime", "dc_roan", "US", "a3111bd4-550a-47d0-838a-0a52bff2ae3f");
        assert_eq!(located.text, "US");
    }
}
