//! Processes: spawned, watched, paused, killed and awaited; none is ever left behind.
