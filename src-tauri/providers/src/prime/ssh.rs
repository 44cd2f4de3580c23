//! The ways into a pod, as its record writes them: meant to be pasted into a shell, which is never done here.

use gpudesk_core::rental::SshAddress;

use crate::http::Literal;

/// Every way in: the record holds a text, a list of texts and nulls (one for each machine), or null.
pub(super) fn ways(connection: Literal<'_>) -> Vec<SshAddress> {
    if connection.raw().is_some_and(|raw| raw.starts_with('[')) {
        return connection
            .object::<Vec<Option<String>>>()
            .iter()
            .flatten()
            .filter_map(|text| way(text))
            .collect();
    }
    connection.text().and_then(|text| way(&text)).into_iter().collect()
}

/// One of `root@203.0.113.7 -p 22014`, `ssh ubuntu@203.0.113.7`, `root@host:2222`, `root@[2001:db8::1]:2222`. Anything
/// else in the text (an option, a second host) makes it none.
fn way(text: &str) -> Option<SshAddress> {
    let mut words = text.split_whitespace().peekable();
    words.next_if_eq(&"ssh");
    let (user, rest) = words.next()?.split_once('@')?;
    let (host, mut port) = host_and_port(rest)?;
    match words.next() {
        None => {}
        Some("-p") => port = words.next()?.parse().ok()?,
        Some(word) => port = word.strip_prefix("-p")?.parse().ok()?,
    }
    words.next().is_none().then(|| SshAddress::new(host, port, user, false)).flatten()
}

fn host_and_port(text: &str) -> Option<(&str, u16)> {
    if let Some(rest) = text.strip_prefix('[') {
        let (host, behind) = rest.split_once(']')?;
        return Some((host, if behind.is_empty() { 22 } else { behind.strip_prefix(':')?.parse().ok()? }));
    }
    match text.split_once(':') {
        // Several colons are an address of IPv6 without a port.
        Some((_, behind)) if behind.contains(':') => Some((text, 22)),
        Some((host, port)) => Some((host, port.parse().ok()?)),
        None => Some((text, 22)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(json: &str) -> Vec<(String, u16, String)> {
        #[derive(serde::Deserialize)]
        struct Row<'a> {
            #[serde(borrow)]
            a: Literal<'a>,
        }
        let text = format!("{{\"a\": {json}}}");
        let row: Row<'_> = serde_json::from_str(&text).unwrap();
        ways(row.a).into_iter().map(|way| (way.user, way.port, way.host)).collect()
    }

    #[test]
    fn every_known_shape_is_read() {
        let one = |user: &str, port, host: &str| vec![(user.to_owned(), port, host.to_owned())];
        for (json, expected) in [
            ("\"root@203.0.113.7 -p 22014\"", one("root", 22014, "203.0.113.7")),
            ("\"ubuntu@203.0.113.7\"", one("ubuntu", 22, "203.0.113.7")),
            ("\"ssh root@pod.example -p2201\"", one("root", 2201, "pod.example")),
            ("\"root@203.0.113.7:2222\"", one("root", 2222, "203.0.113.7")),
            ("\"root@[2001:db8::1]:2222\"", one("root", 2222, "2001:db8::1")),
            ("\"root@2001:db8::1\"", one("root", 22, "2001:db8::1")),
            ("[\"root@203.0.113.7 -p 22014\"]", one("root", 22014, "203.0.113.7")),
            ("[null]", vec![]),
            ("null", vec![]),
            ("\"\"", vec![]),
        ] {
            assert_eq!(told(json), expected, "{json}");
        }
        let two = told("[\"root@203.0.113.7 -p 1\", null, \"root@203.0.113.8 -p 2\"]");
        assert_eq!(two.iter().map(|way| way.1).collect::<Vec<_>>(), [1, 2], "one for each machine");
    }

    #[test]
    fn what_is_more_than_an_address_is_none() {
        for json in [
            "\"root@-oProxyCommand=x\"",
            "\"-l@h\"",
            "\"root@h -p 22; rm -rf /\"",
            "\"root@h -oProxyCommand=x\"",
            "\"root@h other\"",
            "\"203.0.113.7\"",
            "\"root@h -p 99999\"",
            "\"root@h -p 0\"",
            "\"root@$(id)\"",
            "{\"host\": \"h\"}",
            "[[\"root@h\"]]",
            "7",
        ] {
            assert!(told(json).is_empty(), "{json}");
        }
    }
}
