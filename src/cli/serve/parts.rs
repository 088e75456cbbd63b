//! The parts of the server that several of its users share.

use std::sync::Arc;

use super::late::HookDispatcher;
use crate::api::Streams;
use crate::cli::service::FollowService;
use crate::cli::service_manager::ServiceManager;
use crate::config::{ProxyAddress, Settings};
use crate::health::Readiness;
use crate::revisions::Revisions;
use crate::scan::{ScanLimits, Scans};
use crate::server::{self, Connections};

/// The parts that endpoints, the follow thread and reloads share.
pub(in crate::cli) struct ServerParts {
    pub readiness: Arc<Readiness>,
    pub connections: Connections,
    pub streams: Streams,
    pub scans: Scans,
    pub revisions: Arc<Revisions>,
    pub(super) dispatcher: Arc<HookDispatcher>,
    pub(super) manager: Arc<ServiceManager>,
}

impl ServerParts {
    pub(super) fn new(service: &FollowService) -> Self {
        let settings = &service.config.settings;
        let connections = connections(settings);
        let sources = service.sources.clone();
        let open = Box::new(move |component| sources.repository(component).ok());
        let revision_cache = settings.revision_cache_size.bytes();
        Self {
            readiness: Arc::new(Readiness::new()),
            // Event streams are long-lived: half of the connections stay available for other requests.
            streams: Streams::new(connections.limit() / 2),
            connections,
            scans: scans(settings),
            revisions: Arc::new(Revisions::new(open, revision_cache)),
            dispatcher: Arc::default(),
            manager: Arc::default(),
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
    let connections = Connections::new(server::raise_nofile_limit(settings.max_connections));
    let Some(limit) = settings.max_connections_per_client else {
        return connections;
    };
    let proxies = settings.trusted_proxies.iter().flatten();
    connections.with_limit_per_client(limit, proxies.map(ProxyAddress::network).collect())
}
