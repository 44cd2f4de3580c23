use super::*;
use proptest::prelude::*;
use tempfile::TempDir;

struct Person {
    home: TempDir,
    user: UserConfig,
}

impl Person {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let files = Files::new(&home.path().join("data dir"));
        let user = UserConfig::new(home.path().join(".ssh"), &files);
        Self { home, user }
    }

    fn with(text: impl AsRef<[u8]>) -> Self {
        let person = Self::new();
        fs::create_dir(&person.user.folder).unwrap();
        fs::write(person.user.path(), text).unwrap();
        #[cfg(unix)]
        person.mode(0o644);
        person
    }

    #[cfg(unix)]
    fn mode(&self, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(self.user.path(), fs::Permissions::from_mode(mode)).unwrap();
    }

    fn text(&self) -> Vec<u8> {
        fs::read(self.user.path()).unwrap()
    }

    fn there(&self) -> bool {
        self.user.look().unwrap().there
    }
}

#[test]
fn nothing_at_all_becomes_a_private_folder_with_one_line() {
    let person = Person::new();
    let state = person.user.look().unwrap();
    assert_eq!((state.there, state.problem), (false, None));
    let state = person.user.add().unwrap();
    assert!(state.there);
    assert_eq!(person.text(), format!("{}\n", state.line).as_bytes());
    assert!(state.line.contains("data dir/ssh/config\""), "{}", state.line);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&person.user.folder), mode(&person.user.path())), (0o700, 0o600));
    }
    assert!(!person.user.remove().unwrap().there);
    assert_eq!(person.text(), b"");
}

#[test]
fn the_line_is_found_as_openssh_would_find_it() {
    let person = Person::with("");
    let ours = person.user.ours.display().to_string();
    let quoted_line = person.user.line().unwrap();
    let cases = [
        (format!("{quoted_line}\n"), true),
        // Without a line end, in other case, with `=`, behind comments and other includes.
        (quoted_line.clone(), true),
        (format!("# mine\n\ninclude = \"{ours}\"\r\n"), true),
        (format!("Include other\nIgnoreUnknown X\n  INCLUDE\t\"{ours}\"\nHost a\n"), true),
        ("Include \"~/data dir/ssh/config\"\n".to_owned(), true),
        (format!("Include other \"{ours}\"\n"), true),
        // A comment, another file, inside a block, behind values that win.
        (format!("# {quoted_line}\n"), false),
        (format!("Include \"{ours}.old\"\n"), false),
        (format!("Host a\n    {quoted_line}\n"), false),
        (format!("Match all\n{quoted_line}\n"), false),
        (format!("User me\n{quoted_line}\n"), false),
        (format!("Host *\n    User me\n\n{quoted_line}\n"), false),
    ];
    for (text, there) in cases {
        fs::write(person.user.path(), &text).unwrap();
        assert_eq!(person.there(), there, "{text}");
    }
    let late = format!("Host *\n    User me\n{quoted_line}\n");
    fs::write(person.user.path(), &late).unwrap();
    assert!(person.user.look().unwrap().problem.unwrap().contains("Host *"));
    assert!(person.user.add().unwrap().there);
    assert!(!person.user.remove().unwrap().there);
    assert_eq!(person.text(), late.as_bytes());
}

#[test]
fn line_ends_are_kept_and_a_byte_order_mark_is_not_touched() {
    let person = Person::with("Host a\r\n    User b\r\n");
    person.user.add().unwrap();
    assert!(person.text().ends_with(b"\"\r\nHost a\r\n    User b\r\n"));
    let marked = b"\xef\xbb\xbfHost a\n";
    fs::write(person.user.path(), marked).unwrap();
    assert!(matches!(person.user.add(), Err(SshError::Here(why)) if why.contains("byte order mark")));
    assert_eq!(person.text(), marked);
}

#[cfg(unix)]
#[test]
fn links_modes_and_read_only_files_are_respected() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let person = Person::new();
    fs::create_dir(&person.user.folder).unwrap();
    let dotfile = person.home.path().join("dotfile");
    fs::write(&dotfile, "Host a\n").unwrap();
    fs::set_permissions(&dotfile, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&dotfile, person.user.path()).unwrap();
    person.user.add().unwrap();
    assert!(fs::symlink_metadata(person.user.path()).unwrap().is_symlink());
    assert!(fs::read_to_string(&dotfile).unwrap().ends_with("Host a\n"));
    assert_eq!(fs::metadata(&dotfile).unwrap().permissions().mode() & 0o777, 0o640);
    person.user.remove().unwrap();

    person.mode(0o444);
    assert!(person.user.look().unwrap().problem.unwrap().contains("read-only"));
    assert!(matches!(person.user.add(), Err(SshError::Here(why)) if why.contains("Include ")));
    person.mode(0o666);
    assert!(person.user.look().unwrap().problem.unwrap().contains("666"));
    assert_eq!(person.text(), b"Host a\n");
}

#[test]
fn twice_is_once() {
    let person = Person::with("Host a\n");
    person.user.add().unwrap();
    let once = person.text();
    person.user.add().unwrap();
    assert_eq!(person.text(), once);
}

#[test]
fn the_persons_own_hosts_are_known_through_includes() {
    let person = Person::with("Host work gpudesk-a\nInclude conf.d/*.conf\nHost *\n");
    let folder = person.user.folder.join("conf.d");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("x.conf"), "Host gpudesk-b\nInclude config\n").unwrap();
    fs::write(folder.join("x.txt"), "Host not-read\n").unwrap();
    let hosts = person.user.hosts();
    assert!(
        ["work", "gpudesk-a", "gpudesk-b"].iter().all(|host| hosts.iter().any(|h| h == host)),
        "{hosts:?}"
    );
    assert!(!hosts.iter().any(|host| host == "not-read"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn adding_and_removing_gives_the_same_bytes(
        lines in prop::collection::vec(
            prop::sample::select(vec!["", "# x", "Host a", "    User b", "Include c", "Match all", "\t", "\u{fffd}\u{0}"]), 0..8),
        crlf in any::<bool>(),
        last in any::<bool>(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let mut text = lines.join(end);
        if last { text.push_str(end); }
        let person = Person::with(&text);
        prop_assert!(person.user.add().unwrap().there);
        prop_assert!(!person.user.remove().unwrap().there);
        prop_assert_eq!(person.text(), text.as_bytes());
    }
}
