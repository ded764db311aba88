//! A run: its processes, its network, its events, and everything that can be done to it.
