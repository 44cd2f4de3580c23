//! Renting an offer.

use chrono::Duration;
use gpudesk_core::offer::{Offer, Source};
use gpudesk_core::rental::{Image, ImageKind, Lease, OnExpiry, RentalTerms, Spec};
use gpudesk_engine::{Desk, LeaseDefaults, Order, Outcome};
use rust_decimal::Decimal;

use super::launch_sheet::{disk, not_rentable};
use super::market;
use super::rental_shape::Shapes;
use super::rows::{self, provider_title, text};
use crate::desk::ApiError;
use crate::launch::{LaunchOutcome, LaunchRequest, OfferEnd, OfferEndRequest};

/// Rents an offer: asked for anew, written down, then called for.
///
/// # Errors
/// `not-found`, `request-invalid`, and whatever the provider says: nothing was made then.
pub async fn launch(desk: &Desk, request: LaunchRequest) -> Result<LaunchOutcome, ApiError> {
    let (offer, _) = market::offer_to_rent(desk, &request.offer).await?;
    let rules = gpudesk_engine::offer_terms(&offer).ok_or_else(|| not_rentable(&offer))?;
    if offer.source == Source::Catalogue {
        return Err(not_live(&offer));
    }
    let account = match rules.booking {
        true => offer.provider.clone(),
        false => account(desk, &offer, &request.account).await?,
    };
    let disk_gb = disk(&offer, request.disk_gb, &rules)?;
    let image = image(&request.image, &rules, &offer)?;
    let lease = lease(desk, &request, &rules).await?;
    let max_price =
        request.max_price.as_deref().map(|price| money("the highest price", price)).transpose()?;
    // Last of all: a key of the desk's own is made here if there is none. What is booked has its own keys.
    let (ssh_public_key, ssh_identity) = if rules.booking {
        (String::new(), None)
    } else {
        let key = desk.ssh_key(&request.ssh_key).await?;
        (key.line, Some(key.identity.display().to_string()))
    };
    let order = Order {
        account,
        name: request.name.trim().to_owned(),
        spec: Spec { image, disk_gb, ssh_public_key, ssh_identity },
        lease,
        owner: filled(request.owner),
        project: filled(request.project),
        max_price,
        override_policy: filled(request.override_policy),
        offer,
    };
    Ok(match desk.launch(order).await? {
        Outcome::Requested(rental) => {
            LaunchOutcome::Requested { rental: Box::new(Shapes::now(desk).await?.rental(&rental)) }
        }
        Outcome::PriceRose { allowed, now, currency } => LaunchOutcome::PriceRose {
            allowed: text(allowed),
            now: text(now),
            currency: currency.to_string(),
        },
        Outcome::Gone { words, nearest } => {
            let rates = desk.rates().await?;
            let now = desk.now();
            let nearest = nearest.iter().map(|offer| rows::offer(offer, now, false, &rates)).collect();
            LaunchOutcome::Gone { words, nearest }
        }
    })
}

/// When an offer ends. Nothing is asked where offers have no end, or where only a price list names it.
///
/// # Errors
/// `not-found`, `unsupported`, and as a launch would where there is no account or the provider does not answer.
pub async fn offer_end(desk: &Desk, request: OfferEndRequest) -> Result<OfferEnd, ApiError> {
    let (offer, _) = market::offer_to_rent(desk, &request.offer).await?;
    let rules = gpudesk_engine::offer_terms(&offer).ok_or_else(|| not_rentable(&offer))?;
    if !rules.offers_end || offer.source == Source::Catalogue {
        return Ok(OfferEnd { ends_at: None });
    }
    let account = account(desk, &offer, &request.account).await?;
    Ok(OfferEnd { ends_at: desk.offer_end(&account, &offer).await?.map(rows::time) })
}

fn not_live(offer: &Offer) -> ApiError {
    let title = provider_title(&offer.provider);
    ApiError::new(
        "offer-gone",
        format!("offer `{}`", offer.id),
        format!("only a price list names it; {title} itself offers none like it now"),
    )
    .with_hint(format!("Refresh the offers of {title}, or choose a live one."))
}

