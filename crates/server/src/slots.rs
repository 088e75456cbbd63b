//! The slots of connections: how many can be open, in total and per client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use ipnet::IpNet;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use gitglot_model::limit_address;

const QUEUE_LENGTH: usize = 128;

/// The connection slots of a server. Clones share the slots.
#[derive(Debug, Clone)]
pub struct Connections {
    pub(super) permits: Arc<Semaphore>,
    limit: usize,
    clients: Option<Arc<Clients>>,
}

#[derive(Debug)]
struct Clients {
    limit: u32,
    /// Networks without a limit.
    exempt: Vec<IpNet>,
    open: Mutex<HashMap<IpAddr, u32>>,
}

/// The slot of one connection, released on drop.
#[derive(Debug)]
pub(super) struct Slot {
    _permit: OwnedSemaphorePermit,
    _client: ClientSlot,
}

/// One of the connections of a client, released on drop.
#[derive(Debug)]
pub(super) struct ClientSlot(Option<(Arc<Clients>, IpAddr)>);

impl Connections {
    /// Allows `limit` connections at the same time.
    #[must_use]
    pub fn new(limit: NonZeroUsize) -> Self {
        let limit = limit.get().min(Semaphore::MAX_PERMITS);
        Self {
            permits: Arc::new(Semaphore::new(limit)),
            limit,
            clients: None,
        }
    }

    /// Allows one client `limit` of the connections, except clients in the `exempt` networks. A network of IPv6 with a
    /// prefix of 64 bits counts as one client.
    #[must_use]
    pub fn with_limit_per_client(self, limit: NonZeroU32, exempt: Vec<IpNet>) -> Self {
        let clients = Clients {
            limit: limit.get(),
            exempt,
            open: Mutex::default(),
        };
        Self {
            clients: Some(Arc::new(clients)),
            ..self
        }
    }

    /// The number of open connections.
    #[must_use]
    pub fn open(&self) -> usize {
        self.limit.saturating_sub(self.permits.available_permits())
    }

    /// The maximum number of open connections.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The maximum number of connections that wait for a slot, and of those that are refused at the same time.
    pub(super) fn queue_length(&self) -> usize {
        self.limit.div_ceil(2).min(QUEUE_LENGTH)
    }

    /// Counts a connection of a client; `None` if it has its maximum already.
    pub(super) fn client(&self, address: IpAddr) -> Option<ClientSlot> {
        let Some(clients) = &self.clients else {
            return Some(ClientSlot(None));
        };
        let address = limit_address(address);
        let exempt = clients.exempt.iter();
        if exempt.clone().any(|network| network.contains(&address)) {
            return Some(ClientSlot(None));
        }
        let mut open = clients.open.lock();
        let count = open.entry(address).or_default();
        if *count >= clients.limit {
            return None;
        }
        *count += 1;
        Some(ClientSlot(Some((clients.clone(), address))))
    }

    /// A slot for a connection of a client, if one is free.
    pub(super) fn try_slot(&self, client: ClientSlot) -> Result<Slot, ClientSlot> {
        match self.permits.clone().try_acquire_owned() {
            Ok(permit) => Ok(Slot {
                _permit: permit,
                _client: client,
            }),
            Err(_) => Err(client),
        }
    }

    /// A slot for a connection of a client, as soon as one is free; `None` during shutdown.
    pub(super) async fn slot(&self, client: ClientSlot) -> Option<Slot> {
        let permit = self.permits.clone().acquire_owned().await.ok()?;
        Some(Slot {
            _permit: permit,
            _client: client,
        })
    }
}

impl Drop for ClientSlot {
    fn drop(&mut self) {
        let Some((clients, address)) = &self.0 else {
            return;
        };
        let mut open = clients.open.lock();
        match open.get_mut(address) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(open.remove(address)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_client_has_its_share_and_gets_it_back() {
        let connections = Connections::new(NonZeroUsize::new(10).unwrap()).with_limit_per_client(
            NonZeroU32::new(2).unwrap(),
            vec!["10.0.0.0/8".parse().unwrap()],
        );
        let one = address("192.0.2.1");
        let (first, second) = (connections.client(one), connections.client(one));
        assert!(first.is_some() && second.is_some());
        assert!(connections.client(one).is_none());
        assert!(connections.client(address("::ffff:192.0.2.1")).is_none());
        assert!(connections.client(address("192.0.2.2")).is_some());
        drop(first);
        let slot = connections
            .try_slot(connections.client(one).unwrap())
            .unwrap();
        assert!(connections.client(one).is_none());
        assert_eq!(connections.open(), 1);
        drop((slot, second));
        assert_eq!(connections.open(), 0);
        assert!(connections.clients.as_ref().unwrap().open.lock().is_empty());

        let proxy: Vec<_> = (0..5)
            .map(|_| connections.client(address("10.1.2.3")))
            .collect();
        assert!(proxy.iter().all(Option::is_some));
        let network: Vec<_> = (1..=2)
            .map(|host| connections.client(address(&format!("2001:db8::{host}"))))
            .collect();
        assert!(network.iter().all(Option::is_some));
        assert!(connections.client(address("2001:db8::3")).is_none());
        assert!(connections.client(address("2001:db8:0:1::3")).is_some());
    }

    #[test]
    fn few_connections_have_a_short_queue() {
        let queue = |limit| Connections::new(NonZeroUsize::new(limit).unwrap()).queue_length();
        assert_eq!((queue(16), queue(1000)), (8, 128));
    }
}
