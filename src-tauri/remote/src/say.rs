//! What OpenSSH says, in our words. It has no codes for its failures, so its sentences are read; they have stood in
//! its source for many years.

use crate::SshError;

/// Longest message kept.
const LIMIT: usize = 400;

/// What the client's standard error means when it ended with 255.
#[must_use]
pub fn failure(err: &str) -> SshError {
    let says = |part: &str| err.contains(part);
    if says("REMOTE HOST IDENTIFICATION HAS CHANGED")
        || says("Host key verification failed")
        || says("you have requested strict checking")
    {
        return SshError::HostKeyChanged { known: String::new(), found: shown_key(err).unwrap_or_default() };
    }
    if says("Bad configuration option")
        || says("bad configuration options")
        || says("Bad owner or permissions on")
    {
        return SshError::Here(last_words(err));
    }
    if says("Permission denied") || says("Too many authentication failures") || says("no mutual signature") {
        return SshError::Denied(last_words(err));
    }
    SshError::Silent(last_words(err))
}

/// The fingerprint of the last host key that the client's own account (`-v`) names: the machine's, behind those of jump
/// hosts.
pub(crate) fn server_key(err: &str) -> Option<String> {
    let named = |line: &'_ str| line.trim().strip_prefix("debug1: Server host key: ").map(str::to_owned);
    let key = err.lines().rev().find_map(named)?;
    let word = key.split_ascii_whitespace().nth(1)?;
    word.starts_with("SHA256:").then(|| word.to_owned())
}

/// The fingerprint in OpenSSH's warning of a changed key.
fn shown_key(err: &str) -> Option<String> {
    let (_, rest) = err.split_once("sent by the remote host is")?;
    let word = rest.split_ascii_whitespace().next()?.trim_end_matches('.');
    word.starts_with("SHA256:").then(|| word.to_owned())
}

/// The last lines with something in them, on one line, without control characters, shortened.
#[must_use]
pub fn last_words(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| line.chars().filter(|c| !c.is_control()).collect::<String>().trim().to_owned())
        .filter(|line| {
            !line.is_empty()
                && !line.starts_with("debug1:")
                && !line.starts_with("Warning: Permanently added")
        })
        .collect();
    let tail = lines.get(lines.len().saturating_sub(2)..).unwrap_or_default().join("; ");
    if tail.is_empty() { "it said nothing".to_owned() } else { tail.chars().take(LIMIT).collect() }
}

/// Beginnings of the lines that the client itself writes when a connection ends. In a terminal they stand between
/// whatever the machine printed last (`ssh.c`, `clientloop.c`, `packet.c`, `sshconnect.c` of OpenSSH).
const CLIENT: [&str; 18] = [
    "ssh: ",
    "ssh_",
    "kex_exchange_identification: ",
    "banner exchange: ",
    "client_loop: ",
    "packet_write_",
    "Connection to ",
    "Connection closed by ",
    "Connection reset by ",
    "Connection timed out",
    "Read from remote host ",
    "Received disconnect from ",
    "Disconnected from ",
    "Disconnecting ",
    "Timeout, server ",
    "Host key verification failed",
    "Bad owner or permissions on ",
    "Too many authentication failures",
];

/// What of a terminal's text the client said itself: a screen full of a machine's words is no reason for an end.
#[must_use]
pub fn of_client(screen: &str) -> String {
    let mut warning = false;
    let said = screen
        .lines()
        .map(|line| line.trim_matches(|c: char| c.is_control() || c.is_whitespace()))
        .filter(|line| {
            // The warning of a changed key has many lines; it begins with a frame and ends with the verdict.
            warning |= line.contains("REMOTE HOST IDENTIFICATION HAS CHANGED");
            warning
                || CLIENT.iter().any(|beginning| line.starts_with(beginning))
                || line.contains(": Permission denied (")
                || line.contains("onfiguration option")
        });
    said.collect::<Vec<_>>().join("\n")
}

/// Text of a machine as one POSIX shell word: nothing in it means anything to a shell.
#[must_use]
pub fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sentences_of_openssh_are_told_apart() {
        let denied = "root@127.0.0.1: Permission denied (publickey).\r\n";
        assert_eq!(
            failure(denied),
            SshError::Denied("root@127.0.0.1: Permission denied (publickey).".into())
        );
        let refused = "ssh: connect to host 127.0.0.1 port 9: Connection refused\r\n";
        assert!(matches!(failure(refused), SshError::Silent(words) if words.ends_with("Connection refused")));
        let changed = "@@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nThe fingerprint for the ED25519 key \
            sent by the remote host is\nSHA256:abc.\nPlease contact your system administrator.\nHost key verification failed.\r\n";
        assert_eq!(
            failure(changed),
            SshError::HostKeyChanged { known: String::new(), found: "SHA256:abc".into() }
        );
        let banner = "Connection timed out during banner exchange\r\n";
        assert!(matches!(failure(banner), SshError::Silent(_)));
        let option = "/x/config: line 3: Bad configuration option: frob\r\n/x/config: terminating, 1 bad configuration options\r\n";
        assert!(matches!(failure(option), SshError::Here(_)));
    }

    #[test]
    fn what_a_machine_says_has_no_control_characters() {
        assert_eq!(last_words("\u{1b}[31mred\u{7}\n\n"), "[31mred");
        assert_eq!(last_words(""), "it said nothing");
        assert_eq!(last_words(&"x".repeat(9000)).len(), LIMIT);
    }

    #[test]
    fn the_last_words_of_a_terminal_are_the_clients_own() {
        let screen = "step 41/100 loss 0.3\r\nbash: ./x: Permission denied\r\nroot@gpu:~# \r\n\
            Connection to 127.0.0.1 closed by remote host.\r\nConnection to 127.0.0.1 closed.\r\n";
        assert_eq!(
            failure(&of_client(screen)),
            SshError::Silent(
                "Connection to 127.0.0.1 closed by remote host.; Connection to 127.0.0.1 closed.".into()
            )
        );
        assert_eq!(failure(&of_client("root@gpu:~# ")), SshError::Silent("it said nothing".into()));
        let denied = "root@127.0.0.1: Permission denied (publickey).\r\n";
        assert!(matches!(failure(&of_client(denied)), SshError::Denied(_)));
        let changed = "@@@\r\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\nThe fingerprint for the ED25519 \
            key sent by the remote host is\r\nSHA256:abc.\r\nHost key verification failed.\r\n";
        assert_eq!(
            failure(&of_client(changed)),
            SshError::HostKeyChanged { known: String::new(), found: "SHA256:abc".into() }
        );
        let option = "/x/config: line 3: Bad configuration option: frob\r\n";
        assert!(matches!(failure(&of_client(option)), SshError::Here(_)));
    }

    #[cfg(unix)]
    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_shell_gives_a_word_back_as_it_was(text in "[^\0\r]{0,60}") {
            let script = format!("printf %s {}", shell_word(&text));
            let output = std::process::Command::new("sh").arg("-c").arg(script).output().unwrap();
            prop_assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
        }
    }
}
