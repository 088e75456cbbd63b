//! Connections over `ssh` (with the ssh program), `git://` and HTTP, each of which another thread can close.

use std::io::{BufRead, BufReader, Read};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use gix::protocol::transport::Protocol;
use gix::protocol::transport::client::blocking_io::Transport;
use gix::protocol::transport::client::blocking_io::http::Transport as HttpTransport;
use gix::protocol::transport::client::git::{
    ConnectMode, blocking_io::Connection as GitConnection,
};
use parking_lot::Mutex;
use ureq::Agent;

use crate::transport::advertisement_limit::Exchange;
use crate::transport::credentials::{RepoAccess, Timeouts};
use crate::transport::error::FetchProblem;
use crate::transport::http::{self, HttpClient};

/// The port of `git://`.
const PORT: u16 = 9418;
/// The number of stderr lines of ssh to keep, and the maximum length of each.
const STDERR_LIMITS: (usize, usize) = (20, 500);

/// A connection that any thread can close.
#[derive(Clone, Default)]
pub(crate) struct Connection(Arc<Mutex<ConnectionState>>);

#[derive(Default)]
struct ConnectionState {
    closed: bool,
    ends: Vec<End>,
    /// Lines that the ssh program wrote to stderr.
    stderr: Vec<String>,
}

enum End {
    Socket(TcpStream),
    Program(Child),
    Client(Agent),
}

impl End {
    fn close(&mut self) {
        // It may be closed already.
        let _ = match self {
            Self::Socket(socket) => socket.shutdown(Shutdown::Both),
            Self::Program(child) => child.kill(),
            Self::Client(agent) => {
                agent.clone().shutdown();
                Ok(())
            }
        };
    }
}

impl Connection {
    /// Closes the connection; pending reads and writes fail.
    pub(crate) fn close(&self) {
        let mut state = self.0.lock();
        state.closed = true;
        state.ends.iter_mut().for_each(End::close);
    }

    /// Ends the ssh program, waits for it, and returns its stderr.
    pub(crate) fn finish(&self) -> Vec<String> {
        let ends = std::mem::take(&mut self.0.lock().ends);
        for mut end in ends {
            end.close();
            if let End::Program(mut child) = end {
                let _ = child.wait();
            }
        }
        self.0.lock().stderr.clone()
    }

    fn attach(&self, mut end: End) {
        let mut state = self.0.lock();
        if state.closed {
            end.close();
        }
        state.ends.push(end);
    }

    /// Connects to a `git://` server.
    pub(crate) fn to_daemon(
        &self,
        url: &gix::Url,
        version: Protocol,
        timeouts: Timeouts,
    ) -> Result<Box<dyn Transport + Send>, FetchProblem> {
        let unreachable = |error: std::io::Error| FetchProblem::Unreachable(error.to_string());
        let host = url.host().unwrap_or_default().to_owned();
        let Timeouts { connect, stall } = timeouts;
        let unresolved = format!("'{host}' does not resolve to an address");
        let mut last = FetchProblem::Unreachable(unresolved);
        let addresses = (host.as_str(), url.port.unwrap_or(PORT)).to_socket_addrs();
        for address in addresses.map_err(unreachable)? {
            let stream = match TcpStream::connect_timeout(&address, connect) {
                Ok(stream) => stream,
                Err(error) => {
                    last = unreachable(error);
                    continue;
                }
            };
            stream.set_read_timeout(Some(stall)).map_err(unreachable)?;
            stream.set_write_timeout(Some(stall)).map_err(unreachable)?;
            let write = stream.try_clone().map_err(unreachable)?;
            self.attach(End::Socket(stream.try_clone().map_err(unreachable)?));
            let (path, port) = (url.path.clone(), url.port);
            let exchange = Exchange::default();
            let virtual_host = Some((host, port));
            return Ok(Box::new(GitConnection::new(
                exchange.limit(stream),
                exchange.observe(write),
                version,
                path,
                virtual_host,
                ConnectMode::Daemon,
                false,
            )));
        }
        Err(last)
    }

