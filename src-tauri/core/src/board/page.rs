//! A window of the matching rows, with everything that stands around it.

use super::facets::Facet;
use super::plan::Plan;
use super::policies::{self, Kept};
use super::scan::Scan;
use super::view::{Sort, View};
use super::{Board, facets, rank};

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
    /// What each policy of the view would keep and hide under all other filters; empty unless facets are wanted.
    pub policies: Vec<Kept>,
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
        let mut page = Page { all: self.visible(view), ..Page::default() };
        self.look_around(&scan, &mut page);
        page.rows = rank::ordered(self, &plan, &scan, view, offset, limit);
        if want_facets {
            page.policies = policies::count(self, &scan, view.policies);
            page.facets = facets::count(self, &scan, view.query, &page.policies);
        }
        page
    }

    fn look_around(&self, scan: &Scan, page: &mut Page) {
        let mut clouds = vec![false; self.texts.providers.len()];
        let (mut vram_total, mut bandwidth) = (f64::NAN, f64::NAN);
        for (profile, passed) in scan.matching() {
            page.total += passed;
            clouds[self.sellers[self.profiles.seller[profile] as usize].cloud as usize] = true;
            let variant = self.profiles.variant[profile] as usize;
            // The larger of two, and the known of two.
            bandwidth = f64::from(self.facts[variant].bandwidth).max(bandwidth);
            let vram = f64::from(self.variants[variant].vram());
            let possible = vram * f64::from(self.profiles.most_cards[profile]);
            if possible > vram_total || vram_total.is_nan() {
                vram_total = (vram * f64::from(self.most_cards(profile, scan))).max(vram_total);
            }
        }
        page.clouds = clouds.into_iter().map(u32::from).sum();
        page.max_vram_total = Some(vram_total).filter(|value| !value.is_nan());
        page.max_bandwidth = Some(bandwidth).filter(|value| !value.is_nan());
    }

    fn most_cards(&self, profile: usize, scan: &Scan) -> u32 {
        let Some(keep) = &scan.keep else { return self.profiles.most_cards[profile] };
        let range = self.profiles.range(profile);
        let kept = keep[range.clone()].iter().zip(&self.rows.count[range]);
        kept.map(|(keep, count)| if *keep { *count } else { 0 }).max().unwrap_or(0)
    }
}
