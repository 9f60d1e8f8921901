//! `[tls.acme]`.

use super::*;

/// A file with every key of the table. It excludes keys of [`FULL`].
const ACME: &str = include_str!("../acme.toml");

fn settings(toml: &str) -> AcmeSettings {
    let read = read(toml);
    let text = read.render_text();
    assert_eq!(diagnostics(&read), Vec::<String>::new(), "{text}");
    let tls = read.settings.expect("settings").tls.expect("TLS");
    tls.acme.expect("ACME")
}

fn hosts(settings: &AcmeSettings) -> Vec<&str> {
    settings.hosts.iter().map(Host::as_str).collect()
}

#[test]
fn a_table_with_every_key_is_read_in_full() {
    let acme = settings(ACME);
    assert_eq!(acme.directory, "https://ca.internal:9000/acme/directory");
    assert_eq!(acme.email.as_deref(), Some("ops@example.com"));
    assert_eq!(acme.challenge, AcmeChallenge::Http01);
    assert_eq!(acme.roots.len(), 1);
    assert_eq!(
        hosts(&acme),
        ["handbook.docs.example.com", "xn--bcher-kva.example"]
    );
}

#[test]
fn the_hosts_are_those_of_the_projects_and_the_administration() {
    let minimal = format!("{SHORT}[tls.acme]\naccept_terms = true\n");
    let acme = settings(&minimal);
    assert_eq!(hosts(&acme), ["a.example"]);
    assert_eq!(acme.challenge, AcmeChallenge::TlsAlpn01);
    assert_eq!(
        acme.directory,
        "https://acme-v02.api.letsencrypt.org/directory"
    );
    let more = minimal.replace(
        "[\"a.example\"]",
        "[\"a.example\", \"localhost\", \"127.0.0.1\", \"[::1]\"]",
    );
    let more = format!("{more}[admin]\nhost = \"admin.example\"\n");
    assert_eq!(hosts(&settings(&more)), ["a.example", "admin.example"]);
}

#[test]
fn every_mistake_has_a_message_and_a_hint() {
    const ACCEPTED: &str = "[tls.acme]\naccept_terms = true\n";
    let all = [
        (
            "[tls.acme]\n",
            "6:1 settings-missing",
            "`accept_terms` is missing",
            "add `accept_terms = true`",
        ),
        (
            "[tls.acme]\naccept_terms = false\n",
            "7:16 settings-value",
            "`accept_terms` must be `true`",
            "read the terms of service",
        ),
        (
            "[tls.acme]\naccept_terms = \"yes\"\n",
            "7:16 settings-type",
            "`accept_terms` must be",
            "write `true` or `false`",
        ),
        (
            "email = \"mailto:ops@example.com\"\n",
            "8:9 settings-value",
            "invalid `email`",
            "without `mailto:`",
        ),
        (
            "email = \"ops\"\n",
            "8:9 settings-value",
            "invalid `email`",
            "`ops@example.com`",
        ),
        (
            "email = \"a@b.example, c@d.example\"\n",
            "8:9 settings-value",
            "invalid `email`",
            "one e-mail address",
        ),
        (
            "directory = \"http://ca.example/\"\n",
            "8:13 settings-value",
            "invalid `directory`",
            "`https://`",
        ),
        (
            "directory = \"letsencrypt\"\n",
            "8:13 settings-value",
            "invalid `directory`",
            "write a URL",
        ),
        (
            "directory = \"https://a:b@ca.example/\"\n",
            "8:13 settings-value",
            "invalid `directory`",
            "user name or a password",
        ),
        (
            "ca_file = \"missing.pem\"\n",
            "8:11 settings-certificate",
            "cannot be read",
            "can read",
        ),
        (
            "ca_file = \"tls/privkey.pem\"\n",
            "8:11 settings-certificate",
            "contains no certificate",
            "BEGIN CERTIFICATE",
        ),
        (
            "challenge = \"dns-01\"\n",
            "8:13 settings-value",
            "invalid `challenge`",
            "another ACME client",
        ),
        (
            "challenge = \"http\"\n",
            "8:13 settings-value",
            "invalid `challenge`",
            "`tls-alpn-01` or `http-01`",
        ),
        (
            "challenge = \"http-01\"\n",
            "8:1 settings-conflict",
            "requires `redirect_listen`",
            "redirect_listen = \"[::]:80\"",
        ),
        (
            "hosts = []\n",
            "8:1 settings-missing",
            "`hosts` is empty",
            "remove the key",
        ),
        (
            "hosts = [\"a.example\", \"*.example\"]\n",
            "8:23 settings-value",
            "invalid `hosts`",
            "[[tls.certificates]]",
        ),
        (
            "hosts = \"{preview}.example\"\n",
            "8:9 settings-value",
            "invalid `hosts`",
            "DNS challenge",
        ),
        (
            "hosts = \"a.example:443\"\n",
            "8:9 settings-value",
            "invalid `hosts`",
            "without a port",
        ),
        (
            "hosts = \"192.0.2.1\"\n",
            "8:9 settings-value",
            "invalid `hosts`",
            "host name",
        ),
        (
            "hosts = \"[2001:db8::1]\"\n",
            "8:9 settings-value",
            "invalid `hosts`",
            "host name",
        ),
        (
            "hosts = [\"a.example\", \"A.example\"]\n",
            "8:23 settings-value",
            "invalid `hosts`",
            "listed twice",
        ),
        (
            "hosts = \"a.{docs_domain}\"\n",
            "8:9 settings-value",
            "invalid `hosts`",
            "docs_domain",
        ),
        ("dns = true\n", "8:1 settings-unknown-key", "`dns`", ""),
        (
            "[objects]\nurl = \"file:///srv\"\n[admin]\nstore_file = \"store\"\n",
            "6:1 settings-conflict",
            "cannot be combined with `[objects]`",
            "load balancer",
        ),
    ];
    for (lines, expected, message, hint) in all {
        let table = match lines.starts_with("[tls.acme]") {
            true => lines.to_owned(),
            false => format!("{ACCEPTED}{lines}"),
        };
        let read = read(&format!("{SHORT}{table}"));
        assert_eq!(diagnostics(&read), [expected], "{lines}");
        let found = &read.diagnostics[0];
        assert!(
            found.message.contains(message),
            "{lines}: {}",
            found.message
        );
        let shown = found.hint.clone().unwrap_or_default();
        assert!(shown.contains(hint), "{lines}: {shown}");
    }
}

#[test]
fn files_exclude_the_table_and_further_certificates_do_not() {
    let files = "certificate_file = \"tls/fullchain.pem\"\nkey_file = \"tls/privkey.pem\"\n";
    let acme = "[tls.acme]\naccept_terms = true\n";
    let both = read(&format!("{SHORT}[tls]\n{files}{acme}"));
    assert_eq!(diagnostics(&both), ["9:6 settings-conflict"]);
    let text = both.render_text();
    assert!(text.contains("exclude each other"), "{text}");
    let further = format!("{SHORT}{acme}[[tls.certificates]]\n{files}");
    assert_eq!(diagnostics(&read(&further)), Vec::<String>::new());
}

#[test]
fn a_server_without_public_hosts_needs_a_list() {
    let local = SHORT.replace("a.example", "localhost");
    let read = read(&format!("{local}[tls.acme]\naccept_terms = true\n"));
    assert_eq!(diagnostics(&read), ["6:1 settings-missing"]);
    let text = read.render_text();
    assert!(text.contains("no host can get a certificate"), "{text}");
}
