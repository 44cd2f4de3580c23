//! From a row back to its offer.

use super::Board;
use super::columns::widen;
use crate::offer::{Disk, Net, Offer, OfferGpu, Place, Price, Supply};

impl Board {
    /// The offer of a row, made again; `None` where there is no such row. Figures kept as `f32` come back with seven
    /// digits, prices with nine decimals.
    #[must_use]
    pub fn offer(&self, row: u32) -> Option<Offer> {
        let id = self.id(row)?.to_owned();
        let row = row as usize;
        let (rows, texts) = (&self.rows, &self.texts);
        let (profiles, profile) = (&self.profiles, self.profiles.of(row as u32));
        let variant = self.variants.get(*profiles.variant.get(profile)? as usize)?;
        let seller = self.sellers.get(*profiles.seller.get(profile)? as usize)?;
        let setting = self.settings.get(*profiles.setting.get(profile)? as usize)?;
        let billing = self.billings.get(*rows.billing.get(row)? as usize)?;
        let period = self.periods.get(billing.period as usize)?;
        let tariff = period.tariff(texts);
        let extras = billing.extras();
        Some(Offer {
            id,
            provider: texts.providers.get(seller.provider).to_owned(),
            cloud: texts.providers.get(seller.cloud).to_owned(),
            source: seller.source,
            name: texts.names.get(rows.name[row]).to_owned(),
            form: setting.form,
            isolation: setting.isolation,
            gpu: OfferGpu {
                model: texts.cards.owned(variant.card),
                count: rows.count[row],
                fraction: widen(variant.fraction()),
                vram_gib: widen(variant.vram()),
                link: texts.links.owned(variant.own_link),
                raw_name: texts.raws.get(variant.raw).to_owned(),
            },
            fabric: texts.fabrics.owned(setting.fabric),
            vcpu: widen(rows.vcpu[row]),
            ram_gib: widen(rows.ram[row]),
            disk: Disk { included_gb: extras.included_gb, max_gb: widen(rows.disk_max[row]) },
            net: Net { down_mbit_s: widen(rows.down[row]), up_mbit_s: widen(rows.up[row]) },
            driver: texts.versions.owned(rows.driver[row]),
            cuda: texts.versions.owned(rows.cuda[row]),
            reliability: widen(rows.reliability[row]),
            verified: setting.verified,
            place: Place {
                region: texts.regions.owned(rows.region[row]),
                country: texts.countries.owned(*profiles.country.get(profile)?),
                seller: texts.countries.owned(seller.country),
            },
            price: Price {
                kind: seller.kind,
                currency: seller.currency,
                per_hour: rows.price(row),
                term: tariff.term.map(ToOwned::to_owned),
                increment_s: tariff.increment_s,
                minimum_s: tariff.minimum_s,
                storage_gb_month: extras.storage_gb_month,
                storage_stopped_gb_month: billing.storage_stopped(),
                egress_gb: extras.egress_gb,
                ingress_gb: billing.ingress(),
                meter: billing.meter,
                page: texts.pages.owned(billing.page),
            },
            supply: Supply { state: setting.supply, count: rows.supply(row) },
            flags: rows.flags(row),
        })
    }
}
