//! The calls to providers: the right one, with the machine's own key, given again until it is taken.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use gpudesk_core::rental::{OnExpiry, UserDataKind};

use super::super::{BoxLease, Method, script, state, user_data};
use super::machine::{Machine, after, lease};

fn ends(method: Method, action: OnExpiry) -> BoxLease {
    BoxLease { deadline: Some(after(5)), ..lease(method, action) }
}

#[test]
fn each_cloud_is_asked_in_its_own_words_with_the_machines_own_key() {
    let cases = [
        (
            Method::Vast,
            OnExpiry::Stop,
            "-X PUT",
            "-d {\"state\":\"stopped\"}",
            "https://console.vast.ai/api/v0/instances/4242/",
            "box-key-vast",
        ),
        (
            Method::Vast,
            OnExpiry::End,
            "-X DELETE",
            "",
            "https://console.vast.ai/api/v0/instances/4242/",
            "box-key-vast",
        ),
        (
            Method::RunPod,
            OnExpiry::Stop,
            "-X POST",
            "-d {\"action\":\"stop\"}",
            "https://api.runpod.io/v2/pods/abc123/action",
            "rpa_box-key",
        ),
        (
            Method::RunPod,
            OnExpiry::End,
            "-X DELETE",
            "",
            "https://api.runpod.io/v2/pods/abc123",
            "rpa_box-key",
        ),
    ];
    for (method, action, verb, body, address, key) in cases {
        let machine = Machine::new(0);
        machine.arm(&ends(method, action));
        machine.run(7);
        assert_eq!(machine.calls_at(), [5]);
        let calls = machine.read("calls");
        let (arguments, given) = calls.split_once('\n').unwrap();
        assert!(
            arguments.contains(verb) && arguments.contains(body) && arguments.contains(address),
            "{calls}"
        );
        assert_eq!(given.trim(), format!("header = \"Authorization: Bearer {key}\""));
        assert!(!arguments.contains(key), "no key where every process can read it");
        let log = machine.log();
        assert!(log.contains("taken: http-200") && !log.contains(key), "{log}");
    }
}

#[test]
fn an_order_that_is_not_taken_is_given_again_until_it_is() {
    let machine = Machine::new(0);
    machine.write("answers", "0 500 {}\n7 000\n0 200 {\"success\": false, \"error\": \"x\"}\n0 429 {}\n0 200 {\"success\": true}\n");
    machine.arm(&ends(Method::Vast, OnExpiry::Stop));
    machine.run(25);
    let calls = machine.calls_at();
    assert_eq!(calls[0], 5, "{calls:?}");
    assert!(calls.windows(2).all(|pair| pair[1] > pair[0]), "{calls:?}");
    let log = machine.log();
    for word in [
        "http-500; try 1",
        "curl-7+wget-4+python3-1; try 2",
        "refused; try 3",
        "http-429; try 4",
        "taken: http-200",
    ] {
        assert!(log.contains(word), "{word}: {log}");
    }
}

#[test]
fn a_machine_that_still_runs_long_after_its_end_is_ended_again() {
    let machine = Machine::new(0);
    machine.arm(&ends(Method::PowerOff, OnExpiry::Stop));
    machine.run(16);
    assert_eq!(machine.calls_at(), [5, 15]);
    assert!(machine.read("calls").contains("poweroff -f"), "harder the second time");
}

#[test]
fn missing_certificates_are_looked_for_and_never_gone_without() {
    let machine = Machine::new(0);
    std::fs::create_dir_all(machine.path("opt/conda/ssl")).unwrap();
    machine.write("opt/conda/ssl/cacert.pem", "certificates\n");
    machine.write("answers", "60 000\n0 200 {}\n");
    machine.arm(&ends(Method::RunPod, OnExpiry::Stop));
    machine.run(6);
    let calls = machine.read("calls");
    assert!(calls.contains("--cacert") && calls.contains("opt/conda/ssl/cacert.pem"), "{calls}");
    assert!(!calls.contains(" -k ") && !calls.contains("--insecure"));
    assert!(machine.log().contains("does not trust the certificate"), "{}", machine.log());

    let bare = Machine::new(0);
    bare.write("answers", &"60 000\n".repeat(40));
    bare.program("bin/wget", "exit 5");
    bare.arm(&ends(Method::Vast, OnExpiry::Stop));
    bare.run(9);
    assert!(bare.log().contains("not taken"), "{}", bare.log());
}

#[test]
fn a_pod_whose_key_one_interface_refuses_tries_the_others() {
    let machine = Machine::new(0);
    machine.write("answers", "0 403 {}\n0 401 {}\n");
    machine.program("bin/runpodctl", "echo \"at $(date +%s): runpodctl $*\" >>\"$GPUDESK_ROOT/calls\"");
    machine.arm(&ends(Method::RunPod, OnExpiry::Stop));
    machine.run(7);
    let calls = machine.read("calls");
    assert!(calls.contains("https://rest.runpod.io/v1/pods/abc123/stop"), "{calls}");
    assert!(calls.contains("runpodctl pod stop abc123"), "{calls}");
    assert!(machine.log().contains("taken: runpodctl"), "{}", machine.log());
}

