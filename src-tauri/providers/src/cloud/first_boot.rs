//! The document for the first boot where a cloud has no other way to let a key in.

/// A cloud-init document that lets `public_key` in as `user`, followed by what somebody else wants to run: a script
/// (it begins with `#!`) or a cloud-init document of its own.
pub(crate) fn admitting(user: &str, public_key: &str, theirs: &str) -> String {
    // Both come from us, and still neither may end a line of the document.
    let line = |text: &str| serde_json::Value::from(text.trim()).to_string();
    let sudo =
        if user == "root" { "" } else { "    sudo: \"ALL=(ALL) NOPASSWD:ALL\"\n    shell: /bin/bash\n" };
    let ours = format!(
        "#cloud-config\ndisable_root: false\nusers:\n  - default\n  - name: {}\n{sudo}    ssh_authorized_keys:\n      - {}\n",
        line(user),
        line(public_key),
    );
    if theirs.trim().is_empty() {
        return ours;
    }
    let kind = if theirs.starts_with("#!") { "text/x-shellscript" } else { "text/cloud-config" };
    let part =
        |kind: &str, text: &str| format!("--{BOUNDARY}\nContent-Type: {kind}; charset=\"utf-8\"\n\n{text}\n");
    format!(
        "Content-Type: multipart/mixed; boundary=\"{BOUNDARY}\"\nMIME-Version: 1.0\n\n{}{}--{BOUNDARY}--\n",
        part("text/cloud-config", &ours),
        part(kind, theirs),
    )
}

const BOUNDARY: &str = "==gpudesk==";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_let_in_and_stays_one_line() {
        let text = admitting("root", "ssh-ed25519 AAAA anna@desk\n", "");
        assert!(text.starts_with("#cloud-config\n"));
        assert!(text.ends_with("      - \"ssh-ed25519 AAAA anna@desk\"\n"), "{text}");
        let hostile = admitting("root", "ssh-ed25519 AAAA x\nruncmd: [evil]", "");
        assert_eq!(hostile.lines().count(), text.lines().count(), "{hostile}");
        assert!(admitting("ubuntu", "k", "").contains("NOPASSWD"));
    }

    #[test]
    fn what_else_shall_run_is_a_part_of_its_own() {
        let text = admitting("root", "ssh-ed25519 AAAA", "#!/bin/sh\ntrue\n");
        assert!(text.starts_with("Content-Type: multipart/mixed"));
        assert!(text.contains("text/x-shellscript") && text.contains("#!/bin/sh\ntrue\n"));
        assert!(admitting("root", "k", "#cloud-config\n").matches("text/cloud-config").count() == 2);
    }
}
