//! The TypeScript of every request, answer and event, as one file.

use ts_rs::{Config, TS};

use crate::{commands, desk, market, offer, rental};

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
        rental::Account, rental::Accounts, rental::AccountProvider, rental::KeyringState, rental::AccountAddRequest, rental::AccountRequest, rental::LaunchSheetRequest, rental::LaunchSheet, rental::SshKey, rental::ImageChoice, rental::DiskChoice, rental::CostRange, rental::StopTruth, rental::Ring, rental::Remark, rental::LaunchRequest, rental::LaunchOutcome, rental::RentalDto, rental::SshDto, rental::RateDto, rental::CostSoFar, rental::VerifiedDto, rental::DifferenceDto, rental::LeaseDto, rental::UsageNow, rental::GpuUsage, rental::GpuProcess, rental::RentalsPage, rental::BlindAccount, rental::UnmanagedDto, rental::RentalsRequest, rental::RentalRequest, rental::RentalDetails, rental::EventDto, rental::IntervalDto, rental::EndChecklist, rental::LeftoverDto, rental::ExtendRequest, rental::UnmanagedRequest, rental::ReconcileReport, rental::TerminalOpenRequest, rental::Terminal, rental::TerminalWriteRequest, rental::TerminalResizeRequest, rental::TerminalReadRequest, rental::TerminalBytes, rental::TerminalRequest, rental::OpenInRequest, rental::Opened, rental::ForwardOpenRequest, rental::ForwardDto, rental::ForwardRequest, rental::CopyStartRequest, rental::CopyDto, rental::CopyRequestById, rental::SshInclude, rental::SshIncludeRequest, rental::HostKeyAcceptRequest, rental::Practice, rental::PracticeRequest,
    );
    out.push_str(&commands::typescript(config));
    out
}
