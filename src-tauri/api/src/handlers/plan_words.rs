//! What a plan says of its options: fixed words with their figures for the window, sentences for the terminal.

use gpudesk_core::board::{Choice, LeftOut, Ranking};
use gpudesk_core::gpu;
use gpudesk_core::meter::Meter;
use gpudesk_core::offer::{Flag, Form, Offer, PriceKind, Source, SupplyState};
use gpudesk_core::plan::{Memory, Span, Standing, Why};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::rental::Remark;

/// Said where nothing speaks against an option.
pub(super) const NO_RISK: &str = "Nothing in particular is known to go wrong.";

/// Both ends as people read them: `31–47`, `54.2`.
fn ends(span: Span) -> String {
    let short = |value: f64| match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 1.0 => trimmed(&format!("{value:.1}")),
        v if v >= 0.01 => trimmed(&format!("{value:.2}")),
        0.0 => "0".to_owned(),
        _ => "less than 0.01".to_owned(),
    };
    match span.bounded_high() {
        None => format!("at least {}", short(span.low)),
        Some(high) if short(span.low) == short(high) => short(high),
        Some(high) if span.low < 0.01 => format!("up to {}", short(high)),
        Some(high) => format!("{}–{}", short(span.low), short(high)),
    }
}

fn trimmed(text: &str) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text.to_owned()
    }
}

fn one(value: f64) -> String {
    ends(Span::exact(value))
}

/// Both ends of a share: `12.5–40 %`.
fn percent(share: Span) -> String {
    let short = |share: f64| trimmed(&format!("{:.1}", share * 100.0));
    match (short(share.low), short(share.high)) {
        (low, high) if low == high => format!("{high} %"),
        (low, high) => format!("{low}–{high} %"),
    }
}

/// Why a row is no option.
pub(super) fn why(why: &Why) -> Remark {
    let remark = |text: String| Remark::new(why.code(), "block", text);
    match why {
        Why::Quarantined => remark("It is set aside: something about it cannot be true.".to_owned()),
        Why::Policy(code) => {
            remark(format!("The residency policy forbids it: {}.", code.replace('-', " "))).with("policy", code)
        }
        Why::OutOfStock => remark("There is none to be had now.".to_owned()),
        Why::Interruptible => {
            remark("It may be taken back at any time, and the work may not be interrupted.".to_owned())
        }
        Why::MemoryUnknown => remark("How much memory its cards have is not told.".to_owned()),
        Why::Memory { needs, has } => {
            let short = needs - has;
            remark(format!(
                "Each card has {} GiB and needs {}: {} GiB too little.",
                one(*has),
                one(*needs),
                one(short)
            ))
            .with("needs_gib", format!("{needs:.2}"))
            .with("has_gib", format!("{has:.2}"))
            .with("short_gib", format!("{short:.2}"))
        }
        Why::NoLink => remark(
            "Its cards have to exchange weights or gradients all the time, and nothing shows that they talk over \
             NVLink."
                .to_owned(),
        ),
        Why::NoFabric => remark("Its boxes have no fast network between them that is named.".to_owned()),
        Why::SpeedUnknown => remark("How fast it is with this work is not known.".to_owned()),
        Why::Late { hours, deadline } => remark(format!(
            "It takes at least {} h, and there are {} h until the deadline.",
            one(*hours),
            one(*deadline)
        ))
        .with("hours", format!("{hours:.2}"))
        .with("deadline_hours", format!("{deadline:.2}")),
        Why::TooSlow { tokens_per_s, wanted } => remark(format!(
            "Each person would get {} tokens a second at most and reads {}.",
            one(*tokens_per_s),
            one(*wanted)
        ))
        .with("tokens_per_s", format!("{tokens_per_s:.2}"))
        .with("wanted", format!("{wanted:.2}")),
        Why::OtherModel => remark("It sells tokens of another model, or the work is none of tokens.".to_owned()),
        Why::TokensUnknown => remark("It is paid by the token, and how many there will be is not said.".to_owned()),
        Why::NoPrice => remark("What it would cost cannot be told: a term or an exchange rate is missing.".to_owned()),
    }
}

