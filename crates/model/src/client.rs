//! Which client an address counts as.

use std::net::{IpAddr, Ipv6Addr};

/// The address that a client counts as in limits: with IPv6 its /64 network, all of which one client may have. The
/// loopback address is a client of its own in both protocols.
pub fn limit_address(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into()
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_counts_as_one_client() {
        for (address, wanted) in [
            ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8:0:1:2:3:4:5", "2001:db8:0:1::"),
            ("::2", "::"),
            ("::1", "::1"),
            ("127.0.0.1", "127.0.0.1"),
        ] {
            let counted = limit_address(address.parse().unwrap());
            assert_eq!(counted.to_string(), wanted, "{address}");
        }
    }
}
