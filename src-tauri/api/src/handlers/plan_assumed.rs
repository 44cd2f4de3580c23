//! What a plan leans on: what is assumed of this work, what stands in for what was left out, what past rentals showed.

use std::collections::{BTreeMap, BTreeSet};

use gpudesk_core::own;
use gpudesk_core::plan::{Amount, Assumptions, Method, Name, Origin, Precision, Span, Task};
use gpudesk_core::rental::Rental;
use gpudesk_engine::TakenBack;

use super::evidence;
use super::plan_read::Read;
use crate::plan::AssumptionDto;

/// Machines of a provider that must have been ready before what they took says more than what is assumed.
const ENOUGH_BOOTS: usize = 3;

/// What stands in for something left out.
pub(super) fn asked(name: &str, value: f64, unit: &str, about: &str) -> AssumptionDto {
    AssumptionDto {
        name: name.to_owned(),
        value,
        low: value,
        high: value,
        unit: unit.to_owned(),
        source: "not said, filled in here".to_owned(),
        about: about.to_owned(),
        origin: "asked".to_owned(),
        edit: false,
        default_low: value,
        default_high: value,
    }
}

/// What past rentals of a provider have shown.
fn measured(name: Name, provider: &str, span: Span, source: &str) -> AssumptionDto {
    let basis = name.basis();
    AssumptionDto {
        name: format!("{name}:{provider}"),
        value: span.middle(),
        low: span.low,
        high: span.high,
        unit: basis.unit.to_owned(),
        source: format!("own measurement: {source}"),
        about: basis.about.to_owned(),
        origin: "measured".to_owned(),
        edit: false,
        default_low: basis.span.low,
        default_high: basis.span.high,
    }
}

/// Minutes until work goes on after an interruption, where machines took so many seconds until they were ready; `None`
/// where there were too few. It cannot go on before a machine is ready. What it takes from then on nobody measures, and
/// a desk that was closed meanwhile saw a machine later than it was ready, so the upper end stays as assumed.
fn restart_minutes(boots_s: &[f64], assumed: Span) -> Option<Span> {
    let quickest = boots_s.iter().copied().reduce(f64::min).filter(|_| boots_s.len() >= ENOUGH_BOOTS)? / 60.0;
    Some(Span::new(quickest, assumed.high.max(quickest)))
}

impl Read {
    /// Lets what past rentals have shown replace what is assumed, unless a person has set it.
    pub fn learn(&mut self, taken: &BTreeMap<String, TakenBack>, past: &[Rental]) {
        if !self.work.interruptible {
            return;
        }
        let is_default = |assumed: &Assumptions, name| assumed.assumption(name).origin == Origin::Default;
        if is_default(&self.assumed, Name::Interruptions) {
            for (provider, seen) in taken {
                let rate = seen.rate();
                self.evidence.interruptions.insert(provider.clone(), rate);
                let source = format!("taken back {} times in {:.0} hours", seen.times, seen.hours);
                self.seen.push(measured(Name::Interruptions, provider, rate, &source));
            }
        }
        if is_default(&self.assumed, Name::RestartMinutes) {
            let rented = past.iter().map(|rental| rental.record.provider.as_str());
            let providers: BTreeSet<&str> = rented.filter(|provider| *provider != own::PROVIDER).collect();
            for provider in providers {
                let boots = evidence::boots(past, provider);
                let Some(minutes) = restart_minutes(&boots, self.assumed.get(Name::RestartMinutes)) else {
                    continue;
                };
                self.evidence.restart_h.insert(provider.to_owned(), minutes / 60.0);
                let source = format!(
                    "the quickest of {} machines was ready after {:.1} minutes; the upper end is assumed",
                    boots.len(),
                    minutes.low
                );
                self.seen.push(measured(Name::RestartMinutes, provider, minutes, &source));
            }
        }
    }

    /// Everything that was assumed: what this work leans on, what was filled in, what was seen.
    pub fn assumptions(&self) -> Vec<AssumptionDto> {
        let mut list: Vec<AssumptionDto> = Name::ALL
            .iter()
            .filter(|name| self.leans_on(**name))
            .map(|name| self.assumption(*name))
            .collect();
        list.extend(self.filled.iter().cloned());
        list.extend(self.seen.iter().cloned());
        list
    }

