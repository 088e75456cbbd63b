//! Converts files of a working tree as git does before it stores them: `.gitattributes` (`text`, `eol`,
//! `working-tree-encoding`) and `core.autocrlf`, also of the user (docs/spec/lint.md#working-trees).
//!
//! Filters that are programs do not run. Attributes are those of the index, so that no further file is opened.

use std::path::Path;

use gix::config::{File, Source};
use gix::filter::plumbing::pipeline::{CrlfRoundTripCheck, convert::ToGitOutcome};
use gix::objs::Find;
use gix::worktree::stack::state::attributes;
use parking_lot::Mutex;

use crate::error::GitError;
use crate::objects::repository::Repository;

/// Converts files of one working tree.
pub struct WorkTreeFilter(Mutex<Parts>);

struct Parts {
    repository: gix::Repository,
    index: gix::worktree::Index,
    attributes: gix::worktree::Stack,
    pipeline: gix::filter::plumbing::Pipeline,
}

impl Repository {
    /// The conversion of files of the working tree.
    ///
    /// # Errors
    /// If the index or the configuration cannot be read.
    pub fn work_tree_filter(&self) -> Result<WorkTreeFilter, GitError> {
        let mut repository = self.gix();
        add_user_settings(&mut repository);
        let parts = || -> gix::Result<_> {
            let index = repository.index_or_empty()?;
            let attributes = repository.attributes_only(&index, attributes::Source::IdMapping)?;
            let mut options = gix::filter::Pipeline::options(&repository)?;
            options.drivers.clear();
            options.crlf_roundtrip_check = CrlfRoundTripCheck::Skip;
            let context = repository.command_context()?;
            let pipeline =
                gix::filter::plumbing::Pipeline::new(context, repository.object_hash(), options);
            Ok((index, attributes.detach(), pipeline))
        };
        let parts = parts().map_err(|error| GitError::unreadable(self.git_dir(), &error))?;
        let (index, attributes, pipeline) = parts;
        Ok(WorkTreeFilter(Mutex::new(Parts {
            repository,
            index,
            attributes,
            pipeline,
        })))
    }
}

/// Adds the settings of line endings that the user has for all repositories, where the repository has none. It was opened
/// without them, so that nothing else depends on the user.
fn add_user_settings(repository: &mut gix::Repository) {
    let places = [Source::User, Source::Git, Source::System].map(|source| {
        let place = source.storage_location(&mut |name| std::env::var_os(name))?;
        File::from_path_no_includes(place, source).ok()
    });
    let mut config = repository.config_snapshot_mut();
    for name in ["core.autocrlf", "core.eol"] {
        let mut users = places.iter().flatten().filter_map(|file| file.string(name));
        if config.string(name).is_none()
            && let Some(value) = users.next()
        {
            // A value that is not valid for the name counts as none.
            let _ = config.set_raw_value(name, AsRef::<gix::bstr::BStr>::as_ref(&value));
        }
    }
    // The same holds for all of them together.
    let _ = config.commit();
}

impl WorkTreeFilter {
    /// The content that git stores for a file; the content as it is if it cannot be converted.
    pub fn to_git(&self, path: &str, bytes: Vec<u8>) -> Vec<u8> {
        self.converted(path, &bytes).unwrap_or(bytes)
    }

    fn converted(&self, path: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut parts = self.0.lock();
        let Parts {
            repository,
            index,
            attributes,
            pipeline,
        } = &mut *parts;
        let objects = &repository.objects;
        let of_path = attributes.at_path(path, None, objects).ok()?;
        // A file that was stored with CRLF keeps it.
        let mut stored = |buffer: &mut Vec<u8>| {
            let entry = index.entry_by_path(path.into());
            let object = entry.and_then(|entry| objects.try_find(&entry.id, buffer).ok()?);
            Ok(object.map(|_| ()))
        };
        let mut matching = |_: &gix::bstr::BStr, found: &mut _| {
            of_path.matching_attributes(found);
        };
        let path = Path::new(path);
        let converted = pipeline.convert_to_git(bytes, path, &mut matching, &mut stored);
        match converted.ok()? {
            ToGitOutcome::Buffer(converted) => Some(converted.to_vec()),
            ToGitOutcome::Unchanged(_) | ToGitOutcome::Process(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The filter of a repository with a configuration and attributes.
    fn filter(config: &str, attributes: &str) -> (tempfile::TempDir, WorkTreeFilter) {
        let folder = tempfile::tempdir().unwrap();
        gix::init(folder.path()).unwrap();
        let git = folder.path().join(".git");
        let own = fs::read_to_string(git.join("config")).unwrap();
        fs::write(git.join("config"), own + config).unwrap();
        fs::create_dir_all(git.join("info")).unwrap();
        fs::write(git.join("info/attributes"), attributes).unwrap();
        let filter = Repository::open(folder.path()).unwrap().work_tree_filter();
        (folder, filter.unwrap())
    }

    #[test]
    fn files_have_the_line_ends_and_the_encoding_of_git() {
        let text = |filter: &WorkTreeFilter, path: &str, bytes: &[u8]| {
            String::from_utf8(filter.to_git(path, bytes.to_vec())).unwrap()
        };
        let (_folder, plain) = filter("", "");
        assert_eq!(text(&plain, "l/en.json", b"a\r\nb"), "a\r\nb");
        let (_folder, crlf) = filter("[core]\n\tautocrlf = true\n", "");
        assert_eq!(text(&crlf, "l/en.json", b"a\r\nb"), "a\nb");
        let attributes = "*.txt text eol=crlf\n*.strings text working-tree-encoding=UTF-16LE\n";
        let (_folder, own) = filter("", attributes);
        assert_eq!(text(&own, "a.txt", b"a\r\nb"), "a\nb");
        assert_eq!(text(&own, "a.json", b"a\r\nb"), "a\r\nb");
        assert_eq!(text(&own, "x/a.strings", b"a\0\xe9\0"), "a\u{e9}");
    }

    #[test]
    fn programs_of_filters_do_not_run() {
        let config = "[filter \"x\"]\n\tclean = touch ran\n\trequired = true\n";
        let (folder, filter) = filter(config, "*.json filter=x\n");
        assert_eq!(filter.to_git("a.json", b"{}".to_vec()), b"{}");
        assert!(!folder.path().join("ran").exists());
    }
}