/// Reasons in the order in which they are looked at: the further down, the nearer an offer was to being an option.
const NEARNESS: [&str; 14] = [
    "quarantined",
    "other-model",
    "policy",
    "out-of-stock",
    "memory-unknown",
    "memory",
    "no-link",
    "no-fabric",
    "interruptible",
    "tokens-unknown",
    "speed-unknown",
    "too-slow",
    "late",
    "no-price",
];

/// What is missing where nothing is an option: the reason of the offers that came nearest.
pub(super) fn missing(ranking: &Ranking) -> Remark {
    let near = |left: &&LeftOut| NEARNESS.iter().position(|code| *code == left.why.code());
    let Some(left) = ranking.left_out.iter().max_by_key(near) else {
        return Remark::new(
            "no-offers",
            "block",
            "There is no offer on the board. `gpudesk refresh` fetches some.",
        );
    };
    let of = format!("{} of {} rows", left.rows, ranking.considered);
    let text = match left.why {
        Why::Memory { needs, has } => {
            let most = ranking.most_gib.unwrap_or(has);
            format!(
                "Nothing is large enough: the nearest lacks {} GiB on each card; the largest machine of the board has \
                 {} GiB in all.",
                one(needs - has),
                one(most)
            )
        }
        Why::Late { hours, deadline } => format!(
            "Nothing is done in time: the fastest takes at least {} h, and there are {} h.",
            one(hours),
            one(deadline)
        ),
        Why::Interruptible => {
            format!("All that would do may be taken back ({of}), and the work may not be interrupted.")
        }
        Why::Policy(_) => format!("The residency policy allows nothing that would do ({of} break it)."),
        Why::NoPrice => format!(
            "What would do is priced in currencies without an exchange rate here ({of}). `gpudesk refresh rates` \
             fetches rates."
        ),
        other => format!("What comes nearest fails for this ({of}): {}", why(&other).text),
    };
    let mut remark = why(&left.why);
    remark.text = text;
    let remark = remark.with("rows", left.rows).with("considered", ranking.considered);
    ranking.most_gib.map_or(remark.clone(), |most| remark.with("most_gib", format!("{most:.2}")))
}

/// What can go wrong with an option, the worst first.
pub(super) fn risks(choice: &Choice, offer: &Offer, memory: &Memory, deadline_h: Option<f64>) -> Vec<Remark> {
    let run = &choice.run;
    let mut risks = Vec::new();
    let mut add = |code: &str, weight: &str, text: String| risks.push(Remark::new(code, weight, text));
    match (run.standing, deadline_h) {
        (Standing::Unfinished, Some(_)) if run.fit.is_speed_unknown => add(
            "held",
            "warn",
            "How fast it is is not known: it is held until the deadline, whatever it works through."
                .to_owned(),
        ),
        _ if run.fit.is_speed_unknown => {
            add("speed-unknown", "warn", "How fast it answers is not known.".to_owned());
        }
        (Standing::Unfinished, Some(_)) => add(
            "unfinished",
            "warn",
            format!(
                "By the deadline it works through {} of the data, if all of it is text.",
                percent(run.share)
            ),
        ),
        (Standing::MayBeLate, Some(deadline)) => {
            let text = match (run.hours, run.completion) {
                (Some(hours), Some(chance)) => format!(
                    "It may miss the deadline: {} h of {} h, done in time with {}.",
                    ends(hours),
                    one(deadline),
                    percent(chance)
                ),
                _ => "Whether it keeps the deadline is not known: nobody says how fast it is.".to_owned(),
            };
            add("may-be-late", "warn", text);
        }
        _ => {}
    }
    if let (Some(times), Some(lost)) = (run.interruptions, run.lost_h) {
        let chance = run.completion.map(|chance| format!(" It is done in time with {}.", percent(chance)));
        let kept = if run.standing == Standing::InTime { chance.unwrap_or_default() } else { String::new() };
        add(
            "interruption",
            "warn",
            format!(
                "It may be taken back: {} interruptions to expect, {} h lost to them.{kept}",
                ends(times),
                ends(lost)
            ),
        );
    }
    if choice.high.is_none() {
        let text =
            "What it costs has no upper end: disk or traffic is not told, and no exchange rate is here.";
        add("cost-open", "warn", text.to_owned());
    }
    if memory.total().bounded_high().is_none() {
        let text = "It may not fit: a part of the memory is not known.".to_owned();
        add("memory-open", "warn", text);
    }
    if choice.slice.is_some() {
        let text = "MIG is off on this card: only the whole card can be booked until somebody turns MIG on at the \
                    server and makes the slice.";
        add("mig-off", "warn", text.to_owned());
    }
    if run.fit.is_slow {
        add("slow-at-times", "warn", "People may wait for it at times.".to_owned());
    }
    if run.fit.is_slow_link {
        let text = "Its cards share the work over PCIe, which slows it.".to_owned();
        add("pcie", "note", text);
    }
    if run.fit.machines > 1 {
        let text =
            format!("{} of it are needed, and whether there are so many is not known.", run.fit.machines);
        if offer.supply.count.is_none_or(|count| count < run.fit.machines) {
            add("several", "warn", text);
        }
    }
    of_the_offer(offer, &mut add);
    risks.sort_by_key(|risk| risk.weight != "warn");
    risks
}

