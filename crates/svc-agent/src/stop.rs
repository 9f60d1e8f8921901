//! Waiting for the end of the program.

use tokio::sync::watch;

/// Waits until `stop` is set; forever if the sender is dropped.
pub(crate) async fn wait_for_stop(stop: &watch::Receiver<bool>) {
    let mut stop = stop.clone();
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}
