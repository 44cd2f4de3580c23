//! The name of a rental in `ssh NAME`: lower case letters, digits and hyphens only, so that it means the same to ssh,
//! to editors and to a shell.

/// Longest alias.
const LIMIT: usize = 63;

/// Russian letters in the order of the alphabet, as they are written in Latin ones.
const LATIN: [&str; 32] = [
    "a", "b", "v", "g", "d", "e", "zh", "z", "i", "i", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "f",
    "kh", "ts", "ch", "sh", "shch", "", "y", "", "e", "iu", "ia",
];

/// The alias of the rental called `name`: `gpudesk-` and the name with everything else than letters and digits turned
/// into single hyphens. Where `taken` says that the alias belongs to somebody else, a number follows. `id` stands in
/// for a name of which nothing remains.
#[must_use]
pub fn alias_of(name: &str, id: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut plain = plain(name);
    if plain.is_empty() {
        let id = plain_id(id);
        plain = id.get(id.len().saturating_sub(8)..).unwrap_or(&id).to_owned();
    }
    let wanted = cut(&format!("gpudesk-{plain}"), LIMIT).to_owned();
    if !taken(&wanted) {
        return wanted;
    }
    let mut number = 2_u64;
    loop {
        let tail = format!("-{number}");
        let alias = format!("{}{tail}", cut(&wanted, LIMIT - tail.len()));
        if !taken(&alias) {
            return alias;
        }
        number += 1;
    }
}

/// Whether this is an alias that [`alias_of`] could have made.
#[must_use]
pub fn is_alias(text: &str) -> bool {
    text.len() <= LIMIT
        && text.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

fn plain(name: &str) -> String {
    let mut out = String::new();
    for c in name.to_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' => out.push(c),
            'ё' => out.push('e'),
            // The letters from а to я stand in one row.
            'а'..='я' => out.push_str(LATIN.get(c as usize - 'а' as usize).copied().unwrap_or_default()),
            _ if out.is_empty() || out.ends_with('-') => {}
            _ => out.push('-'),
        }
    }
    out.trim_end_matches('-').to_owned()
}

fn plain_id(id: &str) -> String {
    id.to_ascii_lowercase().chars().filter(char::is_ascii_alphanumeric).collect()
}

fn cut(text: &str, limit: usize) -> &str {
    text.get(..limit).unwrap_or(text).trim_end_matches('-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn free(name: &str) -> String {
        alias_of(name, "01JDXK7Q", |_| false)
    }

    #[test]
    fn names_become_plain() {
        assert_eq!(free("train-a"), "gpudesk-train-a");
        assert_eq!(free("Моя Машина №1"), "gpudesk-moia-mashina-1");
        assert_eq!(free("щётка объезд"), "gpudesk-shchetka-obezd");
        assert_eq!(free("a; rm -rf $(HOME) \"x\" 'y'\nHost *"), "gpudesk-a-rm-rf-home-x-y-host");
        assert_eq!(free("--"), "gpudesk-01jdxk7q");
        assert_eq!(free("日本"), "gpudesk-01jdxk7q");
    }

    #[test]
    fn somebody_elses_alias_is_left_to_them() {
        let taken = ["gpudesk-a", "gpudesk-a-2"];
        assert_eq!(alias_of("a", "1", |alias| taken.contains(&alias)), "gpudesk-a-3");
        let long = "x".repeat(100);
        let first = free(&long);
        assert_eq!(first.len(), 63);
        let second = alias_of(&long, "1", |alias| alias == first);
        assert!(second.ends_with("x-2") && second.len() == 63, "{second}");
    }

    proptest! {
        #[test]
        fn whatever_a_rental_is_called_its_alias_is_one(name in ".*") {
            prop_assert!(is_alias(&free(&name)), "{:?}", free(&name));
        }
    }
}