fn of_the_offer(offer: &Offer, add: &mut impl FnMut(&str, &str, String)) {
    match offer.price.kind {
        PriceKind::Bid => {
            add("bid", "warn", "Its price is a floor: whoever bids more gets it.".to_owned());
        }
        PriceKind::Reserved => {
            let term = offer.price.term.as_deref().unwrap_or("a term");
            add("reserved", "note", format!("It is paid for {term}, used or not."));
        }
        PriceKind::OnDemand | PriceKind::Spot => {}
    }
    if offer.sells_tokens() {
        add("tokens", "note", "Requests run on somebody else's machines, and where is not told.".to_owned());
    } else if matches!(offer.price.meter, Some(Meter::Second { .. })) {
        add("worker-start", "note", "Starts and idle seconds of its workers are billed as well.".to_owned());
    }
    if offer.supply.state == SupplyState::Unknown && offer.source != Source::Own {
        add("stock-unknown", "note", "Whether it is in stock is not told.".to_owned());
    }
    if offer.flags.contains(&Flag::PrivateHost) {
        add("private-host", "note", "It stands at a private host.".to_owned());
    }
    let vendor = offer.gpu.model.as_deref().and_then(gpu::card).and_then(gpu::Card::vendor);
    if let Some(vendor) = vendor.filter(|vendor| !matches!(*vendor, "NVIDIA" | "AMD")) {
        add("other-software", "warn", format!("It needs software made for {vendor}'s accelerators."));
    }
    if offer.gpu.model.is_none() && !offer.sells_tokens() {
        add("model-unknown", "warn", "Its card is not in the table of cards.".to_owned());
    }
}

/// Why an option stands where it does.
pub(super) fn reason(choice: &Choice, best: &Choice, ranking: &Ranking, offer: &Offer) -> Remark {
    let does = does(choice, offer);
    let more = above(choice, best);
    let dearer = more.map_or_else(String::new, |more| match more {
        0 => ", for as much as the best".to_owned(),
        more if more < 0 => format!(", {} % cheaper than the best", -more),
        more => format!(", {more} % dearer than the best"),
    });
    let is_first = choice.is_same(best);
    let first_firm = ranking.firm.as_ref().map(|firm| firm.row);
    let fastest = ranking
        .choices
        .iter()
        .filter_map(|other| Some((other.run.hours?.high, other.row)))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let slowest =
        ranking.choices.iter().filter_map(|other| Some(other.run.hours?.high)).max_by(f64::total_cmp);
    let (code, text) = if let Some(slice) = &choice.slice {
        let share = percent(Span::exact(slice.cost_share()));
        let of = format!("a slice {} of this card is enough, at {share} of its cost", slice.profile);
        ("own-slice", format!("Your own: {of}, {does}{dearer}."))
    } else if offer.source == Source::Own {
        ("own", format!("Your own: {does}{dearer}."))
    } else if is_first && offer.form == Form::Fraction {
        ("cheapest", format!("Cheapest: a slice is enough, {does}."))
    } else if is_first {
        ("cheapest", format!("Cheapest that does it: {does}."))
    } else if offer.sells_tokens() {
        ("tokens", format!("No machine at all: tokens by the million{dearer}."))
    } else if first_firm == Some(choice.row) && best.run.interruptions.is_some() {
        ("firm", format!("Cheapest that is not taken back: {does}{dearer}."))
    } else if fastest
        .is_some_and(|(hours, row)| row == choice.row && slowest.is_some_and(|most| hours < most))
    {
        ("fastest", format!("Fastest of these: {does}{dearer}."))
    } else if offer.form == Form::Fraction {
        ("slice", format!("A slice is enough: {does}{dearer}."))
    } else if choice.run.standing > best.run.standing {
        ("less-sure", format!("Less sure than the best: {does}{dearer}."))
    } else {
        ("dearer", format!("It does it: {does}{dearer}."))
    };
    let mut remark = Remark::new(code, "note", text).with("machines", choice.run.fit.machines);
    if let Some(more) = more {
        remark = remark.with("percent", more);
    }
    if let Some(gib) = choice.run.fit.per_card.bounded_high() {
        remark = remark.with("needs_gib", format!("{gib:.2}"));
    }
    if let Some(vram) = vram_gib(choice, offer) {
        remark = remark.with("has_gib", vram).with("cards", offer.gpu.count);
    }
    if let Some(slice) = &choice.slice {
        remark = remark.with("cost_share", format!("{:.4}", slice.cost_share()));
    }
    if let Some(hours) = choice.run.hours {
        remark = remark
            .with("hours_low", format!("{:.2}", hours.low))
            .with("hours_high", format!("{:.2}", hours.high));
    }
    remark
}

