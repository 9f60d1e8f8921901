//! A server of SSH for tests, on loopback, as the account that runs them.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Where a server that root starts looks for its empty folder. Debian makes it when the machine
/// starts its services, which a container does not.
const PRIVSEP_DIR: &str = "/run/sshd";

/// A running server. It ends with the value.
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
    /// Starts a server with keys of its own in a folder; nothing where OpenSSH is not installed,
    /// which is printed. `version` says whether it passes the version of Git's protocol on, as
    /// forges do. It lets the key `key` in, and not the key `other`.
    ///
    /// # Panics
    /// When it is installed and does not start.
    pub fn start(folder: &Path, version: bool) -> Option<Self> {
        let programs = ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/sbin/sshd"];
        let there = programs.iter().find(|path| Path::new(path).exists());
        let Some(program) = there else {
            #[expect(
                clippy::print_stderr,
                reason = "a test that does nothing has to say so"
            )]
            {
                eprintln!("skipped: OpenSSH is not installed (`apt-get install openssh-server`)");
            }
            return None;
        };
        // Whoever is not root does not need it, and cannot make it.
        let _ = fs::create_dir(PRIVSEP_DIR);
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
        // Another process may take the port between looking for one and using it.
        let server = (0..20).find_map(|_| Self::run(program, &folder, &user, version));
        let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
        let server = server.unwrap_or_else(|| panic!("sshd does not start: {log}"));
        server.trust_host("host");
        Some(server)
    }

    /// Runs the server at a free port; nothing when it ends.
    fn run(program: &str, folder: &Path, user: &str, version: bool) -> Option<Self> {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        fs::write(folder.join("config"), sshd_config(folder, port, version)).expect("written");
        let log = fs::File::create(folder.join("log")).expect("a file");
        let child = Command::new(program)
            .args(["-D", "-e", "-f"])
            .arg(folder.join("config"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("sshd");
        let mut server = Self {
            child,
            port,
            dir: folder.to_path_buf(),
            user: user.to_owned(),
        };
        let ended = |server: &mut Self| server.child.try_wait().expect("a state").is_some();
        let _ = (0..400).any(|_| {
            thread::sleep(Duration::from_millis(25));
            ended(&mut server) || TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
        // What answers may be the other process.
        thread::sleep(Duration::from_millis(50));
        (!ended(&mut server)).then_some(server)
    }

    /// Makes a key that of the host, for whoever asks with [`known_hosts`](Self::known_hosts).
    ///
    /// # Panics
    /// When there is no such key.
    pub fn trust_host(&self, name: &str) {
        let key = fs::read_to_string(self.dir.join(format!("{name}.pub"))).expect("a key");
        let line = format!("[127.0.0.1]:{} {key}", self.port);
        fs::write(self.known_hosts(), line).expect("written");
    }

    /// The file of a private key.
    pub fn key(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The file of known hosts. Its name has a space, as names of files may.
    pub fn known_hosts(&self) -> PathBuf {
        self.dir.join("known hosts")
    }

    /// The address of a repository of this machine.
    pub fn url(&self, path: &Path) -> String {
        let (user, port) = (&self.user, self.port);
        format!("ssh://{user}@127.0.0.1:{port}{}", path.display())
    }
}

fn sshd_config(folder: &Path, port: u16, version: bool) -> String {
    let folder = folder.display();
    let accept = if version {
        "AcceptEnv GIT_PROTOCOL\n"
    } else {
        ""
    };
    format!(
        "ListenAddress 127.0.0.1\nPort {port}\nHostKey {folder}/host\nPidFile none\n\
         AuthorizedKeysFile {folder}/authorized\nStrictModes no\nUsePAM no\n\
         PasswordAuthentication no\nKbdInteractiveAuthentication no\n\
         PermitRootLogin prohibit-password\nLogLevel ERROR\n{accept}"
    )
}
