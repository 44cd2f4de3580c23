//! Google sells TPUs as slices of a pod, named by version and size.

/// A TPU slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slice {
    /// Chips in the slice.
    pub chips: u32,
    /// More chips than one host has.
    pub is_cluster: bool,
}

/// Reads the size of a slice out of its name. `tpu-v2`, `-v3`, `-v4` and `-v5p` count TensorCores, two a chip;
/// `tpu-v5litepod` and `tpu-v6e` count chips. Source: cloud.google.com/tpu/docs, the page of each version; hosts have
/// 4 chips, those of v5e and v6e up to 8.
pub(super) fn slice(name: &str) -> Option<Slice> {
    let (version, size) = name.strip_prefix("tpu-")?.rsplit_once('-')?;
    let size: u32 = size.parse().ok().filter(|size| *size > 0)?;
    let (chips, of_one_host) = match version {
        "v2" | "v3" | "v4" | "v5p" => (size.div_ceil(2), 4),
        "v5litepod" | "v6e" => (size, 8),
        _ => return None,
    };
    Some(Slice { chips, is_cluster: chips > of_one_host })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_counted_in_chips() {
        assert_eq!(slice("tpu-v2-8"), Some(Slice { chips: 4, is_cluster: false }));
        assert_eq!(slice("tpu-v5p-12288"), Some(Slice { chips: 6144, is_cluster: true }));
        assert_eq!(slice("tpu-v5litepod-8"), Some(Slice { chips: 8, is_cluster: false }));
        assert_eq!(slice("tpu-v6e-16"), Some(Slice { chips: 16, is_cluster: true }));
        assert_eq!(slice("tpu-v9-8"), None, "a version we do not know counts we do not know what");
        assert_eq!(slice("H100"), None);
    }
}
