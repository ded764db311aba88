//! Threads with a low priority, for long computations whose progress no client watches.

use tokio::runtime::{Builder, Runtime};
use tokio::task::{JoinHandle, spawn_blocking};

/// Increase of the threads' niceness. If processors are scarce, such a thread gets a tenth of the processor time
/// of other threads.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Pool of threads with a low priority. If the system does not support priorities, the threads have the usual
/// priority.
pub struct Background(Option<Runtime>);

impl Background {
    /// Creates a pool of at most `threads` threads, but at least one. A thread is started when a function needs it.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let mut threads_of_it = Builder::new_current_thread();
        threads_of_it.thread_name("background").max_blocking_threads(threads.max(1)).on_thread_start(give_way);
        Self(threads_of_it.build().ok())
    }

    /// Executes a blocking function on a thread of the pool.
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
            // The pool may be dropped by an asynchronous task, which must not block. The threads are therefore not
            // awaited.
            runtime.shutdown_background();
        }
    }
}

fn give_way() {
    // On Linux, this changes the priority of the calling thread, not of the process. If the change is refused, the
    // thread keeps its priority.
    #[cfg(target_os = "linux")]
    if let Ok(usual) = rustix::process::getpriority_process(None) {
        let _ = rustix::process::setpriority_process(None, usual + NICENESS);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    /// The maximum niceness in the operating system.
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
