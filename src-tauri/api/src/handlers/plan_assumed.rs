//! What a plan leans on: what is assumed of this work, what stands in for what was left out, what past rentals showed.

use std::collections::BTreeMap;

use gpudesk_core::plan::{Amount, Method, Name, Origin, Precision, Task};
use gpudesk_engine::TakenBack;

use super::plan_read::Read;
use crate::plan::AssumptionDto;

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

impl Read {
    /// Lets what past rentals have shown replace what is assumed.
    pub fn learn(&mut self, taken: &BTreeMap<String, TakenBack>) {
        if !self.work.interruptible {
            return;
        }
        for (provider, seen) in taken {
            let rate = seen.rate();
            self.evidence.interruptions.insert(provider.clone(), rate);
            self.seen.push(AssumptionDto {
                name: format!("{}:{provider}", Name::Interruptions),
                value: rate.middle(),
                low: rate.low,
                high: rate.high,
                unit: "per_hour".to_owned(),
                source: format!(
                    "own measurement: taken back {} times in {:.0} hours",
                    seen.times, seen.hours
                ),
                about: Name::Interruptions.basis().about.to_owned(),
                origin: "measured".to_owned(),
                edit: false,
                default_low: Name::Interruptions.basis().span.low,
                default_high: Name::Interruptions.basis().span.high,
            });
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
            Origin::Measured => ("measured", "own measurement"),
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
