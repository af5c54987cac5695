//! Files that are torn, foreign, newer or in use.

mod common;

use common::learnt;
use metagame::Archive;
use proptest::prelude::*;
use redb::{Database, ReadableDatabase, TableDefinition};
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};
use store::{Keeper, SetAside, Store, StoreError};

/// Opens a file that must be set aside, and uses the store that takes its place.
fn set_aside(path: &Path) -> SetAside {
    let (store, aside) = Store::open(path).unwrap();
    let aside = aside.expect("it is set aside");
    assert!(store.keep_learnt(1, &learnt(5, 3)).unwrap());
    assert_eq!(store.learnt(1).unwrap().unwrap().games, 3);
    aside
}

fn filled(path: &Path) -> Vec<u8> {
    let (store, _) = Store::open(path).unwrap();
    for game in 0..4 {
        store.keep_learnt(game, &learnt(2000, 90)).unwrap();
    }
    drop(store);
    std::fs::read(path).unwrap()
}

#[test]
fn foreign_files_are_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.store");
    for (number, text) in ["no store at all", "{\"plans\": []}\n"].iter().enumerate() {
        std::fs::write(&path, text.repeat(1000)).unwrap();
        let aside = set_aside(&path);
        let now = std::fs::read_to_string(&aside.to).unwrap();
        assert_eq!(now, text.repeat(1000));
        let name = format!("games.store.aside-{}", number + 1);
        assert_eq!(aside.to, folder.path().join(name));
        assert!(matches!(aside.why, StoreError::Foreign), "{aside}");
        assert!(
            aside.to_string().contains("a new store is begun"),
            "{aside}"
        );
    }
    // A database of another program.
    std::fs::remove_file(&path).unwrap();
    let other = Database::create(&path).unwrap();
    let write = other.begin_write().unwrap();
    let table: TableDefinition<'_, &str, u64> = TableDefinition::new("prices");
    write.open_table(table).unwrap().insert("x", 1).unwrap();
    write.commit().unwrap();
    drop(other);
    let aside = set_aside(&path);
    assert!(matches!(aside.why, StoreError::Foreign));
    let other = Database::open(&aside.to).unwrap();
    let read = other.begin_read().unwrap();
    let price = read.open_table(table).unwrap().get("x").unwrap();
    assert_eq!(price.map(|price| price.value()), Some(1));
}

#[test]
fn files_of_other_versions_are_set_aside() {
    for version in [1, 99] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.store");
        filled(&path);
        let other = Database::open(&path).unwrap();
        let write = other.begin_write().unwrap();
        let table: TableDefinition<'_, &str, u64> = TableDefinition::new("about");
        let mut about = write.open_table(table).unwrap();
        about.insert("version", version).unwrap();
        drop(about);
        write.commit().unwrap();
        drop(other);
        let error = Store::existing(&path).unwrap_err();
        assert!(
            matches!(error, StoreError::Version { found, .. } if found == version),
            "{error}"
        );
        let aside = set_aside(&path).to_string();
        assert!(aside.contains(&format!("version {version}")), "{aside}");
    }
}

#[test]
fn folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(
        Store::open(folder.path()),
        Err(StoreError::Folder)
    ));
    assert!(matches!(
        Store::existing(folder.path()),
        Err(StoreError::Folder)
    ));
    assert!(Store::existing(&folder.path().join("none")).is_err());
}

#[test]
fn a_file_in_use_is_waited_for_and_then_done_without() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.store");
    filled(&path);
    // Another process that keeps the file for itself.
    let other = Database::open(&path).unwrap();
    let (store, aside) = Store::open(&path).unwrap();
    assert!(aside.is_none());
    assert!(matches!(store.learnt(1), Err(StoreError::Busy)));
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = told.clone();
    let keeper = Keeper::new(
        store,
        Arc::new(move |text| heard.lock().unwrap().push(text.to_owned())),
    );
    assert!(keeper.learnt(1).is_none());
    keeper.keep_learnt(1, learnt(2000, 91));
    drop(keeper);
    let told = told.lock().unwrap();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told.iter().all(|text| text.contains("another process")),
        "{told:?}"
    );
    drop(other);
    let (store, _) = Store::open(&path).unwrap();
    assert_eq!(store.learnt(1).unwrap().unwrap().games, 90);
}

#[test]
fn two_users_at_once_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.store");
    std::thread::scope(|scope| {
        for user in 0..2u64 {
            let path = &path;
            scope.spawn(move || {
                let (store, _) = Store::open(path).unwrap();
                for game in 0..4 {
                    let learnt = learnt(6, 1 + game);
                    // The other one may have it for longer than one waits where a disk is slow.
                    while store.keep_learnt(10 * user + game, &learnt).is_err() {}
                }
            });
        }
    });
    let (store, aside) = Store::open(&path).unwrap();
    assert!(aside.is_none());
    assert_eq!(store.list().unwrap().len(), 8);
}

/// The bytes of a store.
static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    filled(&folder.path().join("games.store"))
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Whatever happens to the bytes, the store can be opened and used, and what it gives out was
    /// put in.
    #[test]
    fn damage_never_stops_anything(
        cut in proptest::option::of(0usize..1 << 17),
        hits in proptest::collection::vec((0usize..1 << 17, any::<u8>()), 0..20),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.store");
        let mut bytes = SOUND.clone();
        for (at, by) in hits {
            let at = at % bytes.len();
            bytes[at] ^= by;
        }
        bytes.truncate(cut.unwrap_or(usize::MAX));
        std::fs::write(&path, bytes).unwrap();
        let (store, _) = Store::open(&path).unwrap();
        for game in 0..4 {
            if let Ok(Some(found)) = store.learnt(game) {
                prop_assert_eq!(found.games, 90);
            }
        }
        prop_assert!(store.keep_learnt(99, &learnt(5, 3)).unwrap());
        prop_assert_eq!(store.learnt(99).unwrap().unwrap().games, 3);
    }
}
