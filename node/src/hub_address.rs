//! The address of the hub in the URL that an initialization contains.

use std::net::SocketAddr;

/// Returns the address of a hub with this URL, and the part of `url` after the address, without a slash at its end.
/// Returns `None` if `url` is not of the form `http://ADDRESS:PORT/PATH`.
pub fn hub_address(url: &str) -> Option<(SocketAddr, &str)> {
    let rest = url.strip_prefix("http://")?;
    let (address, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    Some((address.parse().ok()?, path.trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_consists_of_an_address_and_a_path() {
        let address = "127.0.0.1:80".parse().expect("an address");
        for (url, expected) in [
            ("http://127.0.0.1:80/runs/1/nodes/2", Some("/runs/1/nodes/2")),
            ("http://127.0.0.1:80/", Some("")),
            ("http://127.0.0.1:80", Some("")),
            ("https://127.0.0.1:80/runs", None),
            ("http://127.0.0.1/runs", None),
            ("http://localhost:80/runs", None),
            ("127.0.0.1:80", None),
        ] {
            assert_eq!(hub_address(url), expected.map(|path| (address, path)), "{url}");
        }
    }
}
