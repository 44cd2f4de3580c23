//! Which regions an account may use.

use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};

use super::key::is_region;
use super::service::{Aws, Service, fields};
use crate::cloud::{CloudError, CloudErrorCode};
use crate::source::SourceErrorCode;

/// For so long the list is taken as it was: regions are switched on by hand, rarely.
const HOLDS: TimeDelta = TimeDelta::minutes(10);

/// The list as it was told last.
#[derive(Default)]
pub(super) struct Regions {
    told: Mutex<Option<(DateTime<Utc>, Vec<String>)>>,
}

impl Regions {
    /// Every region that is switched on for the account, or the ones its key names.
    pub async fn all(&self, aws: &Aws) -> Result<Vec<String>, CloudError> {
        if !aws.key.regions.is_empty() {
            return Ok(aws.key.regions.clone());
        }
        let now = aws.http.now();
        {
            let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, regions)) = told.as_ref().filter(|(at, _)| now - *at < HOLDS) {
                return Ok(regions.clone());
            }
        }
        let regions = enabled(aws).await?;
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, regions.clone()));
        Ok(regions)
    }
}

async fn enabled(aws: &Aws) -> Result<Vec<String>, CloudError> {
    let doing = "regions";
    let page = aws.ask(doing, (Service::Ec2, &aws.key.home), "DescribeRegions", &fields(&[])).await?;
    let on = page.items("regionInfo").filter(|row| row.text("optInStatus") != Some("not-opted-in"));
    let mut regions: Vec<String> = on
        .filter_map(|row| row.text("regionName"))
        .filter(|name| is_region(name))
        .map(str::to_owned)
        .collect();
    regions.sort();
    regions.dedup();
    if regions.is_empty() {
        return Err(aws.error(
            CloudErrorCode::Http(SourceErrorCode::BadAnswer),
            doing,
            "not a single region is told",
        ));
    }
    Ok(regions)
}