    fn assumption(&self, name: Name) -> AssumptionDto {
        let now = self.assumed.assumption(name);
        let basis = name.basis();
        let (origin, source) = match now.origin {
            Origin::Default => ("default", basis.source),
            Origin::Edited => ("edited", "changed by hand"),
        };
        AssumptionDto {
            name: name.to_string(),
            value: now.span.middle(),
            low: now.span.low,
            high: now.span.high,
            unit: basis.unit.to_owned(),
            source: source.to_owned(),
            about: basis.about.to_owned(),
            origin: origin.to_owned(),
            edit: true,
            default_low: basis.span.low,
            default_high: basis.span.high,
        }
    }

    /// Whether an assumption has a part in this work at all.
    fn leans_on(&self, name: Name) -> bool {
        let work = &self.work;
        let Some(shape) = work.shape() else {
            return work.interruptible && matches!(name, Name::Interruptions | Name::RestartMinutes);
        };
        let trains = work.task.trains();
        let adapters = matches!(work.method, Some(Method::Lora | Method::Qlora));
        let timed = !matches!(work.amount, Amount::Hours(_));
        match name {
            Name::TrainingUtilisation => trains && timed,
            Name::PrefillUtilisation => !trains && (timed || work.writes()),
            Name::DecodeUtilisation => work.writes() && (timed || work.task == Task::Realtime),
            Name::OutputShare => work.writes() && (timed || work.tokens.is_some()),
            Name::ReadingSpeed => work.writes() && work.task == Task::Realtime,
            Name::PcieEfficiency => timed || work.writes(),
            Name::FullFlops => work.method == Some(Method::Full) && timed,
            Name::LoraFlops => adapters && timed,
            Name::QloraSlowdown => work.method == Some(Method::Qlora) && timed,
            Name::OptimizerBytes | Name::GradientBytes | Name::KeptActivationBytes | Name::LogitBytes => {
                trains
            }
            Name::LoraRank => adapters && shape.layers.is_some(),
            Name::Int4Bits => work.precision == Precision::Int4,
            Name::KvBytes => !trains && shape.kept_values(work.context) != Some(0.0),
            Name::PrefillTokens => !trains,
            Name::LayerActivationBytes | Name::GpuOverhead | Name::Fragmentation => true,
            Name::BytesPerToken => self.is_bounded(),
            Name::Interruptions | Name::RestartMinutes => work.interruptible,
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::super::plan_read::read;
    use super::*;
    use crate::plan::{AssumptionSet, PlanRequest};

    #[test]
    fn work_goes_on_no_sooner_than_a_machine_was_ready() {
        let assumed = Span::new(5.0, 20.0);
        assert_eq!(restart_minutes(&[120.0, 90.0], assumed), None, "two say too little");
        assert_eq!(restart_minutes(&[120.0, 90.0, 86_400.0], assumed), Some(Span::new(1.5, 20.0)));
        assert_eq!(restart_minutes(&[1800.0; 3], assumed), Some(Span::exact(30.0)), "never sooner than seen");
    }

    #[test]
    fn what_was_seen_replaces_what_is_assumed_and_not_what_a_person_set() {
        let taken: BTreeMap<String, TakenBack> =
            [("vast".to_owned(), TakenBack { times: 2, hours: 50.0 })].into();
        let learned = |assumptions: Vec<AssumptionSet>, interruptible| {
            let request = PlanRequest {
                task: "batch".to_owned(),
                vram_gib: Some(8.0),
                interruptible,
                assumptions,
                ..PlanRequest::default()
            };
            let mut read = read(&request, DateTime::UNIX_EPOCH).unwrap();
            read.learn(&taken, &[]);
            let measured = read.assumptions().into_iter().filter(|one| one.origin == "measured");
            (
                read.evidence.interruptions.get("vast").copied(),
                measured.map(|one| one.name).collect::<Vec<_>>(),
            )
        };
        // Two in 50 hours, and up to three more.
        let seen = (Some(Span::new(0.04, 0.1)), vec!["interruptions_per_hour:vast".to_owned()]);
        assert_eq!(learned(Vec::new(), true), seen);
        let set = AssumptionSet { name: "interruptions_per_hour".to_owned(), low: 0.01, high: 0.02 };
        assert_eq!(learned(vec![set], true), (None, Vec::new()));
        assert_eq!(learned(Vec::new(), false), (None, Vec::new()), "it has no part in work that goes on");
    }
}
