//! The syntax of the texts of the checked components, from the manifests of the repository
//! (`docs/spec/checks.md#manifests`).

use super::plan::CheckedSpec;
use gitglot_checks::KnownSyntax;
use gitglot_lint::{LintError, RepositoryTree};
use gitglot_manifests::{MAX_MANIFEST, Manifests};
use gitglot_model::Component;

/// A state with its manifests.
struct State {
    tree: RepositoryTree,
    manifests: Manifests,
}

/// Adds the syntax to each component whose format, settings and flags do not say it. With a base, a change cannot replace the
/// syntax that the manifests of the base name. Returns a note if there are too many manifests to search.
///
/// # Errors
/// If a state or a file cannot be read.
pub fn add_syntax(
    head: &RepositoryTree,
    base: Option<&RepositoryTree>,
    specs: &mut [CheckedSpec],
) -> Result<Option<&'static str>, LintError> {
    let without = specs.iter_mut().filter(|spec| needs_manifests(spec));
    let mut without = without.peekable();
    if without.peek().is_none() {
        return Ok(None);
    }
    let mut base = base.map(State::of).transpose()?;
    let mut head = State::of(head)?;
    for spec in without {
        let component = &spec.spec.component;
        let old = spec.moved_from.as_ref().unwrap_or(component);
        let of_base = match &mut base {
            Some(base) => base.syntax_of(old)?,
            None => None,
        };
        let syntax = match of_base {
            None => head.syntax_of(component)?,
            of_base => of_base,
        };
        let Some(syntax) = syntax else {
            continue;
        };
        let checkers = std::iter::once(&mut spec.spec.checker).chain(&mut spec.spec.source_checker);
        for checker in checkers {
            *checker = checker.with_syntax(&syntax);
        }
    }
    let states = base.iter().chain([&head]);
    Ok(states.filter_map(|state| state.manifests.problem()).next())
}

/// Whether nothing but texts and manifests says what the syntax is.
fn needs_manifests(spec: &CheckedSpec) -> bool {
    spec.spec.checker.syntax().is_none() && spec.checks.flags.is_none()
}

impl State {
    fn of(tree: &RepositoryTree) -> Result<Self, LintError> {
        let tree = tree.clone();
        let paths = tree.paths()?;
        let manifests = Manifests::new(paths.iter().map(String::as_str));
        Ok(Self { tree, manifests })
    }

    fn syntax_of(&mut self, component: &Component) -> Result<Option<KnownSyntax>, LintError> {
        let file = match component.source_file() {
            "" => component.filemask.as_str(),
            file => file,
        };
        let format = component.file_format.name();
        let read = &mut |path: &str| self.tree.small_file(path, MAX_MANIFEST);
        self.manifests.syntax_of(file, format, read)
    }
}
