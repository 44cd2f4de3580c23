//! The TypeScript of every command and event is what the api crate generates.

use std::path::Path;

#[test]
fn bindings_are_fresh() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/lib/host/bindings.ts");
    let generated = gpudesk_api::bindings::typescript();
    if std::env::var_os("UPDATE_BINDINGS").is_some() {
        std::fs::write(&file, &generated).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap();
    let differs = committed.lines().zip(generated.lines()).position(|(a, b)| a != b);
    assert!(
        committed == generated,
        "{} is stale from line {:?} on: run `make bindings` and commit the result",
        file.display(),
        differs.map(|line| line + 1)
    );
}
