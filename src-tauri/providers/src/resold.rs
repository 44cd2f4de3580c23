//! What the adapters of aggregators share: one account there reaches the iron of many clouds.

use gpudesk_core::gpu::{self, Card};
use gpudesk_core::offer::{OfferGpu, Place};
use gpudesk_core::place::{canonical_provider, hides_operator, seller};

/// The place of a machine that `provider` bills and that runs on the iron of `cloud` (either spelling). Who runs the
/// iron has the data in hand, so where nobody can tell who that is, neither place nor seller is proved: both stay
/// unknown, and the region keeps the provider's own words. A company that is not established leaves the seller open.
pub(crate) fn place(
    provider: &str,
    cloud: &str,
    region: Option<String>,
    country: Option<&'static str>,
) -> Place {
    if hides_operator(cloud) {
        return Place { region, country: None, seller: None };
    }
    let operator_is_known = canonical_provider(cloud) == provider || seller(cloud).is_some();
    let seller = seller(provider).filter(|_| operator_is_known);
    Place { region, country: country.map(str::to_owned), seller: seller.map(str::to_owned) }
}

/// The same card with the link that a list says to be there. Only what refines the table: a card whose NVLink is
/// certain anyway needs no word from the list.
pub(crate) fn linked(gpu: OfferGpu, says_nvlink: bool) -> OfferGpu {
    let certain =
        gpu.model.as_deref().and_then(gpu::card).and_then(Card::link).is_some_and(|link| link.nvlink);
    OfferGpu { link: (says_nvlink && !certain).then(|| "NVLink".to_owned()), ..gpu }
}

/// A text as it may stand in the id of an offer: letters, digits and `._+` stay, everything else becomes one hyphen.
pub(crate) fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_alphanumeric() || matches!(letter, '.' | '_' | '+') {
            slug.push(letter);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(cloud: &str) -> (Option<String>, Option<String>) {
        let place = place("shadeform", cloud, Some("paris-france-1".to_owned()), Some("FR"));
        assert_eq!(place.region.as_deref(), Some("paris-france-1"), "the words are kept");
        (place.country, place.seller)
    }

    #[test]
    fn a_hidden_operator_proves_neither_place_nor_seller() {
        let (fr, us) = (Some("FR".to_owned()), Some("US".to_owned()));
        assert_eq!(at("verda"), (fr.clone(), us.clone()));
        assert_eq!(at("datacrunch"), (fr.clone(), us.clone()), "the same company under its old name");
        assert_eq!(at("excesssupply"), (None, None));
        assert_eq!(at("dc_roan"), (None, None));
        assert_eq!(at("dc_newest"), (None, None), "one that nobody has listed yet");
        assert_eq!(at("nebulous"), (fr.clone(), None), "a cloud nobody knows");
        assert_eq!(at("imwt"), (fr.clone(), None), "a cloud whose company is not established");
        assert_eq!(at("shadeform"), (fr, us));
    }

    #[test]
    fn a_slug_has_no_spaces() {
        assert_eq!(slug("NVIDIA A100 80GB PCIe"), "NVIDIA-A100-80GB-PCIe");
        assert_eq!(slug("1A100.22V_SPOT"), "1A100.22V_SPOT");
        assert_eq!(slug(" / x / "), "x");
    }
}