/// Memory of what is taken of each card, GiB.
fn vram_gib(choice: &Choice, offer: &Offer) -> Option<f64> {
    choice.slice.map(|slice| slice.vram_gib).or(offer.gpu.vram_gib)
}

/// What it does, in a few words: `needs 41.2–54 of 80 GiB on each of 2 cards, 31–47 h`.
fn does(choice: &Choice, offer: &Offer) -> String {
    let fit = &choice.run.fit;
    let mut words = Vec::new();
    if fit.machines > 1 {
        words.push(format!("{} of it", fit.machines));
    }
    if let Some(vram) = vram_gib(choice, offer).filter(|_| !offer.sells_tokens()) {
        let cards = if offer.gpu.count > 1 {
            format!(" on each of {} cards", offer.gpu.count)
        } else {
            String::new()
        };
        words.push(format!("needs {} of {} GiB{cards}", ends(fit.per_card), one(vram)));
    }
    if let Some(hours) = choice.run.hours {
        words.push(format!("{} h", ends(hours)));
    }
    if words.is_empty() { "paid by the token".to_owned() } else { words.join(", ") }
}

/// By how many percent it is dearer than another; `None` where the two do not compare.
fn above(choice: &Choice, other: &Choice) -> Option<i64> {
    let (high, other_high) = choice.high.zip(other.high).filter(|_| choice.currency == other.currency)?;
    let more = high.checked_sub(other_high)?.checked_mul(Decimal::ONE_HUNDRED)?;
    more.checked_div(other_high)?.round().to_i64()
}

/// Why an offer is not named: its seller has the same for less.
pub(super) fn alike(choice: &Choice, other: &Choice, id: &str) -> Remark {
    let more = above(choice, other).unwrap_or_default();
    let text = if more == 0 {
        format!("It would do; its seller has the same at that price: `{id}`.")
    } else {
        format!("It would do, and is {more} % dearer than the same of its seller: `{id}`.")
    };
    Remark::new("alike", "note", text).with("offer", id).with("percent", more)
}

/// How an offer stands to the best one.
pub(super) fn compared(choice: &Choice, best: &Choice, place: Option<usize>, id: &str) -> Remark {
    if choice.is_same(best) {
        return Remark::new("best", "note", "It is the best option there is.");
    }
    let id = best.slice.map_or_else(|| id.to_owned(), |slice| format!("{id} ({})", slice.profile));
    let more = above(choice, best).unwrap_or_default();
    let at = place.map_or_else(String::new, |place| format!(" It stands at place {}.", place + 1));
    let remark = if choice.run.standing > best.run.standing {
        Remark::new("less-sure", "note", format!("It may not be done in time, and `{id}` is.{at}"))
    } else {
        Remark::new("dearer", "note", format!("It would do and is {more} % dearer than `{id}`.{at}"))
    };
    remark.with("offer", id).with("percent", more)
}
