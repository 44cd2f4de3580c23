//! Where a cloud's prices come from: OpenStack itself knows none.

use std::path::Path;

use gpudesk_core::money::Currency;
use rust_decimal::Decimal;

use super::catalogue::{self, Catalogue};
use super::profile::PriceSource;
use super::session::Session;
use super::sheet::Sheet;
use crate::cloud::Access;
use crate::http::{Base, Call, Pace};
use crate::source::{SourceError, SourceErrorCode};

/// What an address without a path is asked for.
const FILE: &str = "/prices.csv";

/// The most of a file that is read.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// A courtesy: the list changes by the day at most.
const PACE: Pace = Pace::per_minute("openstack-prices", 30);

/// A price of a whole flavor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Priced {
    pub per_hour: Decimal,
    pub currency: Currency,
}

/// Why there is none.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Missing {
    /// Nothing of it.
    All,
    /// These parts.
    Parts(String),
}

/// The prices of a cloud.
pub(super) enum Prices {
    Sheet(Sheet),
    Catalogue(Catalogue),
}

/// Where prices are read, and what beside the key decides which.
#[derive(Clone)]
pub(super) struct PriceList {
    source: PriceSource,
    /// Instead of the documented address, or the sheet itself: a file, or an address.
    address: Option<String>,
}

impl PriceList {
    /// The list of a cloud: `GPUDESK_<CLOUD>_PRICES_URL`, which for a sheet may be the name of a file.
    pub fn of(session: &Session, access: &Access) -> Self {
        let service = format!("{}_prices", session.profile.provider);
        let address = access.addresses.get(&service).map(|text| text.trim().to_owned());
        Self { source: session.profile.prices, address: address.filter(|text| !text.is_empty()) }
    }

    /// Reads the prices as they are now.
    pub async fn read(&self, session: &Session) -> Result<Prices, SourceError> {
        let what = session.what("prices");
        if self.source == PriceSource::OvhCatalogue {
            let (documented, path) = catalogue::place(session.login.subsidiary.as_deref().unwrap_or("FR"));
            let url = Base::new(documented, self.address.as_deref()).join(&path)?;
            let call = Call::get(what, url).expecting("JSON").pace(PACE);
            return Ok(Prices::Catalogue(catalogue::read(&session.http.read(&call).await?)?));
        }
        let Some(address) = self.address.as_deref() else { return Ok(Prices::Sheet(Sheet::default())) };
        let file = Path::new(address.strip_prefix("file://").unwrap_or(address));
        if file.is_absolute() {
            return Ok(Prices::Sheet(Sheet::read(&from_file(what, file).await?)));
        }
        let base = Base::new(address, None);
        let bare = base.join("")?.path() == "/";
        let url = base.join(if bare { FILE } else { "" })?;
        let call = Call::get(what, url).expecting("a CSV file").pace(PACE);
        Ok(Prices::Sheet(Sheet::read(&session.http.read(&call).await?.text())))
    }
}

async fn from_file(what: String, file: &Path) -> Result<String, SourceError> {
    let shown = file.display().to_string();
    let fail = |code, words: String| {
        SourceError::new(code, &what, words).hint("mend the price sheet, or take its address away")
    };
    let about = tokio::fs::metadata(file).await;
    let size =
        about.map_err(|error| fail(SourceErrorCode::Config, format!("cannot read {shown}: {error}")))?.len();
    if size > MOST_BYTES {
        return Err(fail(SourceErrorCode::TooLarge, format!("{shown} is larger than 4 MiB")));
    }
    let bytes = tokio::fs::read(file).await;
    let bytes =
        bytes.map_err(|error| fail(SourceErrorCode::Config, format!("cannot read {shown}: {error}")))?;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    Ok(String::from_utf8_lossy(text).into_owned())
}
