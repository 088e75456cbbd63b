//! Damages files: truncates, overwrites, empties and deletes them, and writes unusual values into git's own files.

use std::path::{Path, PathBuf};

use super::random::Chance;

/// Contents for references, packed references and shallow boundaries.
const WORDS: [&[u8]; 14] = [
    b"",
    b"\n",
    b"ref: refs/heads/main\n",
    b"ref: refs/heads/gone\n",
    b"ref: HEAD\n",
    b"ref: ../../../etc/hostname\n",
    b"ref: \xff\xfe\n",
    b"ref:",
    b"0000000000000000000000000000000000000000\n",
    b"4b825dc642cb6eb9a060e54bf8d69288fbee4904\n",
    b"ffffffffffffffffffffffffffffffffffffffff refs/heads/main\n^ffffffffffffffffffffffffffffffffffffffff\n",
    b"# pack-refs with: peeled fully-peeled sorted \nxyz refs/heads/main\n",
    b"not an id at all\n",
    b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
];
const SETTINGS: [&str; 8] = [
    "[core]\n\trepositoryformatversion = 99\n",
    "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n",
    "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n",
    "[core\n",
    "[include]\n\tpath = config\n",
    "[core]\n\tbare = maybe\n\tworktree = /nowhere\n\tbigFileThreshold = -1\n",
    "[gitoxide \"objects\"]\n\tallocLimit = x\n\tcacheLimit = 99999999999999999999\n",
    "\u{feff}[a \"\u{0}\"] = x",
];

/// All files below a directory, in the order of their names.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(inside) = std::fs::read_dir(folder) else {
            continue;
        };
        for path in inside.filter_map(|entry| Some(entry.ok()?.path())) {
            let is_folder = path.symlink_metadata().is_ok_and(|about| about.is_dir());
            if is_folder {
                folders.push(path)
            } else {
                found.push(path)
            }
        }
    }
    found.sort();
    found
}

/// Damages something of a repository.
pub fn repository(folder: &Path, chance: &mut Chance) {
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        // A different file may have its path by now.
        let _ = std::fs::create_dir_all(path.parent().unwrap_or(folder))
            .and_then(|()| std::fs::write(path, bytes));
    };
    match chance.below(14) {
        0 => put("HEAD", chance.of(&WORDS)),
        1 => put("refs/heads/main", chance.of(&WORDS)),
        2 => put("packed-refs", chance.of(&WORDS)),
        3 => put("shallow", chance.of(&WORDS)),
        4 => put("config", chance.of(&SETTINGS).as_bytes()),
        5 => put(
            "objects/info/alternates",
            chance.of(&[
                &b"."[..],
                b"../objects",
                b"/nowhere\n",
                b"\xff\n\"x",
                b"\"\\777\"\n",
                b"# only\n\n",
            ]),
        ),
        6 => put(
            chance.of(&[
                "HEAD.lock",
                "packed-refs.lock",
                "refs/heads/main.lock",
                "index",
                "gc.pid",
            ]),
            b"x",
        ),
        7 => one_object(folder, chance),
        _ => any_file(folder, chance),
    }
}

/// Writes a well-formed loose object whose content does not match its name or header.
fn one_object(folder: &Path, chance: &mut Chance) {
    use std::io::Write as _;
    let all: Vec<PathBuf> = files(&folder.join("objects"))
        .into_iter()
        .filter(|path| {
            path.extension().is_none() && path.file_name().is_some_and(|name| name.len() == 38)
        })
        .collect();
    if all.is_empty() {
        return;
    }
    let head = chance.of(&[
        "blob 3\0abc",
        "tree 0\0",
        "commit 5\0tree ",
        "blob 99999999999999\0abc",
        "blob 18446744073709551615\0",
        "tree 4000000000\0X",
        "tag 0\0",
        "nothing",
        "blob -1\0",
        "blob \0",
    ]);
    let mut deflated = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    deflated.write_all(head.as_bytes()).unwrap();
    let path = &all[chance.below(all.len())];
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, deflated.finish().unwrap()).unwrap();
}

/// Damages one file below a directory.
pub fn any_file(folder: &Path, chance: &mut Chance) {
    let all = files(folder);
    if all.is_empty() {
        return;
    }
    let path = &all[chance.below(all.len())];
    let mut bytes = std::fs::read(path).unwrap_or_default();
    let at = chance.below(bytes.len() + 1);
    // Write a new file: shortening a mapped file would crash its readers.
    std::fs::remove_file(path).unwrap();
    match chance.below(9) {
        0 => return,
        1 => bytes.clear(),
        2 => bytes.truncate(at),
        3 if at < bytes.len() => bytes[at] = chance.byte(),
        4 if at < bytes.len() => bytes[at] ^= 1 << chance.below(8),
        5 => bytes[at..].fill(0),
        6 => drop(bytes.splice(at..at, [chance.byte(), chance.byte()])),
        7 => bytes.extend_from_within(at..),
        8 if chance.one_in(4) => return std::fs::create_dir(path).unwrap(),
        _ => {
            for _ in 0..16.min(bytes.len()) {
                let at = chance.below(bytes.len());
                bytes[at] = chance.byte();
            }
        }
    }
    std::fs::write(path, bytes).unwrap();
}
