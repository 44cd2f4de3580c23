//! Spending and budgets for people.

use gpudesk_api::spend::{BudgetDto, RangeDto, SpendPage};

use super::{DASH, L, R, or_dash, plain, with_notes};

fn range(range: &RangeDto) -> String {
    match &range.high {
        Some(high) if *high == range.low => range.low.clone(),
        Some(high) => format!("{}–{high}", range.low),
        None => format!("≥ {}", range.low),
    }
}

/// What was spent.
pub fn page(page: &SpendPage) -> String {
    let columns = [
        (page.by.as_str(), L),
        ("compute", R),
        ("disks", R),
        ("stopped", R),
        ("traffic", R),
        ("total", R),
        ("idle", R),
        ("billed", R),
    ];
    let mut table = plain(&columns);
    for row in &page.rows {
        let title = if row.title.is_empty() { DASH.to_owned() } else { row.title.clone() };
        let total = range(&row.total);
        table.add_row([
            title,
            row.compute.clone(),
            row.disk.clone(),
            row.disk_stopped.clone(),
            range(&row.traffic),
            if row.partial && !total.starts_with('≥') { format!("≥ {total}") } else { total },
            row.idle_share.map_or_else(|| DASH.to_owned(), |share| format!("{:.0} %", share * 100.0)),
            or_dash(row.billed.as_ref()),
        ]);
    }
    let mut notes =
        vec![format!("{} to {}, in {}: {}.", page.from, page.to, page.currency, range(&page.total))];
    let burning = page.burning_per_hour.as_deref().unwrap_or(DASH);
    let unmanaged = page.burning_unmanaged.map_or_else(|| DASH.to_owned(), |count| count.to_string());
    notes.push(format!("Burning now: {burning} an hour, {} of ours, {unmanaged} unmanaged.", page.burning));
    if !page.blind.is_empty() {
        notes.push(format!(
            "Not looked into, so what burns there and is not ours is not in it: {}. `gpudesk reconcile` says why.",
            page.blind.join(", ")
        ));
    }
    if let Some(forecast) = &page.forecast {
        notes.push(format!("The period will have cost {}.", range(forecast)));
    }
    for waste in &page.waste {
        let amount = or_dash(waste.amount.as_ref());
        let month = waste.per_month.as_ref().map_or(String::new(), |month| format!(", {month} a month"));
        notes.push(format!("Waste: {} ({}): {amount}{month}.", waste.name, waste.kind));
    }
    for saving in &page.savings {
        let risks = match saving.risks.is_empty() {
            true => String::new(),
            false => format!(" It would have risked: {}.", saving.risks.join(", ")),
        };
        notes.push(format!(
            "Could have been {} less: {} at {} ({}).{risks}",
            saving.amount, saving.name, saving.title, saving.kind
        ));
    }
    for rate in &page.fx_later {
        let (currency, source, date) = (&rate.currency, &rate.source, &rate.date);
        notes.push(format!(
            "{currency} before {date} is at the rate of {source} of that day, for want of an older one."
        ));
    }
    for money in &page.unconverted {
        notes.push(format!("Not in it, for want of an exchange rate: {} {}.", money.amount, money.currency));
    }
    with_notes(&table, &notes)
}

/// The budgets and how they stand.
pub fn budgets(budgets: &[BudgetDto]) -> String {
    if budgets.is_empty() {
        return "There is no budget. `gpudesk budget set NAME --amount 2000` makes one.".to_owned();
    }
    let columns = [
        ("budget", L),
        ("of", L),
        ("per", L),
        ("amount", R),
        ("spent", R),
        ("share", R),
        ("will be", R),
        ("at 100 %", L),
    ];
    let mut table = plain(&columns);
    for budget in budgets {
        let of = if budget.of.is_empty() {
            budget.scope.clone()
        } else {
            format!("{} {}", budget.scope, budget.of)
        };
        table.add_row([
            budget.name.clone(),
            of,
            budget.period.clone(),
            format!("{} {}", budget.amount, budget.currency),
            or_dash(budget.spent.as_ref()),
            budget.share.map_or_else(|| DASH.to_owned(), |share| format!("{:.0} %", share * 100.0)),
            budget.forecast.as_ref().map_or_else(|| DASH.to_owned(), range),
            budget.hard.clone(),
        ]);
    }
    with_notes(&table, &[])
}
