//! The contract of every store.

use super::*;

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
        assert_eq!(store.get("batches/1").unwrap(), None);
        assert_eq!(store.list("batches").unwrap(), Vec::new());
        assert_eq!(
            store.create("batches/1", b"one").unwrap(),
            Creation::Created
        );
        assert_eq!(store.create("batches/1", b"two").unwrap(), Creation::Exists);
        assert_eq!(store.get("batches/1").unwrap().unwrap(), b"one");
        store.put("batches/1", b"three").unwrap();
        store.put("other/deep/1", b"").unwrap();
        assert_eq!(store.get("batches/1").unwrap().unwrap(), b"three");
        let listed = store.list("batches").unwrap();
        assert_eq!(
            (listed.len(), &*listed[0].name, listed[0].size),
            (1, "batches/1", 5)
        );
        assert_eq!(store.list("other").unwrap()[0].name, "other/deep/1");
        store.delete("batches/1").unwrap();
        store.delete("batches/1").unwrap();
        assert_eq!(store.get("batches/1").unwrap(), None);
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
            assert_eq!(store.get(&name).unwrap().unwrap(), [won[0].0; 1000]);
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
    store.set_failing(true);
    assert!(metered.get("a").is_err());
    let counts: Vec<_> = counters
        .operations()
        .map(|(name, all, failed, _)| (name, all, failed))
        .collect();
    assert_eq!(counts[..2], [("get", 1, 1), ("create", 1, 0)]);
}
