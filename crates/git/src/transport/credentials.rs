//! Credentials, trusted keys and certificates, and timeouts. Never prompts.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gix::credentials::helper::{Action, Cascade, NextAction};
use gix::credentials::protocol::Outcome;
use gix::credentials::{Program, program};

use crate::transport::error::{FetchProblem, NoCredentials};
use crate::transport::source::{Account, RepositorySource};

/// Timeouts for a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// For connecting.
    pub connect: Duration,
    /// For any progress.
    pub stall: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(20),
            stall: Duration::from_secs(90),
        }
    }
}

/// The part of a token file that is read, in bytes.
const MAX_TOKEN_BYTES: u64 = 64 << 10;

/// Credentials and trust settings. Each fetch reads files and variables again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RepoAccess {
    /// File with the HTTPS token or `user:password`.
    pub token_file: Option<PathBuf>,
    /// Environment variable with the HTTPS token or `user:password`. Used when there is no file.
    pub token_env: Option<String>,
    /// The user name for the token or the credential helper.
    pub username: Option<String>,
    /// A credential helper, written like git's `credential.helper`. Used when there is no token; receives only `get`.
    pub credential_helper: Option<String>,
    /// A private key for `ssh`; default: the agent and the standard keys.
    pub ssh_key: Option<PathBuf>,
    /// The known hosts file for `ssh`; default: the standard files.
    pub known_hosts: Option<PathBuf>,
    /// The certificates (PEM) that `https` trusts; default: those of the system.
    pub ca_file: Option<PathBuf>,
    /// Timeouts.
    pub timeouts: Timeouts,
}

fn read_token(path: &Path) -> Result<String, FetchProblem> {
    let unreadable = |reason: String| FetchProblem::TokenFile {
        path: path.to_owned(),
        reason,
    };
    let mut text = String::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_TOKEN_BYTES).read_to_string(&mut text))
        .map_err(|error| unreadable(error.to_string()))?;
    match text.trim() {
        "" => Err(unreadable("it is empty".to_owned())),
        text => Ok(text.to_owned()),
    }
}

/// User name, and password or token.
pub(crate) type Login = (String, String);

impl RepoAccess {
    /// The login for requests that send it without a question of the server; runs the helper. `None` for addresses other
    /// than `https`.
    pub(crate) fn login(
        &self,
        source: &RepositorySource,
        address: &str,
    ) -> Result<Option<Login>, FetchProblem> {
        if !address.starts_with("https://") {
            return Ok(None);
        }
        Ok(match (self.identity(source)?, &self.credential_helper) {
            (None, Some(helper)) => ask(helper, address, self.user(source).as_deref()),
            (identity, _) => identity,
        })
    }

    /// The token or `user:password`, if one is configured.
    fn token(&self) -> Result<Option<String>, FetchProblem> {
        match (&self.token_file, &self.token_env) {
            (Some(path), _) => read_token(path).map(Some),
            (None, Some(name)) => match std::env::var(name).unwrap_or_default().trim() {
                "" => Err(FetchProblem::TokenVariable(name.clone())),
                text => Ok(Some(text.to_owned())),
            },
            (None, None) => Ok(None),
        }
    }

    /// The user name for a helper.
    fn user(&self, source: &RepositorySource) -> Option<String> {
        let account = source.account.as_ref().map(|account| account.user.clone());
        self.username.clone().or(account)
    }

    /// The identity, as far as it is known without a helper.
    pub(crate) fn identity(
        &self,
        source: &RepositorySource,
    ) -> Result<Option<Login>, FetchProblem> {
        let account = source.account.as_ref();
        let Some(text) = self.token()? else {
            let has_helper = self.credential_helper.is_some();
            let has_login = |account: &&Account| !has_helper || account.password.is_some();
            return Ok(account.filter(has_login).map(|account| {
                let password = account.password.clone();
                (account.user.clone(), password.unwrap_or_default())
            }));
        };
        if self.username.is_none()
            && let Some((user, password)) = text.split_once(':')
        {
            return Ok(Some((user.to_owned(), password.to_owned())));
        }
        let user = self.username.as_deref();
        let user = user.or(account.map(|account| account.user.as_str()));
        // Hosts with tokens accept any user name except an empty one.
        Ok(Some((user.unwrap_or("token").to_owned(), text)))
    }

