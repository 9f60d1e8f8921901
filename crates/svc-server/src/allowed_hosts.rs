//! Hosts at which the server of a single folder responds.
//!
//! A malicious page can point its own host name to this machine (DNS rebinding), and its scripts
//! could then read the site. A server without configured hosts therefore only responds at names
//! that cannot be rebound: those of this machine, IP addresses, and names without a dot.

use std::net::Ipv4Addr;
use std::sync::Arc;

use clap::Args;
use http::StatusCode;
use http::request::Parts;

use crate::reply::{self, Response};
use crate::service::{BodyRouter, Reply, Responder};
use crate::sites::{canonical, requested_host};
use crate::{Host, path, site};

/// Command-line options for the hosts of a single-folder server.
#[derive(Debug, Clone, Default, Args)]
pub struct HostArgs {
    /// Allow requests for this host: `docs.example.com`, or `*` for every host. Always allowed are
    /// the names of this machine, IP addresses, names without a dot, and the host of --origin. Can
    /// be repeated
    #[arg(long, value_name = "HOST", value_parser = parse)]
    allow_host: Vec<AllowedHost>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum AllowedHost {
    Any,
    Host(Host),
}

fn parse(text: &str) -> Result<AllowedHost, &'static str> {
    match text {
        "*" => Ok(AllowedHost::Any),
        name => Host::parse(name)
            .map(AllowedHost::Host)
            .map_err(|_| "write a host without a scheme or port: `docs.example.com`"),
    }
}

impl HostArgs {
    /// The allowed hosts of a site with the public origin `origin`, which can be empty.
    pub fn hosts(&self, origin: &str) -> AllowedHosts {
        let flags = self.allow_host.iter();
        let names = flags.clone().filter_map(|host| match host {
            AllowedHost::Host(host) => Some(host.clone()),
            AllowedHost::Any => None,
        });
        let origin = url::Url::parse(origin).ok();
        let origin = origin.as_ref().and_then(url::Url::host_str);
        AllowedHosts {
            hosts: names
                .chain(origin.and_then(|host| Host::parse(host).ok()))
                .collect(),
            any: flags.clone().any(|host| *host == AllowedHost::Any),
            machine: machine_name(),
        }
    }
}

/// Hosts at which a single-folder server responds, in addition to those that are always allowed.
#[derive(Debug, Clone, Default)]
pub struct AllowedHosts {
    hosts: Arc<[Host]>,
    any: bool,
    /// Name of this machine.
    machine: Option<String>,
}

impl AllowedHosts {
    /// Whether the host of a request is allowed. A request without a host does not come from a
    /// browser.
    fn allow(&self, parts: &Parts) -> bool {
        let Some(authority) = requested_host(parts).filter(|_| !self.any) else {
            return true;
        };
        let is_allowed = canonical(authority).is_some_and(|name| self.allows_name(&name));
        // Health checks may use any host name.
        let is_health =
            || path::normalize(parts.uri.path()).is_some_and(|path| path == site::HEALTH);
        is_allowed || is_health()
    }

    fn allows_name(&self, name: &str) -> bool {
        let is_ip = name.starts_with('[') || name.parse::<Ipv4Addr>().is_ok();
        is_ip
            || !name.contains('.')
            || name.ends_with(".localhost")
            || self.hosts.iter().any(|host| host.as_str() == name)
            || self
                .machine
                .as_deref()
                .is_some_and(|machine| is_this_machine(machine, name))
    }

    /// Rejects requests for other hosts with 421.
    pub(crate) fn responder(&self, inner: Responder) -> Responder {
        let hosts = self.clone();
        Arc::new(move |parts: &Parts| match hosts.allow(parts) {
            true => inner(parts),
            false => Reply::Ready(misdirected()),
        })
    }

    /// Rejects requests with a body for other hosts.
    pub(crate) fn with_body_router(&self, inner: BodyRouter) -> BodyRouter {
        let hosts = self.clone();
        Arc::new(move |parts: &Parts| {
            let taken = inner(parts)?;
            Some(match hosts.allow(parts) {
                true => taken,
                false => Box::new(|_, _| Box::pin(async { misdirected() })),
            })
        })
    }
}

fn misdirected() -> Response {
    reply::plain(
        StatusCode::MISDIRECTED_REQUEST,
        "This host is not allowed. To allow it, start the server with `--allow-host HOST`.",
    )
}

/// Name of this machine in lower case; `None` if the operating system does not provide it.
fn machine_name() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    let name = Host::parse(name.trim()).ok()?;
    Some(name.to_string())
}

/// Whether a host is the name of this machine, or its first label with a local domain.
fn is_this_machine(machine: &str, host: &str) -> bool {
    let label = machine.split('.').next().unwrap_or(machine);
    host == machine || host.strip_suffix(".local") == Some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(hosts: &AllowedHosts, host: &str) -> bool {
        let request = http::Request::get("/").header("host", host).body(());
        hosts.allow(&request.unwrap().into_parts().0)
    }

    #[test]
    fn a_server_without_hosts_responds_only_at_names_that_cannot_be_rebound() {
        let hosts = HostArgs::default().hosts("https://docs.example.com");
        for host in [
            "localhost",
            "LOCALHOST.:3000",
            "a.localhost:3000",
            "127.0.0.1",
            "192.168.7.9:8080",
            "[::1]:8080",
            "web:8080",
            "Docs.Example.com",
        ] {
            assert!(allows(&hosts, host), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:8080",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "a.docs.example.com",
            "notlocalhost.com",
        ] {
            assert!(!allows(&hosts, host), "{host}");
        }
        if let Some(machine) = machine_name() {
            assert!(allows(&hosts, &machine), "{machine}");
        }
        assert!(is_this_machine("box.lan", "box.lan") && is_this_machine("box.lan", "box.local"));
        assert!(
            !is_this_machine("box.lan", "other.local")
                && !is_this_machine("box.lan", "x.box.local")
        );
    }

    #[test]
    fn other_hosts_must_be_allowed() {
        let flags = |texts: &[&str]| HostArgs {
            allow_host: texts.iter().map(|text| parse(text).unwrap()).collect(),
        };
        let one = flags(&["Docs.example.com", "b.example"]).hosts("");
        assert!(allows(&one, "docs.example.com:80") && allows(&one, "b.example"));
        assert!(!allows(&one, "evil.example"));
        assert!(allows(&flags(&["*"]).hosts(""), "evil.example"));
        for invalid in ["https://a.example", "a.example:80", "*.example.com", ""] {
            assert!(parse(invalid).is_err(), "{invalid}");
        }
    }
}
