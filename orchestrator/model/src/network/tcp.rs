//! Faults of TCP connections, on the links of services.

use serde::{Deserialize, Serialize};

use crate::byte_count::ByteCount;
use crate::event::stream;
use crate::field_error::FieldError;
use crate::span::Span;

/// Faults of the TCP connections on a link. Each fault concerns the direction from the sender to the receiver of the
/// link. A fault that ends a connection ends both directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TcpFaults {
    /// Number of bytes that the link carries in a second. All connections of the link share it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bandwidth: Option<ByteCount>,
    /// Maximum number of bytes that are sent at once: longer data is cut into slices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice: Option<ByteCount>,
    /// Time between two slices of a connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slice_pause: Option<Span>,
    /// Number of bytes after which a connection is closed, counted from the moment at which this fault begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<ByteCount>,
    /// Time by which the end of a connection (`FIN`) comes later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slow_close: Option<Span>,
    /// Time after which a connection is reset (`RST` at both ends), from its opening or the beginning of this fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset: Option<Span>,
    /// Time during which nothing passes, and after which a connection is closed, from its opening or the beginning of
    /// this fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Span>,
    /// Whether connections are refused.
    #[serde(default, skip_serializing_if = "is_off")]
    pub refuse: bool,
    /// Whether connections are accepted, and do not reach the service.
    #[serde(default, skip_serializing_if = "is_off")]
    pub hang: bool,
    /// Whether connections are refused, and open connections are closed.
    #[serde(default, skip_serializing_if = "is_off")]
    pub down: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_off(flag: &bool) -> bool {
    !*flag
}

impl TcpFaults {
    /// Returns whether a message of the kind `kind` waits until these faults end.
    #[must_use]
    pub fn stop(&self, kind: &str) -> bool {
        self.timeout.is_some() || (self.hang && kind == stream::SYN)
    }

    /// Returns whether these faults concern the opening of connections.
    #[must_use]
    pub const fn concern_openings(&self) -> bool {
        self.refuse || self.hang || self.down
    }

    /// Returns the errors of these faults at `pointer`.
    #[must_use]
    pub fn errors(&self, pointer: &str) -> Option<FieldError> {
        let refuse = |field: &str, detail: &str| Some(FieldError::new(format!("{pointer}/{field}"), detail));
        let Self { bandwidth, slice, slice_pause, refuse: refuses, hang, down, .. } = self;
        if *bandwidth == Some(ByteCount(0)) {
            return refuse("bandwidth", "a link that carries nothing is `hold: true`; write at least 1 byte a second");
        }
        if *slice == Some(ByteCount(0)) {
            return refuse("slice", "a slice has at least 1 byte");
        }
        if slice_pause.is_some() && slice.is_none() {
            return refuse(
                "slice_pause",
                "without slices there is nothing to pause between; write `slice: 64` as well",
            );
        }
        if *hang && (*refuses || *down) {
            return refuse("hang", "a connection that is refused cannot hang; remove one of these fields");
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(faults: serde_json::Value) -> TcpFaults {
        serde_json::from_value(faults).expect("faults")
    }

    #[test]
    fn faults_are_written_as_they_are_read() {
        let all = json!({
            "bandwidth": 100_000, "slice": 64, "slice_pause": 1.0, "limit": 10, "slow_close": 2_000.0, "reset": 0.0,
            "timeout": 5_000.0, "refuse": true, "hang": true, "down": true,
        });
        assert_eq!(serde_json::to_value(read(all.clone())).expect("JSON"), all);
        assert_eq!(serde_json::to_value(TcpFaults::default()).expect("JSON"), json!({}));
        assert_eq!(read(json!({ "bandwidth": "100kB", "reset": "5s" })).reset, Some(Span(5_000_000)));
    }

    #[test]
    fn impossible_faults_are_refused_at_their_field() {
        for (faults, field) in [
            (json!({ "bandwidth": 0 }), "/tcp/bandwidth"),
            (json!({ "slice": 0 }), "/tcp/slice"),
            (json!({ "slice_pause": "1ms" }), "/tcp/slice_pause"),
            (json!({ "hang": true, "refuse": true }), "/tcp/hang"),
            (json!({ "hang": true, "down": true }), "/tcp/hang"),
        ] {
            let error = read(faults.clone()).errors("/tcp").expect("an error");
            assert_eq!(error.pointer, field, "{faults}");
        }
        for faults in
            [json!({ "limit": 0 }), json!({ "slice": 1, "slice_pause": 1 }), json!({ "refuse": true, "down": true })]
        {
            assert_eq!(read(faults.clone()).errors("/tcp"), None, "{faults}");
        }
    }

    #[test]
    fn a_connection_that_hangs_is_stopped_at_its_opening() {
        let stopped =
            |faults: serde_json::Value| [stream::SYN, stream::DATA].map(|kind| read(faults.clone()).stop(kind));
        assert_eq!(stopped(json!({ "hang": true })), [true, false]);
        assert_eq!(stopped(json!({ "timeout": "1s" })), [true, true]);
        assert_eq!(stopped(json!({ "bandwidth": 1, "reset": 0 })), [false, false]);
    }
}
