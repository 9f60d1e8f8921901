//! An SSH server for tests on the loopback interface, with the account of the test.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::ports::free_port;

/// Privilege separation directory of `sshd` when it runs as root. Debian creates it when the
/// machine starts its services, which a container does not.
const PRIVSEP_DIR: &str = "/run/sshd";

/// A running server. It stops when it is dropped.
#[derive(Debug)]
pub struct Sshd {
    child: Child,
    port: u16,
    dir: PathBuf,
    user: String,
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Sshd {
    /// Starts a server with its own keys in a directory. Returns `None` and prints a message if
    /// OpenSSH is not installed. `version` sets whether the version of Git's protocol is forwarded,
    /// as forges do. The key `key` is authorized, the key `other` is not.
    ///
    /// # Panics
    /// When OpenSSH is installed but the server does not start.
    pub fn start(dir: &Path, version: bool) -> Option<Self> {
        let programs = ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/sbin/sshd"];
        let there = programs.iter().find(|path| Path::new(path).exists());
        let Some(program) = there else {
            crate::skip("OpenSSH is not installed (`apt-get install openssh-server`)");
            return None;
        };
        // Only needed, and only possible, as root.
        let _ = fs::create_dir(PRIVSEP_DIR);
        let dir = dir.join("ssh");
        fs::create_dir(&dir).expect("a folder");
        for name in ["host", "key", "other"] {
            let mut command = Command::new("ssh-keygen");
            command
                .args(["-q", "-t", "ed25519", "-N", "", "-f"])
                .arg(dir.join(name));
            assert!(command.status().is_ok_and(|status| status.success()));
        }
        let user = Command::new("id").arg("-un").output().expect("a name");
        let user = String::from_utf8_lossy(&user.stdout).trim().to_owned();
        fs::copy(dir.join("key.pub"), dir.join("authorized")).expect("copied");
        // Another process may take the port before the server does.
        let server = (0..20).find_map(|_| Self::run(program, &dir, &user, version));
        let log = fs::read_to_string(dir.join("log")).unwrap_or_default();
        let server = server.unwrap_or_else(|| panic!("sshd does not start: {log}"));
        server.trust_host("host");
        Some(server)
    }

    /// Starts the server on a free port. Returns `None` if it exits.
    fn run(program: &str, dir: &Path, user: &str, version: bool) -> Option<Self> {
        let port = free_port();
        fs::write(dir.join("config"), sshd_config(dir, port, version)).expect("written");
        let log = fs::File::create(dir.join("log")).expect("a file");
        let child = Command::new(program)
            .args(["-D", "-e", "-f"])
            .arg(dir.join("config"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("sshd");
        let mut server = Self {
            child,
            port,
            dir: dir.to_path_buf(),
            user: user.to_owned(),
        };
        let ended = |server: &mut Self| server.child.try_wait().expect("a state").is_some();
        let _ = (0..400).any(|_| {
            thread::sleep(Duration::from_millis(25));
            ended(&mut server) || TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        // The connection may have been accepted by another process.
        thread::sleep(Duration::from_millis(50));
        (!ended(&mut server)).then_some(server)
    }

    /// Adds a key to [`known_hosts`](Self::known_hosts) as the key of the host.
    ///
    /// # Panics
    /// When the key does not exist.
    pub fn trust_host(&self, name: &str) {
        let key = fs::read_to_string(self.dir.join(format!("{name}.pub"))).expect("a key");
        let line = format!("[127.0.0.1]:{} {key}", self.port);
        fs::write(self.known_hosts(), line).expect("written");
    }

    /// Path of a private key.
    pub fn key(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Path of the `known_hosts` file. Its name contains a space, which must be supported.
    pub fn known_hosts(&self) -> PathBuf {
        self.dir.join("known hosts")
    }

    /// URL of a local repository on this server.
    pub fn url(&self, path: &Path) -> String {
        let (user, port) = (&self.user, self.port);
        format!("ssh://{user}@127.0.0.1:{port}{}", path.display())
    }
}

fn sshd_config(dir: &Path, port: u16, version: bool) -> String {
    let dir = dir.display();
    let accept = if version {
        "AcceptEnv GIT_PROTOCOL\n"
    } else {
        ""
    };
    format!(
        "ListenAddress 127.0.0.1\nPort {port}\nHostKey {dir}/host\nPidFile none\n\
         AuthorizedKeysFile {dir}/authorized\nStrictModes no\nUsePAM no\n\
         PasswordAuthentication no\nKbdInteractiveAuthentication no\n\
         PermitRootLogin prohibit-password\nLogLevel ERROR\n{accept}"
    )
}