    /// Connects to an HTTP server with the first request. The flag ends a response.
    pub(crate) fn to_http(
        &self,
        url: gix::Url,
        version: Protocol,
        access: &RepoAccess,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<Box<dyn Transport + Send>, FetchProblem> {
        let address = url.to_bstring().to_string();
        let agent = http::agent(&address, access.timeouts, access.ca_file.as_deref())?;
        self.attach(End::Client(agent.clone()));
        let client = HttpClient::new(agent, interrupt.clone());
        let transport = HttpTransport::new_http(client, url, version, false);
        Ok(Box::new(transport))
    }

    /// Connects with the ssh program, without prompts and only to known hosts.
    pub(crate) fn to_ssh(
        &self,
        url: &gix::Url,
        version: Protocol,
        access: &RepoAccess,
    ) -> Result<Box<dyn Transport + Send>, FetchProblem> {
        let mut command = ssh(url, access);
        let started = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = started.map_err(|error| FetchProblem::NoSsh(error.to_string()))?;
        let none = || FetchProblem::NoSsh("it has no input or output".to_owned());
        let output = child.stdout.take().zip(child.stdin.take());
        let (read, write) = output.ok_or_else(none)?;
        let errors = child.stderr.take().ok_or_else(none)?;
        self.attach(End::Program(child));
        let connection = self.clone();
        let (listening, over) = mpsc::channel::<()>();
        std::thread::spawn(move || {
            let _listening = listening;
            for line in BufReader::new(errors).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line);
                let line: String = line.trim().chars().take(STDERR_LIMITS.1).collect();
                let mut state = connection.0.lock();
                if !line.is_empty() && state.stderr.len() < STDERR_LIMITS.0 {
                    state.stderr.push(line);
                }
            }
        });
        let read = SshOutput { read, over };
        let none: Option<(String, Option<u16>)> = None;
        let exchange = Exchange::default();
        let connection = GitConnection::new(
            exchange.limit(read),
            exchange.observe(write),
            version,
            url.path.clone(),
            none,
            ConnectMode::Process,
            false,
        );
        Ok(Box::new(connection.custom_url(Some(url.to_bstring()))))
    }
}

/// The stdout of the ssh program. At its end, waits until stderr is read too.
struct SshOutput {
    read: ChildStdout,
    over: mpsc::Receiver<()>,
}

impl Read for SshOutput {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.read.read(buffer)?;
        if read == 0 {
            // Both end with the program, unless a child process keeps stderr open.
            let _ = self.over.recv_timeout(Duration::from_millis(500));
        }
        Ok(read)
    }
}

fn ssh(url: &gix::Url, access: &RepoAccess) -> Command {
    let mut command = Command::new("ssh");
    let mut option = |text: String| {
        command.arg("-o").arg(text);
    };
    option("BatchMode=yes".to_owned());
    let connect = access.timeouts.connect.as_secs().max(1);
    option(format!("ConnectTimeout={connect}"));
    option("ServerAliveInterval=15".to_owned());
    option("ServerAliveCountMax=4".to_owned());
    option("SendEnv=GIT_PROTOCOL".to_owned());
    if let Some(path) = &access.known_hosts {
        option(format!("UserKnownHostsFile=\"{}\"", path.display()));
        option("GlobalKnownHostsFile=none".to_owned());
        option("StrictHostKeyChecking=yes".to_owned());
    }
    if let Some(path) = &access.ssh_key {
        option("IdentitiesOnly=yes".to_owned());
        command.arg("-i").arg(path);
    }
    if let Some(port) = url.port {
        command.arg("-p").arg(port.to_string());
    }
    let host = url.host().unwrap_or_default();
    let user = url.user().map(|user| format!("{user}@{host}"));
    command.arg(user.unwrap_or_else(|| host.to_owned()));
    let path = gix::url::expand_path::for_shell(url.path.clone());
    let path = gix::quote::single(path.as_ref());
    command.arg(format!("git-upload-pack {path}"));
    // Error messages are parsed, so they must be English. No prompts.
    command
        .envs([
            ("LANG", "C"),
            ("LC_ALL", "C"),
            ("GIT_PROTOCOL", "version=2"),
        ])
        .env("SSH_ASKPASS_REQUIRE", "never")
        .env_remove("SSH_ASKPASS")
        .env_remove("DISPLAY");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(address: &str, access: &RepoAccess) -> String {
        let url = gix::url::parse(address).unwrap();
        let command = ssh(&url, access);
        command
            .get_args()
            .map(|it| it.to_string_lossy().into_owned())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn the_ssh_command_has_key_hosts_port_and_path_and_no_prompts() {
        let plain = arguments("git@example.org:a/b's.git", &RepoAccess::default());
        assert!(plain.contains("-o BatchMode=yes"), "{plain}");
        assert!(
            plain.ends_with(r"git@example.org git-upload-pack 'a/b'\''s.git'"),
            "{plain}"
        );
        assert!(
            !plain.contains("KnownHosts") && !plain.contains("-i "),
            "{plain}"
        );
        let access = RepoAccess {
            ssh_key: Some("/keys/my key".into()),
            known_hosts: Some("/keys/known hosts".into()),
            ..RepoAccess::default()
        };
        let full = arguments("ssh://git@example.org:2222/~ada/b.git", &access);
        assert!(
            full.contains("-o IdentitiesOnly=yes -i /keys/my key -p 2222 git@example.org"),
            "{full}"
        );
        assert!(
            full.contains("UserKnownHostsFile=\"/keys/known hosts\""),
            "{full}"
        );
        assert!(full.ends_with("git-upload-pack '~ada/b.git'"), "{full}");
    }
}
