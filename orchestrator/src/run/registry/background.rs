//! Threads that give way to all others: for what may take long, and nobody watches as it comes.

use tokio::runtime::{Builder, Runtime};
use tokio::task::{JoinHandle, spawn_blocking};

/// How much they give way, as `nice` counts it: they have a tenth of what others get, where processors are wanted.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Threads that give way to all others. Where there is no such thing they are as others are.
pub struct Background(Option<Runtime>);

impl Background {
    /// At most so many threads, 1 or more; they are started when there is something to do.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let mut threads_of_it = Builder::new_current_thread();
        threads_of_it.thread_name("background").max_blocking_threads(threads.max(1)).on_thread_start(give_way);
        Self(threads_of_it.build().ok())
    }

    /// Does something that blocks.
    pub fn spawn<T: Send + 'static>(&self, action: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
        match &self.0 {
            Some(runtime) => runtime.spawn_blocking(action),
            None => spawn_blocking(action),
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // Whoever drops it may be a task, which must not wait.
            runtime.shutdown_background();
        }
    }
}

fn give_way() {
    // On Linux this is of the thread that says it, and not of the process. One that may not, works as others do.
    #[cfg(target_os = "linux")]
    if let Ok(usual) = rustix::process::getpriority_process(None) {
        let _ = rustix::process::setpriority_process(None, usual + NICENESS);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    /// Nobody can give way more.
    const MOST: i32 = 19;

    fn niceness() -> i32 {
        getpriority_process(None).expect("a priority")
    }

    #[tokio::test]
    async fn what_is_done_in_it_gives_way_and_nothing_else_does() {
        let before = niceness();
        let background = Background::new(2);
        let within = background.spawn(niceness).await.expect("it is done");
        assert_eq!(within, (before + NICENESS).min(MOST));
        assert_eq!(niceness(), before);
        assert_eq!(spawn_blocking(niceness).await.expect("it is done"), before);
    }
}