#[test]
fn a_machine_without_its_key_says_which_is_missing() {
    let machine = Machine::new(0);
    machine.write("proc/1/environ", "PATH=/bin\0CONTAINER_ID=4242\0CONTAINER_API_KEY=a b\"c\0");
    let armed = state::armed(&machine.arm(&ends(Method::Vast, OnExpiry::Stop))).unwrap();
    assert_eq!(
        armed.unable.as_deref(),
        Some("no-CONTAINER_API_KEY"),
        "told when it is armed, not at the end"
    );
    machine.run(7);
    assert_eq!(machine.read("calls"), "");
    assert!(machine.log().contains("no-CONTAINER_API_KEY"), "{}", machine.log());
}

#[test]
fn the_few_lines_for_a_short_first_boot_keep_the_deadline() {
    for (method, action) in [(Method::Vast, OnExpiry::Stop), (Method::RunPod, OnExpiry::End)] {
        let machine = Machine::new(0);
        let text = user_data(&ends(method, action), UserDataKind::Script, Some(4048)).unwrap();
        let root = machine.folder.path().display();
        let text = text
            .replace("/proc/1/", &format!("{root}/proc/1/"))
            .replace("/var/lib/", &format!("{root}/var/lib/"));
        assert!(Command::new("mkfifo").arg(machine.path("ended")).status().unwrap().success());
        machine.script(&text, 6);
        machine.shell(0).arg("-c").arg("timeout 60 cat ended").output().unwrap();
        let calls = machine.read("calls");
        assert_eq!(machine.calls_at().first(), Some(&5), "{calls}");
        let wanted = match method {
            Method::Vast => ["-X PUT", "/api/v0/instances/4242/", "Bearer box-key-vast"],
            _ => ["-X DELETE", "/v2/pods/abc123", "Bearer rpa_box-key"],
        };
        assert!(wanted.iter().all(|word| calls.contains(word)), "{calls}");
    }
}

#[test]
fn what_an_end_needs_is_looked_for_when_it_is_armed() {
    let machine = Machine::new(0);
    for method in [Method::Vast, Method::RunPod, Method::PowerOff] {
        let armed = state::armed(&machine.arm(&ends(method, OnExpiry::Stop))).unwrap();
        assert_eq!(armed.unable, None, "{method:?}");
    }
    std::fs::remove_file(machine.path("sbin/poweroff")).unwrap();
    let armed = state::armed(&machine.arm(&ends(Method::PowerOff, OnExpiry::Stop))).unwrap();
    assert_eq!(armed.unable.as_deref(), Some("no-poweroff"));
    let looked = state::looked(&machine.script(&script::look(), 0)).unwrap();
    assert_eq!(looked.unable.as_deref(), Some("no-poweroff"));
    assert_eq!(machine.read("calls"), "", "looked for, not tried");
}

/// Answers one request and gives what it said.
fn one_request(listener: &TcpListener) -> String {
    let (mut stream, _) = listener.accept().unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
    let (mut said, mut bytes) = (String::new(), [0; 4096]);
    while !said.contains("\r\n\r\n{") {
        let count = stream.read(&mut bytes).unwrap();
        assert!(count > 0, "{said}");
        said.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    stream
        .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 17\r\nConnection: close\r\n\r\n{\"success\": true}")
        .unwrap();
    said
}

#[test]
fn every_program_that_can_ask_really_sends_the_key() {
    for tool in ["curl", "wget", "python3"] {
        let Some(real) = ["/usr/bin", "/bin", "/usr/local/bin"]
            .iter()
            .map(|folder| Path::new(folder).join(tool))
            .find(|path| path.exists())
        else {
            println!("skipped, needs {tool}");
            continue;
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let base = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
        let machine = Machine::new(0);
        // A program that only fails is as good as none: the next one is tried.
        machine.program("bin/curl", "exit 1");
        std::fs::remove_file(machine.path(&format!("bin/{tool}"))).unwrap();
        std::os::unix::fs::symlink(real, machine.path(&format!("bin/{tool}"))).unwrap();
        machine.arm(&BoxLease { base: Some(base), ..ends(Method::Vast, OnExpiry::Stop) });
        let asked = std::thread::spawn(move || one_request(&listener));
        machine.run(7);
        assert!(machine.log().contains("taken: http-200"), "{tool}: {}", machine.log());
        let said = asked.join().unwrap();
        assert!(said.starts_with("PUT /api/v0/instances/4242/ HTTP/1.1"), "{tool}: {said}");
        assert!(said.contains("Authorization: Bearer box-key-vast\r\n"), "{tool}: {said}");
        assert!(said.ends_with("{\"state\":\"stopped\"}"), "{tool}: {said}");
    }
}
