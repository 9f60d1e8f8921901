//! An SSH server of our own, on loopback, as the account that runs the tests.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use svc_git::{Credentials, Options};

/// A running server. It ends with the value.
pub(crate) struct Sshd {
    child: Child,
    pub(crate) port: u16,
    folder: PathBuf,
    pub(crate) user: String,
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Sshd {
    /// Starts a server with keys of its own; nothing where there is no `sshd`. `version` says
    /// whether it passes the version of the protocol on, as forges do.
    pub(crate) fn start(folder: &Path, version: bool) -> Option<Self> {
        let program = ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/sbin/sshd"];
        let program = program.iter().find(|path| Path::new(path).exists());
        let set = std::env::var("SVC_SSHD").ok();
        let Some(program) = set.as_deref().or(program.copied()) else {
            eprintln!("skipped: there is no sshd");
            return None;
        };
        let folder = folder.join("ssh");
        fs::create_dir(&folder).expect("a folder");
        for name in ["host", "key", "other"] {
            let mut command = Command::new("ssh-keygen");
            command
                .args(["-q", "-t", "ed25519", "-N", "", "-f"])
                .arg(folder.join(name));
            assert!(command.status().is_ok_and(|status| status.success()));
        }
        let user = Command::new("id").arg("-un").output().expect("a name");
        let user = String::from_utf8_lossy(&user.stdout).trim().to_owned();
        fs::copy(folder.join("key.pub"), folder.join("authorized")).expect("copied");
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let shown = folder.display();
        let accept = if version {
            "AcceptEnv GIT_PROTOCOL\n"
        } else {
            ""
        };
        let config = format!(
            "ListenAddress 127.0.0.1\nPort {port}\nHostKey {shown}/host\nPidFile none\n\
             AuthorizedKeysFile {shown}/authorized\nStrictModes no\nUsePAM no\n\
             PasswordAuthentication no\nKbdInteractiveAuthentication no\n\
             PermitRootLogin prohibit-password\nLogLevel ERROR\n{accept}"
        );
        fs::write(folder.join("config"), config).expect("written");
        let mut command = Command::new(program);
        command
            .arg("-D")
            .arg("-e")
            .arg("-f")
            .arg(folder.join("config"));
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let log = fs::File::create(folder.join("log")).expect("a file");
        let mut child = command.stderr(log).spawn().expect("sshd");
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                let server = Self {
                    child,
                    port,
                    folder,
                    user,
                };
                server.know("host");
                return Some(server);
            }
            if child.try_wait().expect("a state").is_some() {
                let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
                eprintln!("skipped: sshd does not start: {log}");
                return None;
            }
            thread::sleep(Duration::from_millis(50));
        }
        let _ = child.kill();
        None
    }

    /// Makes a key that of the host, for whoever asks.
    pub(crate) fn know(&self, name: &str) {
        let key = fs::read_to_string(self.folder.join(format!("{name}.pub"))).expect("a key");
        let line = format!("[127.0.0.1]:{} {key}", self.port);
        fs::write(self.folder.join("known hosts"), line).expect("written");
    }

    /// Options with one of the keys.
    pub(crate) fn options(&self, key: &str) -> Options {
        Options {
            credentials: Credentials::Key {
                file: self.folder.join(key),
                known_hosts: Some(self.folder.join("known hosts")),
            },
            ..Options::default()
        }
    }

    pub(crate) fn address(&self, path: &Path) -> String {
        format!(
            "ssh://{}@127.0.0.1:{}{}",
            self.user,
            self.port,
            path.display()
        )
    }
}