    /// The callback for a server that requires authentication; never prompts.
    pub(crate) fn credentials(
        &self,
        source: &RepositorySource,
        identity: Option<Login>,
    ) -> impl FnMut(Action) -> gix::Result<Option<Outcome>> + 'static {
        let own_origin = source.network().and_then(|(address, _)| origin(address));
        let user = self.user(source);
        let helper = self.credential_helper.clone();
        move |action| {
            let Action::Get(context) = action else {
                return Ok(None);
            };
            let none = |why: &str| gix::Error::from_error(NoCredentials(why.to_owned()));
            // Never sends credentials to the target of a redirect to another host.
            let url = context.url.as_ref().map(ToString::to_string);
            let requesting = url.as_deref().and_then(origin);
            if requesting.is_none() || requesting != own_origin {
                return Err(none("a different server requests the credentials"));
            }
            // Its answer would cross the network unencrypted.
            let scheme = own_origin.as_ref().map(|(scheme, ..)| &**scheme);
            let is_https = scheme == Some("https");
            let (username, password) = match (&identity, &helper) {
                (Some(identity), _) => identity.clone(),
                (None, Some(_)) if !is_https => {
                    return Err(none(
                        "the credential helper is called for https only, not for this address",
                    ));
                }
                (None, Some(helper)) => {
                    let url = url.unwrap_or_default();
                    ask(helper, &url, user.as_deref()).ok_or_else(|| {
                        none("the credential helper has no credentials for this server")
                    })?
                }
                (None, None) => {
                    return Err(none(
                        "the server requires credentials, and none are configured",
                    ));
                }
            };
            let identity = gix::sec::identity::Account {
                username,
                password,
                oauth_refresh_token: None,
            };
            Ok(Some(Outcome {
                identity,
                next: NextAction::from(context),
            }))
        }
    }
}

/// Runs a credential helper; `None` if it fails or knows no credentials.
fn ask(helper: &str, url: &str, user: Option<&str>) -> Option<Login> {
    let command = match helper.strip_prefix('!') {
        Some(script) => script.to_owned(),
        None if helper.starts_with('/') => helper.to_owned(),
        None => format!("git credential-{helper}"),
    };
    // Disables the prompts of common helpers.
    let script = format!(
        "export GIT_TERMINAL_PROMPT=0 GIT_ASKPASS= SSH_ASKPASS= GCM_INTERACTIVE=never; {command}"
    );
    let program =
        Program::from_kind(program::Kind::ExternalShellScript(script.into())).suppress_stderr();
    let mut url = gix::url::parse(url).ok()?;
    if let Some(user) = user {
        url.set_user(Some(user.to_owned()));
    }
    let mut cascade = Cascade {
        stderr: false,
        ..Cascade::default()
    }
    .extend([program]);
    let nobody = gix::prompt::Options {
        askpass: None,
        mode: gix::prompt::Mode::Disable,
    };
    let found = cascade.invoke(Action::get_for_url(url.to_bstring()), nobody);
    let found = found.ok()??;
    Some((found.identity.username, found.identity.password))
}

