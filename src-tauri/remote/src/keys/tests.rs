use super::*;

async fn keygen(path: &Path, arguments: &[&str]) -> bool {
    let made = Command::new("ssh-keygen")
        .args(["-q", "-C", "me@here", "-f"])
        .arg(path)
        .args(arguments)
        .output()
        .await;
    made.is_ok_and(|output| output.status.success())
}

#[tokio::test]
async fn keys_are_listed_with_what_is_wrong_with_them() {
    let home = tempfile::tempdir().unwrap();
    let ssh = home.path().join("mine");
    fs::create_dir(&ssh).unwrap();
    let files = Files::new(home.path());
    if !keygen(&ssh.join("id_rsa"), &["-t", "rsa", "-b", "2048", "-N", ""]).await {
        println!("skipped, needs ssh-keygen");
        return;
    }
    assert!(keygen(&ssh.join("id_ed25519"), &["-t", "ed25519", "-N", ""]).await);
    assert!(keygen(&ssh.join("locked"), &["-t", "ed25519", "-N", "secret"]).await);
    assert!(keygen(&ssh.join("small"), &["-t", "rsa", "-b", "1024", "-N", ""]).await);
    assert!(keygen(&ssh.join("alone"), &["-t", "ecdsa", "-N", ""]).await);
    fs::remove_file(ssh.join("alone")).unwrap();
    fs::write(ssh.join("noise.pub"), "not a key\n").unwrap();

    let keys = list(&files, &ssh).await;
    let problem = |name: &str| {
        let key = keys.iter().find(|key| key.title.ends_with(name)).unwrap_or_else(|| panic!("{name}"));
        key.problem.clone()
    };
    assert!(keys[0].title.ends_with("id_ed25519.pub"), "{keys:?}");
    assert_eq!(keys[0].identity.as_deref(), Some(&*ssh.join("id_ed25519")));
    assert_eq!(keys[1].kind, "ssh-rsa");
    assert_eq!(problem("id_rsa.pub"), None);
    assert!(problem("locked.pub").unwrap().contains("passphrase"));
    assert!(problem("small.pub").unwrap().contains("2048"));
    assert!(problem("alone.pub").unwrap().contains("private half"));
    assert!(!keys.iter().any(|key| key.title.ends_with("noise.pub")));

    let chosen = take(&files, &ssh, &keys[0].id).await.unwrap();
    assert!(
        chosen.line.starts_with("ssh-ed25519 AAAA") && chosen.line.ends_with(" me@here"),
        "{:?}",
        chosen.line
    );
    assert_eq!(of_file(&files, &ssh.join("id_ed25519")).await.unwrap(), chosen);
    let locked = keys.iter().find(|key| key.title.ends_with("locked.pub")).unwrap();
    assert!(matches!(take(&files, &ssh, &locked.id).await, Err(SshError::Here(_))));
}

#[tokio::test]
async fn the_desks_own_key_is_made_once() {
    let home = tempfile::tempdir().unwrap();
    let files = Files::new(home.path());
    let Ok(first) = own(&files).await else {
        println!("skipped, needs ssh-keygen");
        return;
    };
    assert!(first.line.starts_with("ssh-ed25519 ") && first.line.ends_with(" gpudesk"));
    assert_eq!(own(&files).await.unwrap(), first);
    assert_eq!(why_unusable(&first.identity), None);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&first.identity).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn certificates_and_hardware_keys_are_named() {
    let body = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";
    let problem = |kind: &str| parse(&format!("{kind} {body} me\r\n")).unwrap().problem;
    assert_eq!(problem("ssh-ed25519"), None);
    assert!(problem("ssh-ed25519-cert-v01@openssh.com").unwrap().contains("certificate"));
    assert!(problem("sk-ssh-ed25519@openssh.com").unwrap().contains("touch"));
    assert!(problem("ssh-dss").unwrap().contains("DSA"));
    assert!(problem("ssh-new").unwrap().contains("ssh-new"));
    assert_eq!(parse("ssh-ed25519"), None);
    assert_eq!(parse(&format!("ssh-ed25519 {body}\nssh-ed25519 {body}")), None);
}
