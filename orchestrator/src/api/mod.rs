//! The REST and WebSocket API, and the dashboard.