/// The account to rent through: the one named, or the only one there is.
async fn account(desk: &Desk, offer: &Offer, asked: &str) -> Result<String, ApiError> {
    let names: Vec<String> = desk
        .accounts()
        .await?
        .iter()
        .filter(|info| info.name.provider() == offer.provider)
        .map(|info| info.name.to_string())
        .collect();
    let title = provider_title(&offer.provider);
    let asked = asked.trim().to_ascii_lowercase();
    match (asked.as_str(), names.as_slice()) {
        ("", []) => Err(ApiError::new("no-key", title, "there is no account to rent through").with_hint(
            format!("Add one first: `gpudesk accounts add {}`, or Settings → Accounts.", offer.provider),
        )),
        ("", [only]) => Ok(only.clone()),
        ("", several) => match several.iter().find(|name| **name == offer.provider) {
            Some(plain) => Ok(plain.clone()),
            None => Err(ApiError::new("request-invalid", "the account", format!("{title} has several"))
                .with_hint(format!("Name one of them: {}.", several.join(", ")))),
        },
        (named, several) if several.iter().any(|name| name == named) => Ok(named.to_owned()),
        (named, several) => Err(ApiError::new(
            "not-found",
            format!("account `{named}`"),
            format!("{title} has none of that name"),
        )
        .with_hint(format!("Accounts there: {}.", several.join(", ")))),
    }
}

fn image(asked: &str, rules: &RentalTerms, offer: &Offer) -> Result<Image, ApiError> {
    let asked = asked.trim();
    let known = || rules.images.iter().map(|image| image.id.as_str()).collect::<Vec<_>>().join(", ");
    if asked.is_empty() {
        return rules.images.first().cloned().ok_or_else(|| {
            ApiError::new("request-invalid", "the image", "there is no usual one here")
                .with_hint("Name one with --image.")
        });
    }
    if let Some(image) = rules.images.iter().find(|image| image.id == asked || image.kind.word() == asked) {
        return Ok(image.clone());
    }
    if !rules.any_image {
        let title = provider_title(&offer.provider);
        return Err(ApiError::new("request-invalid", "the image", format!("{title} has no image `{asked}`"))
            .with_hint(format!("One of: {}.", known())));
    }
    if !is_image(asked) {
        return Err(ApiError::new("request-invalid", "the image", "it is no image reference")
            .with_hint(format!("Such as: {}.", known())));
    }
    Ok(Image { id: asked.to_owned(), title: asked.to_owned(), kind: ImageKind::Custom })
}

/// Hours that a lease may be set to, or be lengthened by.
pub(super) fn lease_hours(hours: f64) -> Result<f64, ApiError> {
    if LeaseDefaults::are_hours(hours) {
        return Ok(hours);
    }
    let most = LeaseDefaults::MOST_HOURS;
    Err(ApiError::new("request-invalid", "the lease", format!("{hours} hours cannot be"))
        .with_hint(format!("Name hours above 0 and at most {most} (a year), such as 8.")))
}

async fn lease(desk: &Desk, request: &LaunchRequest, rules: &RentalTerms) -> Result<Lease, ApiError> {
    let until = match request.hours {
        None => None,
        Some(hours) => {
            let hours = lease_hours(hours)?;
            #[expect(clippy::cast_possible_truncation, reason = "at most a year in milliseconds")]
            let length = Duration::milliseconds((hours * 3_600_000.0) as i64);
            Some(desk.now() + length)
        }
    };
    let on_expiry = match request.on_expiry.trim() {
        "" => rules.expiry(desk.lease_defaults().await?.on_expiry),
        word => word.parse::<OnExpiry>().map_err(|_| {
            ApiError::new(
                "request-invalid",
                "the lease",
                format!("`{}` is nothing that can happen", request.on_expiry),
            )
            .with_hint("One of: notify, stop, end.")
        })?,
    };
    let max_spend =
        request.max_spend.as_deref().map(|most| money("the most it may cost", most)).transpose()?;
    Ok(Lease {
        until,
        max_spend,
        idle_minutes: request.idle_minutes.filter(|minutes| *minutes > 0),
        on_expiry,
    })
}

/// Whether a text can be the reference of an image: `registry.example:5000/team/name:tag@sha256:…`.
fn is_image(text: &str) -> bool {
    text.len() <= 300
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-/:@".contains(c))
}

/// An amount above zero.
fn money(what: &str, typed: &str) -> Result<Decimal, ApiError> {
    typed.trim().parse().ok().filter(|amount: &Decimal| *amount > Decimal::ZERO).ok_or_else(|| {
        ApiError::new("request-invalid", what, format!("`{typed}` is no amount above 0"))
            .with_hint("Write it with a point and without a currency, such as 2.50.")
    })
}

fn filled(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}
