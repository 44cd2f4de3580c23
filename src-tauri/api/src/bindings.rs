//! The TypeScript of every request, answer and event, as one file.

use ts_rs::{Config, TS};

use crate::{commands, desk, market, offer};

/// Declares the types in the file's order.
macro_rules! declarations {
    ($out:ident, $config:ident; $($ty:ty),+ $(,)?) => {
        $($out.push_str(&format!("export {}\n\n", <$ty as TS>::decl($config)));)+
    };
}

/// The whole file `ui/src/lib/host/bindings.ts`.
#[must_use]
pub fn typescript() -> String {
    let config = &Config::new().with_large_int("number");
    let mut out = String::from("// Generated from the api crate by `make bindings`. Do not edit.\n\n");
    declarations!(out, config;
        offer::OfferDto, offer::GpuDto, offer::DiskDto, offer::NetDto, offer::PlaceDto, offer::PriceDto,
        offer::TotalDto, offer::PartsDto, offer::MarksDto, offer::SupplyDto, offer::FxDto,
        market::JobDto, market::MarketView, market::MarketPageRequest, market::MarketPage, market::OfferRow,
        market::Facet, market::FacetValue, market::GroupsPage, market::GpuGroup, market::DayPoint,
        market::LineRequest, market::ParsedLine, market::Chip, market::LineError, market::EditRequest, market::Edit,
        market::OfferDetailsRequest, market::OfferDetails, market::PartsShown, market::PricePoint,
        market::CompareRequest, market::Comparison, market::CompareLine, market::CopyRequest, market::CopyText,
        desk::SourceStatus, desk::FeedStatus, desk::RefreshRequest, desk::RefreshReport, desk::FeedReport,
        desk::ReasonCount, desk::QuarantineRequest, desk::QuarantinePage, desk::QuarantinedRow, desk::Settings,
        desk::ColumnChoice, desk::RatesInfo, desk::Watch, desk::WatchAddRequest, desk::WatchRemoveRequest,
        desk::Diagnostics, desk::ApiError, desk::Event,
    );
    out.push_str(&commands::typescript(config));
    out
}
