//! Blobs, trees and commits that git would never write, and packs of them.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::{Compression, write::ZlibEncoder};
use gix::ObjectId;
use gix::objs::{Kind, Write as _};
use gix::odb::pack::{Bundle, data};

use super::random::Chance;
use super::texts;

const NAMES: [&[u8]; 26] = [
    b"en.json",
    b"cs.json",
    b"de.json",
    b"de-AT.json",
    b"zh_Hant_TW@x.json",
    b"xx-yy-zz-aa-bb.json",
    b".json",
    b"json",
    b"\xff\xfe.json",
    b"..",
    b".",
    b".git",
    b"",
    b"a/b.json",
    b"locales",
    b"EN.json",
    b"cs.UTF-8.json",
    b"source.json",
    b"very-long-code-that-is-none-at-all.json",
    b".mailmap",
    b"x\ny.json",
    b"?&#%41.json",
    b"<b>.json",
    b"units.json",
    "\u{11b}\u{161}.json".as_bytes(),
    "\u{202e}.json".as_bytes(),
];
const MODES: [&[u8]; 10] = [
    b"100644",
    b"100755",
    b"120000",
    b"160000",
    b"40000",
    b"040000",
    b"100664",
    b"0",
    b"777777777777",
    b"",
];
const PEOPLE: [&str; 9] = [
    "Example Maintainer <maintainer@example.org> 1600000000 +0000",
    "Example Maintainer <maintainer@example.org> 1700000000 +0000",
    "<> 0 +0000",
    "No Mail 1600000000 +0000",
    "A <a@example.org> 99999999999999999999 +9999",
    "A <a@example.org> 9223372036854775807 +0000",
    "A <a@example.org> -5 -0000",
    "A <<a>@example.org>> x y",
    "",
];

/// One line of a tree.
struct Row {
    mode: Vec<u8>,
    name: Vec<u8>,
    id: ObjectId,
}

/// A repository that accepts invalid objects.
pub struct Store {
    folder: PathBuf,
    loose: gix::odb::loose::Store,
}

impl Store {
    /// The bare repository in a directory.
    pub fn of(folder: &Path) -> Self {
        let loose = gix::odb::loose::Store::at(folder.join("objects"), gix::hash::Kind::Sha1);
        Self {
            folder: folder.to_owned(),
            loose,
        }
    }

    fn put(&self, kind: Kind, bytes: &[u8]) -> ObjectId {
        // Damage may have replaced the path by something else; then nothing is written.
        let name = |_| gix::objs::compute_hash(gix::hash::Kind::Sha1, kind, bytes).unwrap();
        self.loose.write_buf(kind, bytes).unwrap_or_else(name)
    }

    /// Sets the branch.
    pub fn branch(&self, name: &str, commit: ObjectId) {
        let path = self.folder.join("refs/heads").join(name);
        // Damage may have replaced the path by something else; then the branch does not move.
        let _ = std::fs::create_dir_all(path.parent().unwrap())
            .and_then(|()| std::fs::write(path, format!("{commit}\n")));
    }

    /// The rows of a tree; none where there is no such tree.
    fn rows(&self, tree: ObjectId) -> Vec<Row> {
        let bytes = self.read(tree).unwrap_or_default();
        let rows = gix::objs::TreeRefIter::from_bytes(&bytes, gix::hash::Kind::Sha1)
            .filter_map(Result::ok);
        rows.map(|entry| Row {
            mode: entry.mode.as_bytes(&mut Default::default()).to_vec(),
            name: entry.filename.to_vec(),
            id: entry.oid.to_owned(),
        })
        .collect()
    }

