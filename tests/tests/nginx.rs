//! A running nginx, with settings of the documentation or of `packaging/`.

use std::error::Error;
use std::fs;
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::recipes::nginx_settings;

const START_TIMEOUT: Duration = Duration::from_secs(20);

/// A running nginx; it stops when this is dropped.
pub(crate) struct Nginx(Child);

impl Nginx {
    /// Starts nginx with the servers of `site` and its files in `dir`, and waits until it listens at
    /// `port`.
    pub(crate) fn start(dir: &Path, site: &str, port: u16) -> Result<Self, Box<dyn Error>> {
        let at = dir.display().to_string();
        let (file, settings) = (dir.join("nginx.conf"), nginx_settings(&at, site));
        fs::write(
            &file,
            format!("daemon off;\nmaster_process off;\n{settings}"),
        )?;
        let child = Command::new("/usr/sbin/nginx")
            .args(["-p", &at, "-e", "stderr", "-c"])
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let nginx = Self(child);
        let begin = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if begin.elapsed() > START_TIMEOUT {
                return Err(fs::read_to_string(dir.join("error.log"))?.into());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(nginx)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
