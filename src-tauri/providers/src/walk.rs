//! Walks over the places of a cloud, a few at a time.

use std::future::Future;

use futures::stream::{self, StreamExt, TryStreamExt};

/// What each of these told, in their order. It ends with the first that fails: no further one is begun, and those under
/// way are dropped. For lists that are worth nothing where a part is missing.
///
/// # Errors
/// That of the first to fail.
pub(crate) async fn all<T, E>(
    walks: impl IntoIterator<Item = impl Future<Output = Result<T, E>>>,
    at_once: usize,
) -> Result<Vec<T>, E> {
    // Futures, and not what makes them, are held across the wait.
    let numbered: Vec<_> = walks
        .into_iter()
        .enumerate()
        .map(|(at, walk)| async move { walk.await.map(|told| (at, told)) })
        .collect();
    let mut told: Vec<(usize, T)> = stream::iter(numbered).buffer_unordered(at_once).try_collect().await?;
    told.sort_unstable_by_key(|(at, _)| *at);
    Ok(told.into_iter().map(|(_, told)| told).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[tokio::test]
    async fn the_order_is_that_of_the_places_and_the_first_failure_ends_it() {
        let begun = Mutex::new(Vec::new());
        let walk = |at: u32, silent: bool, result: Result<u32, &'static str>| {
            let begun = &begun;
            async move {
                begun.lock().unwrap().push(at);
                // Later places may be done before earlier ones.
                for _ in 0..(10 - at) {
                    tokio::task::yield_now().await;
                }
                if silent {
                    std::future::pending::<()>().await;
                }
                result
            }
        };
        assert_eq!(all((0..5).map(|at| walk(at, false, Ok(at))), 3).await, Ok(vec![0, 1, 2, 3, 4]));
        begun.lock().unwrap().clear();
        let walks = (0..9).map(|at| walk(at, at == 0, if at == 1 { Err("busy") } else { Ok(at) }));
        assert_eq!(all(walks, 2).await, Err("busy"), "though the first place never answers");
        assert_eq!(*begun.lock().unwrap(), [0, 1]);
    }
}
