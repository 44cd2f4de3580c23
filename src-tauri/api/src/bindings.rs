//! The TypeScript of every request, answer and event, as one file.

use ts_rs::{Config, TS};

use crate::{
    account, buy, cloud, commands, connect, desk, guard, launch, line, market, offer, own, plan, policy,
    practice, rental, spend, unmanaged,
};

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
        offer::MeterDto,
        offer::TotalDto, offer::PartsDto, offer::MarksDto, offer::SupplyDto, offer::FxDto,
        market::JobDto, market::MarketView, market::MarketPageRequest, market::MarketPage, market::OfferRow,
        market::Facet, market::FacetValue, market::GroupsPage, market::GpuGroup, market::DayPoint,
        line::LineRequest, line::ParsedLine, line::Chip, line::LineError, line::EditRequest, line::Edit,
        market::OfferDetailsRequest, market::OfferDetails, market::PartsShown, market::PricePoint,
        market::CompareRequest, market::Comparison, market::CompareLine, market::CopyRequest, market::CopyText,
        desk::SourceStatus, desk::FeedStatus, desk::RefreshRequest, desk::RefreshReport, desk::FeedReport,
        desk::ReasonCount, desk::QuarantineRequest, desk::QuarantinePage, desk::QuarantinedRow, desk::Settings,
        desk::ColumnChoice, desk::RatesInfo, desk::Watch, desk::WatchAddRequest, desk::WatchRemoveRequest,
        desk::Diagnostics, desk::ApiError, desk::Event,
        cloud::KeyField, cloud::KeyScope, cloud::CallRate, cloud::CloudHealth,
        account::Account, account::Accounts, account::AccountProvider, account::KeyringState,
        account::AccountAddRequest, account::AccountRequest, launch::LaunchSheetRequest, launch::LaunchSheet,
        launch::SshKey, launch::ImageChoice, launch::DiskChoice, launch::CostRange, rental::StopTruth,
        rental::Ring, rental::Remark, launch::LaunchRequest, launch::LaunchOutcome, launch::OfferEndRequest,
        launch::OfferEnd, launch::OfferPageRequest, launch::OfferPage, rental::RentalDto,
        rental::SshDto, rental::RateDto, rental::CostSoFar, rental::VerifiedDto, rental::DifferenceDto,
        rental::LeaseDto, rental::UsageNow, rental::GpuUsage, rental::GpuProcess, rental::RentalsPage,
        unmanaged::BlindAccount, unmanaged::UnmanagedDto, rental::RentalsRequest, rental::RentalRequest,
        rental::RentalDetails, rental::EventDto, rental::IntervalDto, rental::EndChecklist, rental::LeftoverDto,
        rental::ExtendRequest, unmanaged::UnmanagedRequest, unmanaged::ReconcileReport, unmanaged::AccountLeftover,
        connect::TerminalOpenRequest, connect::Terminal, connect::TerminalWriteRequest,
        connect::TerminalResizeRequest, connect::TerminalReadRequest, connect::TerminalBytes,
        connect::TerminalRequest, connect::OpenInRequest, connect::Opened, connect::ForwardOpenRequest,
        connect::ForwardDto, connect::ForwardRequest, connect::CopyStartRequest, connect::CopyDto,
        connect::CopyRequestById, connect::SshInclude, connect::SshIncludeRequest,
        connect::HostKeyAcceptRequest, policy::PolicyDto, policy::ProjectPolicyDto, policy::AdequacyDto,
        policy::Policies, policy::PolicySetRequest, policy::PolicyRequest, policy::ProjectPolicyRequest,
        policy::PolicyVerdict, policy::PolicyKept, policy::HiddenRows, practice::Practice, practice::PracticeRequest,
        spend::RangeDto, spend::SpendRequest, spend::SpendRow, spend::SpendDifference, spend::WasteDto,
        spend::SavingDto, spend::DayAmount, spend::SpendDay, spend::MoneyDto, spend::SpendPage, spend::RateLater, spend::BudgetDto,
        spend::BudgetSetRequest, spend::BudgetRequest, spend::BudgetEffectRequest, spend::BudgetEffect,
        spend::SpendReportRequest, spend::SpendReport, guard::ActivityDto, guard::LeaseSetRequest, guard::LeaseDefaults,
        guard::GuardAct, guard::GuardReport, guard::NoticeSettings, guard::NoticeKind, guard::MailSettings,
        guard::NoticesSetRequest, plan::SpanDto, plan::PlanRequest, plan::AssumptionSet, plan::AssumptionDto,
        plan::PlanModelDto, plan::MemoryPartsDto, plan::MemoryFormulaDto, plan::PlanMemoryDto, plan::CardsNeededDto,
        plan::SliceDto, plan::PlanOptionDto, plan::LeftOutDto, plan::Plan, plan::PlanWhyNotRequest,
        plan::PlanWhyNot,
        own::OwnHosts, own::OwnHostDto, own::OwnCardDto, own::OwnSliceDto, own::OwnCostDto, own::OwnBookingDto,
        own::OwnHostAddRequest, own::OwnHostRequest,
        buy::BuyGiven, buy::BuyRequest, buy::BuyInput, buy::BuyBand, buy::BuyPoint, buy::BuyPart,
        buy::BuySwing, buy::BuyAgainst, buy::BuyAnswer, buy::BuyModel, buy::BuyPlace, buy::BuyChoices,
        buy::BuyReportRequest,
    );
    out.push_str(&commands::typescript(config));
    out
}
