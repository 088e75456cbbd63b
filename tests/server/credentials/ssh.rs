//! Access over ssh.

use super::*;

/// A repository over ssh with a key.
struct Ssh {
    folder: tempfile::TempDir,
    port: u16,
    user: String,
}

impl Ssh {
    fn start() -> Option<Self> {
        let sshd = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"]
            .into_iter()
            .find(|path| Path::new(path).exists());
        let Some(sshd) = sshd else {
            eprintln!("skipped: there is no sshd");
            return None;
        };
        if !(has("git", "--version") && has("ssh", "-V") && has("ssh-keygen", "-?")) {
            return None;
        }
        let user = String::from_utf8(Command::new("id").arg("-un").output().ok()?.stdout)
            .ok()?
            .trim()
            .to_owned();
        if user == "root" {
            // As root, sshd needs this directory.
            let _ = fs::create_dir_all("/run/sshd");
        }
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        Repo::with(&here.join("garden.git"), &start());
        for name in ["host", "key", "other"] {
            run(
                "ssh-keygen",
                here,
                &["-q", "-t", "ed25519", "-N", "", "-f", name],
            );
        }
        fs::copy(here.join("key.pub"), here.join("authorized")).unwrap();
        let options = format!(
            "HostKey {0}/host\nAuthorizedKeysFile {0}/authorized\nStrictModes no\n\
             PidFile none\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n\
             AcceptEnv GIT_PROTOCOL\nPermitRootLogin yes\n",
            here.display()
        );
        fs::write(here.join("sshd_config"), options).unwrap();
        // One process per connection, because sshd cannot report a port that it chose itself.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let host = fs::read_to_string(here.join("host.pub")).unwrap();
        fs::write(
            here.join("known_hosts"),
            format!("[127.0.0.1]:{port} {host}"),
        )
        .unwrap();
        let (config, log) = (here.join("sshd_config"), here.join("sshd.log"));
        std::thread::spawn(move || {
            for stream in listener.incoming().map(Result::unwrap) {
                let mut server = Command::new(sshd);
                server.arg("-i").arg("-f").arg(&config).arg("-E").arg(&log);
                server
                    .stdin(OwnedFd::from(stream.try_clone().unwrap()))
                    .stdout(OwnedFd::from(stream));
                let mut server = server.stderr(Stdio::null()).spawn().unwrap();
                std::thread::spawn(move || server.wait());
            }
        });
        Some(Self { folder, port, user })
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn check(&self, repository: &str, key: &str, known_hosts: &str) -> (bool, String) {
        let address = format!(
            "ssh://{}@127.0.0.1:{}{}",
            self.user,
            self.port,
            self.path(repository)
        );
        let (key, known_hosts) = (self.path(key), self.path(known_hosts));
        check(
            &address,
            self.folder.path(),
            &["--ssh-key", &key, "--known-hosts", &known_hosts],
            &[],
        )
    }
}

#[test]
fn a_key_gives_access_over_ssh_and_errors_are_reported() {
    let Some(server) = Ssh::start() else { return };
    let (succeeds, output_text) = server.check("garden.git", "key", "known_hosts");
    assert!(
        succeeds && output_text.contains("cs"),
        "{output_text}\n{}",
        fs::read_to_string(server.path("sshd.log")).unwrap()
    );

    let (succeeds, output_text) = server.check("garden.git", "other", "known_hosts");
    assert!(
        !succeeds
            && output_text.contains("the server refuses access")
            && output_text.contains("Permission denied"),
        "{output_text}"
    );

    fs::write(server.path("nobody"), "").unwrap();
    let (succeeds, output_text) = server.check("garden.git", "key", "nobody");
    assert!(
        !succeeds && output_text.contains("ssh does not trust the server"),
        "{output_text}"
    );

    let other = fs::read_to_string(server.path("other.pub")).unwrap();
    fs::write(
        server.path("changed"),
        format!("[127.0.0.1]:{} {other}", server.port),
    )
    .unwrap();
    let (succeeds, output_text) = server.check("garden.git", "key", "changed");
    assert!(
        !succeeds && output_text.contains("ssh does not trust the server"),
        "{output_text}"
    );

    let (succeeds, output_text) = server.check("nothing.git", "key", "known_hosts");
    assert!(
        !succeeds && output_text.contains("the repository does not exist"),
        "{output_text}"
    );
}

#[test]
fn a_key_of_the_ssh_agent_is_used() {
    let Some(server) = Ssh::start() else { return };
    if !has("ssh-agent", "-h") {
        return;
    }
    let socket = server.path("agent");
    let agent = Command::new("ssh-agent")
        .args(["-D", "-a", &socket])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let _agent = Running(agent);
    until("the agent", || {
        PathBuf::from(&socket).exists().then_some(())
    });
    let add = Command::new("ssh-add")
        .args(["-q", &server.path("key")])
        .env("SSH_AUTH_SOCK", &socket)
        .status()
        .unwrap();
    assert!(add.success());
    let address = format!(
        "ssh://{}@127.0.0.1:{}{}",
        server.user,
        server.port,
        server.path("garden.git")
    );
    let flags = ["--known-hosts", &server.path("known_hosts")];
    let (succeeds, output_text) = check(
        &address,
        server.folder.path(),
        &flags,
        &[("SSH_AUTH_SOCK", &socket)],
    );
    assert!(succeeds, "{output_text}");
    let (succeeds, output_text) = check(
        &address,
        server.folder.path(),
        &flags,
        &[("SSH_AUTH_SOCK", "")],
    );
    assert!(
        !succeeds && output_text.contains("the server refuses access"),
        "{output_text}"
    );
}
