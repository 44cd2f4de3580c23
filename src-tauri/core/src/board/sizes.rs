//! Sizes of the machines on the board.

use super::Board;
use super::columns::widen;

impl Board {
    /// Sizes of whole cards that are not in quarantine.
    pub(super) fn sizes(&self) -> Vec<(f64, Vec<String>)> {
        let mut sizes: Vec<(f64, Vec<String>)> = Vec::new();
        for variant in self.usable_variants() {
            let Some(vram) = widen(self.variants[variant].vram()) else { continue };
            let Some(card) = self.facts[variant].card else { continue };
            if !self.variants[variant].fraction().is_nan() {
                continue;
            }
            let name = card.name().to_owned();
            match sizes.iter_mut().find(|(size, _)| (size - vram).abs() < 0.01) {
                Some((_, names)) if !names.contains(&name) => names.push(name),
                Some(_) => {}
                None => sizes.push((vram, vec![name])),
            }
        }
        sizes.sort_by(|a, b| b.0.total_cmp(&a.0));
        sizes.iter_mut().for_each(|(_, names)| names.sort_unstable());
        sizes
    }

    /// Cards of which at least one row is not in quarantine.
    fn usable_variants(&self) -> Vec<usize> {
        let mut used = vec![false; self.variants.len()];
        for profile in 0..self.profiles.len() {
            if !self.sellers[self.profiles.seller[profile] as usize].quarantined {
                used[self.profiles.variant[profile] as usize] = true;
            }
        }
        used.iter().enumerate().filter(|(_, used)| **used).map(|(variant, _)| variant).collect()
    }

    /// Most memory of one machine that is not in quarantine, GiB.
    pub(super) fn most_gib(&self) -> Option<f64> {
        let good = (0..self.profiles.len())
            .filter(|profile| !self.sellers[self.profiles.seller[*profile] as usize].quarantined);
        let gib = good.filter_map(|profile| {
            let vram = widen(self.variants[self.profiles.variant[profile] as usize].vram())?;
            Some(vram * f64::from(self.profiles.most_cards[profile]))
        });
        gib.max_by(f64::total_cmp)
    }
}
