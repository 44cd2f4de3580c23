//! A window of the matching rows, with everything that stands around it.

use std::collections::HashSet;

use super::facets::{self, Facet};
use super::plan::Plan;
use super::scan::Scan;
use super::view::{Sort, View};
use super::{Board, rank};

/// The answer to a [`View`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// Rows that match.
    pub total: u32,
    /// Rows that could: quarantined ones only where they are seen.
    pub all: u32,
    /// Clouds among the matching rows.
    pub clouds: u32,
    /// The window, as rows of the board.
    pub rows: Vec<u32>,
    /// Each counted under all other filters; empty unless wanted.
    pub facets: Vec<Facet>,
    /// Most VRAM of all cards among the matching rows, GiB.
    pub max_vram_total: Option<f64>,
    /// Most memory bandwidth of a card among them, GB/s.
    pub max_bandwidth: Option<f64>,
}

impl Board {
    /// The rows from `offset` on, at most `limit`, and facets if wanted.
    #[must_use]
    pub fn page(&self, view: &View<'_>, offset: usize, limit: usize, want_facets: bool) -> Page {
        let plan = Plan::new(self, view, view.sort == Sort::Total);
        let scan = Scan::new(self, &plan, want_facets);
        let mut page = Page {
            all: if view.include_quarantine { self.len() } else { self.len() - self.quarantined() },
            ..Page::default()
        };
        let mut clouds = HashSet::new();
        for (profile, failed) in plan.failed.iter().enumerate() {
            let passed = scan.passed[profile];
            if *failed != 0 || passed == 0 {
                continue;
            }
            page.total += passed;
            clouds.insert(self.profiles[profile].cloud);
            let larger = |known: Option<f64>, value: f64| {
                if value.is_nan() { known } else { Some(known.map_or(value, |known| known.max(value))) }
            };
            page.max_bandwidth = larger(page.max_bandwidth, f64::from(self.facts[profile].bandwidth));
            let cards = f64::from(self.most_cards(profile, &scan));
            let vram = f64::from(f32::from_bits(self.profiles[profile].vram));
            page.max_vram_total = larger(page.max_vram_total, vram * cards);
        }
        page.clouds = clouds.len() as u32;
        page.rows = rank::ordered(self, &plan, &scan, view, offset, limit);
        if want_facets {
            page.facets = facets::count(self, &plan, &scan, view);
        }
        page
    }

    fn most_cards(&self, profile: usize, scan: &Scan) -> u32 {
        let Some(keep) = &scan.keep else { return self.facts[profile].most_cards };
        let range = self.range(profile);
        let kept = keep[range.clone()].iter().zip(&self.rows.count[range]);
        kept.map(|(keep, count)| if *keep { *count } else { 0 }).max().unwrap_or(0)
    }
}