/// The scheme, host and port of an address, to which credentials belong.
fn origin(address: &str) -> Option<(String, String, Option<u16>)> {
    let url = gix::url::parse(address).ok()?;
    Some((
        url.scheme.as_str().to_owned(),
        url.host()?.to_ascii_lowercase(),
        url.port_or_default(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(user: &str, password: &str) -> Option<Login> {
        Some((user.to_owned(), password.to_owned()))
    }

    #[test]
    fn a_token_is_read_from_its_file_for_each_fetch() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        let access = RepoAccess {
            token_file: Some(file.clone()),
            ..RepoAccess::default()
        };
        let identity = |address: &str| access.identity(&RepositorySource::parse(address).unwrap());
        assert!(matches!(
            identity("https://example.org/a"),
            Err(FetchProblem::TokenFile { .. })
        ));
        std::fs::write(&file, "t0ken\n").unwrap();
        assert_eq!(
            identity("https://example.org/a").unwrap(),
            pair("token", "t0ken")
        );
        assert_eq!(
            identity("https://ada@example.org/a").unwrap(),
            pair("ada", "t0ken")
        );
        std::fs::write(&file, "oauth2:t0ken2").unwrap();
        assert_eq!(
            identity("https://example.org/a").unwrap(),
            pair("oauth2", "t0ken2")
        );
        std::fs::write(&file, "\n").unwrap();
        assert!(
            identity("https://example.org/a")
                .unwrap_err()
                .to_string()
                .ends_with("it is empty")
        );
        assert_eq!(
            RepoAccess::default()
                .identity(&RepositorySource::parse("https://example.org/a").unwrap())
                .unwrap(),
            None
        );
    }

    #[test]
    fn a_configured_user_name_makes_the_whole_token_the_password() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, "a:b").unwrap();
        let access = RepoAccess {
            token_file: Some(file),
            username: Some("grace".to_owned()),
            ..RepoAccess::default()
        };
        let source = RepositorySource::parse("https://ada@example.org/a").unwrap();
        assert_eq!(access.identity(&source).unwrap(), pair("grace", "a:b"));
    }

    #[test]
    fn an_unset_token_variable_is_a_permanent_error() {
        let access = RepoAccess {
            token_env: Some("GITGLOT_NO_SUCH_TOKEN".to_owned()),
            ..RepoAccess::default()
        };
        let problem = access
            .identity(&RepositorySource::parse("https://example.org/a").unwrap())
            .unwrap_err();
        assert!(
            problem.to_string().contains("GITGLOT_NO_SUCH_TOKEN"),
            "{problem}"
        );
        assert!(!problem.is_transient());
    }

    #[test]
    fn credentials_are_sent_only_to_their_own_origin() {
        let source = RepositorySource::parse("https://ada:s3cret@example.org/a").unwrap();
        let access = RepoAccess::default();
        let mut answer = access.credentials(&source, access.identity(&source).unwrap());
        let found = answer(Action::get_for_url("https://EXAMPLE.org:443/a/"))
            .unwrap()
            .unwrap();
        assert_eq!(
            (
                found.identity.username.as_str(),
                found.identity.password.as_str()
            ),
            ("ada", "s3cret")
        );
        for other in [
            "https://example.com/a",
            "https://example.org:8443/a",
            "http://example.org/a",
        ] {
            assert!(answer(Action::get_for_url(other)).is_err(), "{other}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_login_is_known_before_a_request_over_https_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, "t0ken").unwrap();
        let token = RepoAccess {
            token_file: Some(file),
            ..RepoAccess::default()
        };
        let helper = RepoAccess {
            credential_helper: Some("!echo username=ada; echo password=s3cret; true".to_owned()),
            ..RepoAccess::default()
        };
        let none = RepoAccess::default();
        for (access, address, login) in [
            (&token, "https://example.org/a", pair("token", "t0ken")),
            (&helper, "https://example.org/a", pair("ada", "s3cret")),
            (&none, "https://example.org/a", None),
            (&token, "http://example.org/a", None),
            (&helper, "http://example.org/a", None),
        ] {
            let source = RepositorySource::parse(address).unwrap();
            assert_eq!(access.login(&source, address).unwrap(), login, "{address}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_credential_helper_is_never_called_for_http() {
        let folder = tempfile::tempdir().unwrap();
        let marker = folder.path().join("marker");
        let script = format!(
            "!touch '{}'; echo username=a; echo password=b; true",
            marker.display()
        );
        for address in ["http://example.org/a", "http://ada@example.org/a"] {
            let source = RepositorySource::parse(address).unwrap();
            let access = RepoAccess {
                credential_helper: Some(script.clone()),
                ..RepoAccess::default()
            };
            let mut answer = access.credentials(&source, access.identity(&source).unwrap());
            let error = answer(Action::get_for_url("http://example.org/a")).unwrap_err();
            assert!(error.to_string().contains("https only"), "{error}");
            assert!(!marker.exists());
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_credential_helper_receives_only_get() {
        let source = RepositorySource::parse("https://example.org/a").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let heard = folder.path().join("heard");
        let script = |answer: &str| {
            let heard = heard.display();
            format!(
                "!f() {{ echo \"$1 $GIT_TERMINAL_PROMPT\" >> '{heard}'; cat >> '{heard}'; {answer} }}; f"
            )
        };
        let answered = |helper: String| {
            let access = RepoAccess {
                credential_helper: Some(helper),
                ..RepoAccess::default()
            };
            let mut answer = access.credentials(&source, access.identity(&source).unwrap());
            let found =
                answer(Action::get_for_url("https://example.org/a")).map(|found| found.unwrap());
            found.map(|found| {
                assert!(answer(found.next.erase()).unwrap().is_none());
                (found.identity.username, found.identity.password)
            })
        };
        let knows = script("echo username=ada; echo password=s3cret;");
        assert_eq!(Some(answered(knows).unwrap()), pair("ada", "s3cret"));
        let heard = std::fs::read_to_string(&heard).unwrap();
        assert!(
            heard.starts_with("get 0\n") && heard.contains("host=example.org"),
            "{heard}"
        );
        assert!(!heard.contains("erase"), "{heard}");
        for helper in [
            script("true;"),
            script("exit 3;"),
            "!/no/such/program".to_owned(),
        ] {
            assert!(
                answered(helper)
                    .unwrap_err()
                    .to_string()
                    .contains("the credential helper has no credentials")
            );
        }
    }
}
