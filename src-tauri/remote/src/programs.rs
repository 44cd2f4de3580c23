//! Other programs of the desktop in which a machine can be opened: what to start, with which arguments. The only part
//! that varies is the alias, which is lower case letters, digits and hyphens.

use std::path::Path;

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// Name or path.
    pub program: String,
    /// Arguments, each as it is.
    pub arguments: Vec<String>,
}

impl Start {
    fn new(program: &str, before: &[&str], command: &[String]) -> Self {
        let arguments = before.iter().map(|&word| word.to_owned()).chain(command.iter().cloned()).collect();
        Self { program: program.to_owned(), arguments }
    }
}

/// Terminals of Linux and the arguments they take a command after, in the order they are tried.
const LINUX: [(&str, &[&str]); 12] = [
    ("xdg-terminal-exec", &[]),
    ("x-terminal-emulator", &["-e"]),
    ("gnome-terminal", &["--"]),
    ("ptyxis", &["--"]),
    ("kgx", &["-e"]),
    ("konsole", &["-e"]),
    ("kitty", &[]),
    ("alacritty", &["-e"]),
    ("wezterm", &["start", "--"]),
    ("foot", &[]),
    ("xfce4-terminal", &["-x"]),
    ("xterm", &["-e"]),
];

/// What keeps the window open after ssh: a failure that closes its window at once tells nothing. The command is given
/// to it as arguments and never becomes part of this text.
const STAY: &str = "\"$@\"; code=$?; if [ \"$code\" -ne 0 ]; then printf '\\n[ssh ended with %s; Enter closes]' \"$code\"; read -r _; fi";

/// Ways to open a terminal window that runs `command`, the best first. `script` is the file that macOS is to open; see
/// [`mac_script`].
#[must_use]
pub fn terminals(os: &str, command: &[String], script: &Path) -> Vec<Start> {
    match os {
        "macos" => {
            let script = [script.to_string_lossy().into_owned()];
            vec![Start::new("open", &["-a", "Terminal"], &script)]
        }
        "windows" => vec![
            // A semicolon would part commands of Windows Terminal; there is none in a path it can be given.
            Start::new("wt.exe", &["-w", "0", "new-tab"], command),
            Start::new("conhost.exe", &[], command),
        ]
        .into_iter()
        .filter(|start| start.program != "wt.exe" || !start.arguments.iter().any(|word| word.contains(';')))
        .collect(),
        _ => {
            let stay: Vec<String> = ["sh", "-c", STAY, "ssh"]
                .map(str::to_owned)
                .into_iter()
                .chain(command.iter().cloned())
                .collect();
            LINUX.iter().map(|(program, before)| Start::new(program, before, &stay)).collect()
        }
    }
}

/// The text of a file that the Terminal of macOS opens: no automation permission is asked for.
#[must_use]
pub fn mac_script(command: &[String]) -> String {
    let words: Vec<String> = command.iter().map(|word| crate::say::shell_word(word)).collect();
    format!("#!/bin/sh\nset -- {}\n{STAY}\n", words.join(" "))
}

/// Ways to open a page in the person's browser, the best first; none for anything but an `https` address of printable
/// ASCII, which no program takes for an option or a command.
#[must_use]
pub fn browsers(os: &str, page: &str) -> Vec<Start> {
    let is_page = page.starts_with("https://") && page.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_page {
        return Vec::new();
    }
    let page = [page.to_owned()];
    match os {
        "macos" => vec![Start::new("open", &[], &page)],
        "windows" => vec![Start::new("rundll32.exe", &["url.dll,FileProtocolHandler"], &page)],
        _ => vec![Start::new("xdg-open", &[], &page), Start::new("gio", &["open"], &page)],
    }
}

/// Ways to open the machine in an editor (`vscode`, `cursor`), the best first; none for a name that is not known.
#[must_use]
pub fn editors(os: &str, program: &str, alias: &str) -> Vec<Start> {
    let names: &[&str] = match (program, os) {
        ("vscode", "windows") => &["code.cmd"],
        ("vscode", "macos") => {
            &["code", "/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code"]
        }
        ("vscode", _) => &["code", "codium", "code-insiders"],
        ("cursor", "windows") => &["cursor.cmd"],
        ("cursor", "macos") => &["cursor", "/Applications/Cursor.app/Contents/Resources/app/bin/cursor"],
        ("cursor", _) => &["cursor"],
        _ => &[],
    };
    let remote = format!("ssh-remote+{alias}");
    names.iter().map(|name| Start::new(name, &["--remote", &remote], &[])).collect()
}

/// A command as a person may paste it into a shell.
#[must_use]
pub fn shown(program: &str, arguments: &[String]) -> String {
    let word = |word: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:+=@%,".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word.to_owned()
        } else {
            crate::say::shell_word(word)
        }
    };
    let words: Vec<String> =
        std::iter::once(program).chain(arguments.iter().map(String::as_str)).map(word).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command() -> Vec<String> {
        ["ssh", "-F", "/a b/config", "--", "gpudesk-a"].map(str::to_owned).into()
    }

    #[test]
    fn the_command_stays_a_vector() {
        for start in terminals("linux", &command(), Path::new("/x")) {
            assert!(start.arguments.ends_with(&command()), "{start:?}");
        }
        let windows = terminals("windows", &command(), Path::new("/x"));
        assert_eq!(windows[0].arguments[..3], ["-w", "0", "new-tab"]);
        let odd: Vec<String> = ["ssh", "-F", "C:/a;b/config"].map(str::to_owned).into();
        assert!(terminals("windows", &odd, Path::new("/x")).iter().all(|start| start.program != "wt.exe"));
        assert_eq!(
            terminals("macos", &command(), Path::new("/x.command"))[0].arguments,
            ["-a", "Terminal", "/x.command"]
        );
    }

    #[test]
    fn only_pages_are_opened_in_a_browser() {
        let page = "https://portal.azure.com/#create/x?a=1&b=2";
        for os in ["linux", "macos", "windows"] {
            let first = &browsers(os, page)[0];
            assert_eq!(first.arguments.last().map(String::as_str), Some(page), "as it is: {first:?}");
        }
        for odd in [
            "http://a.example",
            "file:///etc/passwd",
            "-x",
            "https://a.example/\n",
            "https://a b",
            "https://ä",
        ] {
            assert!(browsers("linux", odd).is_empty(), "{odd:?}");
        }
    }

    #[test]
    fn editors_get_the_alias() {
        assert_eq!(
            editors("linux", "vscode", "gpudesk-a")[0].arguments,
            ["--remote", "ssh-remote+gpudesk-a"]
        );
        assert_eq!(editors("linux", "cursor", "gpudesk-a")[0].program, "cursor");
        assert!(editors("linux", "rm", "gpudesk-a").is_empty());
    }

    #[test]
    fn a_shown_command_can_be_pasted() {
        assert_eq!(
            shown("ssh", &["-F".into(), "/a b/c".into(), "it's".into()]),
            r"ssh -F '/a b/c' 'it'\''s'"
        );
    }

    #[cfg(unix)]
    #[test]
    fn what_is_shown_stays_after_a_failure_and_the_code_is_told() {
        let start = &terminals("linux", &["false".to_owned()], Path::new("/x"))[6];
        assert_eq!(start.program, "kitty");
        let (shell, rest) = start.arguments.split_first().unwrap();
        let output =
            std::process::Command::new(shell).args(rest).stdin(std::process::Stdio::null()).output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains("ended with 1"));
    }
}
