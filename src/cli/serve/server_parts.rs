//! The parts of the server that several of its users share.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use super::loop_connection::LoopConnection;
use crate::cli::file_triggers::RejectedReloads;
use crate::cli::follow_setup::FollowSetup;
use crate::cli::service_manager::ServiceManager;
use crate::config::{ProxyAddress, Settings};
use gitglot_api::Streams;
use gitglot_api::health::Readiness;
use gitglot_catalog::scan::{ScanLimits, Scans};
use gitglot_revisions::Revisions;
use gitglot_server::Connections;
use gitglot_watch::DirWatcher;

/// The networks of connections from the same machine.
const LOOPBACK: [IpNet; 2] = [
    IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::new(127, 0, 0, 0), 8)),
    IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128)),
];

/// The parts that endpoints, the follow thread and reloads share.
pub(super) struct ServerParts {
    pub readiness: Arc<Readiness>,
    pub connections: Connections,
    pub streams: Streams,
    pub scans: Scans,
    pub revisions: Arc<Revisions>,
    pub(super) loop_connection: Arc<LoopConnection>,
    pub(super) manager: Arc<ServiceManager>,
    /// The other files than the configuration whose newest version was rejected.
    pub rejected: RejectedReloads,
    /// Watches local repositories and the files of settings.
    pub(super) watcher: DirWatcher,
}

impl ServerParts {
    pub(super) fn new(setup: &FollowSetup) -> Self {
        let settings = &setup.config.settings;
        let connections = connections(settings);
        let sources = setup.sources.clone();
        let open = Box::new(move |component| sources.repository(component).ok());
        let revision_cache = settings.revision_cache_size.bytes();
        Self {
            readiness: Arc::new(Readiness::default()),
            // Event streams are long-lived: half of the connections stay available for other requests.
            streams: Streams::new(connections.limit() / 2),
            connections,
            scans: scans(settings),
            revisions: Arc::new(Revisions::new(open, revision_cache)),
            loop_connection: Arc::default(),
            manager: Arc::default(),
            rejected: RejectedReloads::default(),
            watcher: DirWatcher::default(),
        }
    }
}

/// The scheduler of scans with its limits.
fn scans(settings: &Settings) -> Scans {
    Scans::new(ScanLimits {
        rows: settings.max_scan_rows.get().into(),
        time: settings.max_scan_time.duration(),
        ..ScanLimits::default()
    })
}

/// The connection slots.
fn connections(settings: &Settings) -> Connections {
    let most = gitglot_server::raise_nofile_limit(settings.max_connections);
    let connections = Connections::new(most);
    let limit = client_limit(settings.max_connections_per_client, connections.limit());
    let proxies = settings.trusted_proxies.iter().flatten();
    connections.with_limit_per_client(limit, exempt(proxies.map(ProxyAddress::network)))
}

/// The maximum number of connections of one client. Without a setting, a quarter of all.
fn client_limit(setting: Option<NonZeroU32>, all: usize) -> NonZeroU32 {
    let quarter = u32::try_from(all.div_ceil(4)).ok();
    let quarter = quarter.and_then(NonZeroU32::new);
    setting.or(quarter).unwrap_or(NonZeroU32::MAX)
}

/// The clients without a limit: trusted proxies, and this machine, because a proxy on it need not be configured.
fn exempt(proxies: impl Iterator<Item = IpNet>) -> Vec<IpNet> {
    LOOPBACK.into_iter().chain(proxies).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_cannot_use_all_connections() {
        let limit = |setting, all| client_limit(NonZeroU32::new(setting), all).get();
        assert_eq!((limit(0, 1000), limit(0, 3), limit(0, 1)), (250, 1, 1));
        assert_eq!((limit(7, 1000), limit(2000, 1000)), (7, 2000));
    }

    #[test]
    fn this_machine_and_proxies_can_use_all_connections() {
        let exempt = exempt(["10.0.0.0/8".parse().unwrap()].into_iter());
        let is_exempt = |address: &str| {
            let address: std::net::IpAddr = address.parse().unwrap();
            exempt.iter().any(|network| network.contains(&address))
        };
        for address in ["127.0.0.1", "127.9.9.9", "::1", "10.1.2.3"] {
            assert!(is_exempt(address), "{address}");
        }
        for address in ["192.0.2.1", "128.0.0.1", "::2", "11.0.0.1"] {
            assert!(!is_exempt(address), "{address}");
        }
    }
}
