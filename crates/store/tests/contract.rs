//! The contract of every store.

#![allow(clippy::unwrap_used, reason = "a failed precondition fails the test")]

use std::sync::Arc;

use gitglot_store::*;
use gitglot_testkit::{Faults, MemoryStore, make_pipe};
use std::fs::OpenOptions;

fn stores() -> (tempfile::TempDir, Vec<Arc<dyn ObjectStore>>) {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("file://{}/a%20store", folder.path().display());
    let stores = vec![
        Arc::new(MemoryStore::default()) as _,
        open(&address).unwrap(),
    ];
    (folder, stores)
}

#[test]
fn objects_are_created_once_and_read_as_written() {
    let (_folder, stores) = stores();
    for store in stores {
        assert_eq!(store.get("batches/1", 10).unwrap(), None);
        assert_eq!(store.list("batches").unwrap(), Vec::new());
        assert_eq!(
            store.create("batches/1", b"one").unwrap(),
            Creation::Created
        );
        assert_eq!(store.create("batches/1", b"two").unwrap(), Creation::Exists);
        assert_eq!(store.get("batches/1", 10).unwrap().unwrap(), b"one");
        store.put("batches/1", b"three").unwrap();
        store.put("other/deep/1", b"").unwrap();
        assert_eq!(store.get("batches/1", 10).unwrap().unwrap(), b"three");
        let listed = store.list("batches").unwrap();
        assert_eq!(
            (listed.len(), &*listed[0].name, listed[0].size),
            (1, "batches/1", 5)
        );
        assert_eq!(store.list("other").unwrap()[0].name, "other/deep/1");
        store.delete("batches/1").unwrap();
        store.delete("batches/1").unwrap();
        assert_eq!(store.get("batches/1", 10).unwrap(), None);
    }
}

#[test]
fn one_of_many_racing_creations_wins() {
    let (_folder, stores) = stores();
    for store in stores {
        for round in 0..20 {
            let name = format!("batches/{round}");
            let results: Vec<_> = std::thread::scope(|scope| {
                let create = |writer: u8| {
                    let (store, name) = (&store, &name);
                    scope.spawn(move || (writer, store.create(name, &[writer; 1000]).unwrap()))
                };
                let threads: Vec<_> = (0..4).map(create).collect();
                threads.into_iter().map(|it| it.join().unwrap()).collect()
            });
            let won: Vec<_> = results
                .iter()
                .filter(|(_, result)| *result == Creation::Created)
                .collect();
            assert_eq!(won.len(), 1);
            assert_eq!(store.get(&name, 1000).unwrap().unwrap(), [won[0].0; 1000]);
        }
        assert_eq!(store.list("batches").unwrap().len(), 20);
    }
}

#[test]
fn invalid_addresses_are_refused_with_a_hint() {
    for address in ["bucket", "ftp://host/dir", "file://relative", "file:"] {
        let error = open(address).unwrap_err().to_string();
        assert!(error.contains("s3://"), "{error}");
    }
    #[cfg(not(feature = "object-store"))]
    assert!(
        open("s3://bucket/prefix")
            .unwrap_err()
            .to_string()
            .contains("--features object-store")
    );
}

#[test]
fn requests_are_counted() {
    let (store, counters) = (
        Arc::new(MemoryStore::default()),
        Arc::<StoreCounters>::default(),
    );
    let metered = MeteredStore::new(store.clone(), counters.clone());
    metered.create("a", b"").unwrap();
    store.set(Faults {
        failing: true,
        ..Faults::default()
    });
    assert!(metered.get("a", 10).is_err());
    let counts: Vec<_> = counters
        .operations()
        .map(|requests| (requests.operation, requests.all, requests.failed))
        .collect();
    assert_eq!(counts[..2], [("get", 1, 1), ("create", 1, 0)]);
}

#[test]
fn an_object_that_is_larger_than_allowed_is_refused() {
    let (_folder, stores) = stores();
    for store in stores {
        store.create("batches/1", b"three").unwrap();
        assert_eq!(store.get("batches/1", 5).unwrap().unwrap(), b"three");
        let error = store.get("batches/1", 4).unwrap_err().to_string();
        assert!(error.contains("larger than 4 bytes"), "{error}");
    }
}

#[test]
fn names_after_a_name_are_listed_in_order_and_in_parts() {
    let (_folder, stores) = stores();
    for store in stores {
        assert_eq!(store.list_after("batches", "batches/0").unwrap(), [""; 0]);
        for number in (0..10).rev() {
            store.create(&format!("batches/{number}"), b"").unwrap();
        }
        store.create("other/11", b"").unwrap();
        let (mut listed, mut after) = (Vec::new(), "batches/2".to_owned());
        while let Some(last) = store.list_after("batches", &after).unwrap().last() {
            listed.extend(store.list_after("batches", &after).unwrap());
            after.clone_from(last);
        }
        assert_eq!(
            listed,
            [3, 4, 5, 6, 7, 8, 9].map(|it| format!("batches/{it}"))
        );
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_an_object_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = DirectoryStore::new(folder.path().to_owned());
    store.create("batches/1", b"one").unwrap();
    make_pipe(&folder.path().join("batches/2"));
    let error = store.get("batches/2", 10).unwrap_err().to_string();
    assert!(error.contains("not a regular file"), "{error}");
    assert_eq!(store.create("batches/2", b"").unwrap(), Creation::Exists);
    let listed = store.list_after("batches", "batches/1").unwrap();
    assert_eq!(listed, ["batches/2"], "it is not a missing object");
}

#[cfg(unix)]
#[test]
fn pipes_sockets_devices_and_directories_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let [pipe, socket, device] = ["pipe", "socket", "device"].map(|name| folder.path().join(name));
    make_pipe(&pipe);
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &device).unwrap();
    for path in [&pipe, &socket, &device] {
        let error = read_regular(path, 10).unwrap_err();
        assert_eq!(error.to_string(), "it is not a regular file", "{path:?}");
        let mut writing = OpenOptions::new();
        let error = open_regular(writing.write(true).create(true), path).unwrap_err();
        assert_eq!(error.to_string(), "it is not a regular file", "{path:?}");
    }
    assert!(read_regular(folder.path(), 10).is_err());
}