    fn read(&self, id: ObjectId) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        if self.loose.try_find(&id, &mut bytes).ok()?.is_some() {
            return Some(bytes);
        }
        let git = gix::open_opts(&self.folder, gix::open::Options::isolated()).ok()?;
        Some(git.find_object(id).ok()?.data.clone())
    }

    fn put_rows(&self, rows: &[Row]) -> ObjectId {
        let row = |row: &Row| [&*row.mode, b" ", &*row.name, b"\0", row.id.as_slice()].concat();
        let bytes: Vec<u8> = rows.iter().flat_map(row).collect();
        self.put(Kind::Tree, &bytes)
    }

    /// A new directory of files with any names and modes, in any order.
    fn folder(&self, chance: &mut Chance, good: bool) -> ObjectId {
        let mut rows = Vec::new();
        for nth in 0..1 + chance.below(5) {
            let id = self.put(Kind::Blob, &texts::fresh(chance));
            let usual: &[u8] = [&b"cs.json"[..], b"de.json", b"en.json"][nth.min(2)];
            let name = if nth == 0 || good {
                usual
            } else {
                chance.of(&NAMES)
            };
            let mode = if !good && chance.one_in(8) {
                chance.of(&MODES)
            } else {
                b"100644"
            };
            rows.push(Row {
                mode: mode.to_vec(),
                name: name.to_vec(),
                id,
            });
        }
        if good && rows.len() < 3 {
            let file = chance.of(&[
                r#"{"a": "one", "c": {"d": "two"}}"#,
                r#"{"a": {"message": "one"}}"#,
            ]);
            let id = self.put(Kind::Blob, file.as_bytes());
            rows.push(Row {
                mode: b"100644".to_vec(),
                name: b"en.json".to_vec(),
                id,
            });
        }
        self.put_rows(&rows)
    }

    /// A root commit: a directory `locales`, and sometimes a mailmap.
    pub fn fresh(&self, chance: &mut Chance, before: &[ObjectId]) -> ObjectId {
        let good = !chance.one_in(4);
        let id = self.folder(chance, good);
        let mut rows = vec![Row {
            mode: b"40000".to_vec(),
            name: b"locales".to_vec(),
            id,
        }];
        if chance.one_in(6) {
            let id = self.put(Kind::Blob, &texts::fresh(chance));
            rows.insert(
                0,
                Row {
                    mode: b"100644".to_vec(),
                    name: b".mailmap".to_vec(),
                    id,
                },
            );
        }
        let tree = self.put_rows(&rows);
        self.commit(chance, before, tree)
    }

    /// A commit with a changed tree of its parent.
    pub fn changed(&self, chance: &mut Chance, after: ObjectId, before: &[ObjectId]) -> ObjectId {
        let commit = self.read(after).unwrap_or_default();
        let tree = gix::objs::CommitRefIter::from_bytes(&commit, gix::hash::Kind::Sha1).tree_id();
        let tree = tree.unwrap_or_else(|_| ObjectId::empty_tree(gix::hash::Kind::Sha1));
        let tree = self.other_tree(chance, tree, 4);
        self.commit(chance, &[before, &[after]].concat(), tree)
    }

    /// The same tree with some rows or files changed, also below.
    fn other_tree(&self, chance: &mut Chance, tree: ObjectId, deep: usize) -> ObjectId {
        let mut rows = self.rows(tree);
        for _ in 0..1 + chance.below(3) {
            let at = chance.below(rows.len());
            let Some(row) = rows.get_mut(at) else { break };
            match chance.below(12) {
                0 => row.name = chance.of(&NAMES).to_vec(),
                1 => row.mode = chance.of(&MODES).to_vec(),
                2 => row.id = ObjectId::Sha1([chance.byte(); 20]),
                3 => drop(rows.swap_remove(at)),
                4 => {
                    let (mode, id) = (row.mode.clone(), row.id);
                    rows.push(Row {
                        mode,
                        name: chance.of(&NAMES).to_vec(),
                        id,
                    });
                }
                _ if row.mode.starts_with(b"4") && deep > 0 => {
                    row.id = self.other_tree(chance, row.id, deep - 1)
                }
                _ => {
                    let bytes = self.read(row.id).unwrap_or_default();
                    let times = 1 + chance.below(4);
                    row.id = self.put(Kind::Blob, &texts::changed(bytes, times, chance));
                }
            }
        }
        if chance.one_in(20) {
            // A directory cannot contain itself, but the same directory can occur a thousand times.
            for _ in 0..chance.of(&[3, 3, 3, 9]) {
                let id = self.put_rows(&rows);
                let row = |name: &[u8]| Row {
                    mode: b"40000".to_vec(),
                    name: name.to_vec(),
                    id,
                };
                rows = vec![row(b"a"), row(b"b"), row(b"locales")];
            }
        }
        self.put_rows(&rows)
    }

    /// A commit with some of these parents, and with arbitrary lines.
    fn commit(&self, chance: &mut Chance, before: &[ObjectId], tree: ObjectId) -> ObjectId {
        let person = if chance.one_in(2) {
            PEOPLE[0]
        } else {
            chance.of(&PEOPLE)
        };
        let mut text = format!("tree {tree}\n");
        for nth in 0..chance.of(&[1, 1, 1, 1, 2, 3, 0]).min(before.len()) {
            let back = if nth == 0 {
                0
            } else {
                chance.below(before.len().min(4))
            };
            text += &format!("parent {}\n", before[before.len() - 1 - back]);
        }
        if chance.one_in(30) {
            text += &format!("parent {}\n", ObjectId::Sha1([chance.byte(); 20]));
        }
        if !chance.one_in(40) {
            text += &format!("author {person}\n");
        }
        text += &format!("committer {person}\n");
        if chance.one_in(20) {
            text += chance.of(&[
                "encoding no-such-thing\n",
                "encoding UTF-16\n",
                "gpgsig -\n x\n",
                "mergetag \n",
            ]);
        }
        text += chance.of(&[
            "\na change\n",
            "\n",
            "",
            "\nCo-authored-by: B <b@example.org>\n\n\u{1b}[31m\0",
            "\n\n\n",
        ]);
        let mut bytes = text.into_bytes();
        if chance.one_in(25) {
            let at = chance.below(bytes.len());
            bytes[at] = chance.byte();
        }
        self.put(Kind::Commit, &bytes)
    }

    /// Packs all loose objects, some of them as deltas.
    pub fn pack(&self, chance: &mut Chance) {
        let single: Vec<ObjectId> = self.loose.iter().collect::<Result<_, _>>().unwrap();
        let mut pack = data::header::encode(data::Version::V2, single.len() as u32).to_vec();
        let mut before: Option<(Kind, usize, usize)> = None;
        for id in &single {
            let mut bytes = Vec::new();
            let kind = self.loose.try_find(id, &mut bytes).unwrap().unwrap().kind;
            let size = bytes.len();
            let offset = pack.len();
            let header = match before {
                Some((of, base, base_size)) if of == kind && chance.one_in(2) => {
                    bytes = delta(base_size, &bytes);
                    data::entry::Header::OfsDelta {
                        base_distance: (offset - base) as u64,
                    }
                }
                _ => header(kind),
            };
            header.write_to(bytes.len() as u64, &mut pack).unwrap();
            let mut deflated = ZlibEncoder::new(&mut pack, Compression::fast());
            deflated.write_all(&bytes).unwrap();
            deflated.finish().unwrap();
            before = Some((kind, offset, size));
        }
        let mut hash = gix::hash::hasher(gix::hash::Kind::Sha1);
        hash.update(&pack);
        pack.extend_from_slice(hash.try_finalize().unwrap().as_slice());
        let folder = self.folder.join("objects/pack");
        let taken = Bundle::write_to_directory(
            &mut &*pack,
            Some(&folder),
            &mut gix::progress::Discard,
            &false.into(),
            None::<gix::odb::Handle>,
            gix::hash::Kind::Sha1,
            gix::odb::pack::bundle::write::Options {
                thread_limit: Some(1),
                ..Default::default()
            },
        )
        .unwrap();
        taken
            .keep_path
            .map(std::fs::remove_file)
            .transpose()
            .unwrap();
        for id in &single {
            std::fs::remove_file(self.loose.object_path(id)).unwrap();
        }
    }
}

fn header(kind: Kind) -> data::entry::Header {
    match kind {
        Kind::Commit => data::entry::Header::Commit,
        Kind::Tree => data::entry::Header::Tree,
        Kind::Blob => data::entry::Header::Blob,
        Kind::Tag => data::entry::Header::Tag,
    }
}

/// A delta that copies nothing from its base.
fn delta(base: usize, bytes: &[u8]) -> Vec<u8> {
    let mut delta = Vec::new();
    for mut size in [base, bytes.len()] {
        while size > 0x7f {
            delta.push(size as u8 | 0x80);
            size >>= 7;
        }
        delta.push(size as u8);
    }
    for piece in bytes.chunks(0x7f) {
        delta.push(piece.len() as u8);
        delta.extend_from_slice(piece);
    }
    delta
}
