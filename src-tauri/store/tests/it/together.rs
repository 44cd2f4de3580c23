//! Several users of one file, as the window and the command line are.

use gpudesk_store::{Replaced, Store};

use crate::support::{answer, desk, fetched, many};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_new_file_opened_by_many_at_once_is_made_once() {
    // Which of them meet in which step of the making is chance: many rounds, so that each pair of steps comes up.
    for _ in 0..30 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gpudesk.db");
        let opening: Vec<_> = (0..8)
            .map(|n| {
                let path = path.clone();
                tokio::spawn(async move {
                    let store = Store::open(&path).await?;
                    store.set_setting(&format!("key {n}"), "1").await.map(|()| store)
                })
            })
            .collect();
        let mut last = None;
        for store in opening {
            last = Some(store.await.unwrap().unwrap());
        }
        for n in 0..8 {
            assert!(last.as_ref().unwrap().setting(&format!("key {n}")).await.unwrap().is_some());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_same_feed_refreshed_by_many_at_once_is_stored_once() {
    let desk = desk().await;
    let refreshing: Vec<_> = (0..6)
        .map(|_| {
            let path = desk.path();
            tokio::spawn(async move {
                let store = Store::open(&path).await.unwrap();
                let list = fetched("vast", 0, many(3_000));
                store.replace(&answer(&list)).await.unwrap()
            })
        })
        .collect();
    let mut added = Vec::new();
    for done in refreshing {
        added.push(done.await.unwrap());
    }
    added.sort_by_key(|done| done.added);
    let (first, others) = added.split_last().unwrap();
    assert_eq!((first.added, first.rows_written), (3_000, 3_000));
    assert_eq!(others, [Replaced::default(); 5]);
    assert_eq!(desk.ids("vast").await.len(), 3_000);
    assert_eq!(desk.history("a00000").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_load_sees_one_state_whatever_is_written_meanwhile() {
    let desk = desk().await;
    desk.replace(&fetched("vast", 0, many(3_000))).await.unwrap();
    let other = Store::open(&desk.path()).await.unwrap();
    let (started, start) = std::sync::mpsc::channel();
    let (written, write) = std::sync::mpsc::channel::<()>();
    let writing = tokio::spawn(async move {
        tokio::task::spawn_blocking(move || start.recv().unwrap()).await.unwrap();
        let list = fetched("vast", 5, many(2_000));
        other.replace(&answer(&list)).await.unwrap();
        written.send(()).unwrap();
    });
    let mut seen = 0;
    let loading = desk.store.load(|_, _, _| {
        seen += 1;
        if seen == 10 {
            // The other one has replaced the whole list before the next page is read.
            started.send(()).unwrap();
            tokio::task::block_in_place(|| write.recv().unwrap());
        }
    });
    loading.await.unwrap();
    writing.await.unwrap();
    assert_eq!(seen, 3_000);
    assert_eq!(desk.ids("vast").await.len(), 2_000);
}
