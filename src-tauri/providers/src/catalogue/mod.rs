//! Public price lists: catalogues in SkyPilot's CSV form and dstack's zip form, fetched or read from disk, and the
//! snapshot that ships with the desk. A price list says what something costs where; it never says that there is any:
//! supply is unknown for every row that comes from here.

mod clouds;
pub(crate) mod csv_table;
pub mod dstack;
mod error;
pub(crate) mod listing;
mod online;
mod seconds;
pub mod shipped;
pub mod skypilot;
mod tpu;

use gpudesk_core::feed::FeedName;
use gpudesk_core::place;

pub use error::CatalogueError;
pub use online::{Catalogue, PRICE_LIST_FRESH_FOR};
pub use shipped::{is_shipped_version, shipped, shipped_version};
pub use skypilot::{Imported, ToRead, import};

/// The feed of one cloud's price list: `catalogue/aws`. A schema version in the name of a file (`runpod-v5`) stays,
/// so that two files of one cloud do not replace each other.
#[must_use]
pub fn feed_name(file_stem: &str) -> FeedName {
    let (cloud, version) = split_version(file_stem);
    FeedName(format!("catalogue/{}{version}", place::canonical_provider(cloud)))
}

/// `runpod-v5` → (`runpod`, `-v5`); without a version the second part is empty.
fn split_version(file_stem: &str) -> (&str, &str) {
    match file_stem.rsplit_once("-v") {
        Some((cloud, digits)) if !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            file_stem.split_at(cloud.len())
        }
        _ => (file_stem, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_in_a_file_name_is_not_part_of_the_cloud() {
        assert_eq!(split_version("runpod-v5"), ("runpod", "-v5"));
        assert_eq!(split_version("aws"), ("aws", ""));
        assert_eq!(split_version("some-vm"), ("some-vm", ""), "only digits are a version");
        assert_eq!(split_version("x-v"), ("x-v", ""));
    }
}
