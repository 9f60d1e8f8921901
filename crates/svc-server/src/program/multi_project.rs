//! `--config`: a server with several projects.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::notify::{ServiceState, notify};
#[cfg(feature = "traces")]
use crate::traces::Traces;
use crate::{InheritedSockets, Limits, ParsedSettings, Projects, Settings, pluralize, stop_signal};
use clap::ArgMatches;
use clap::parser::ValueSource;
use tracing::{error, warn};

/// Options for a single folder, and the equivalent settings.
const EQUIVALENTS: &[(&str, &str, &str)] = &[
    ("dir", "DIR", "`folder` in `[projects.source]`"),
    ("listen", "--listen", "`listen`"),
    ("data", "--data", "`data`"),
    ("tls_cert", "--tls-cert", "`certificate_file` in `[tls]`"),
    ("tls_key", "--tls-key", "`key_file` in `[tls]`"),
    ("base_path", "--base-path", "`base_path` of the project"),
    ("origin", "--origin", "`origin` of the project"),
    ("allow_host", "--allow-host", "`hosts` of the project"),
    (
        "without_scripts",
        "--without-scripts",
        "`scripts = false` of the project",
    ),
    (
        "without_web_fonts",
        "--without-web-fonts",
        "`web_fonts = false` of the project",
    ),
    (
        "without_image_variants",
        "--without-image-variants",
        "`image_variants = false`",
    ),
    (
        "serve_protected",
        "--serve-protected",
        "`serve_protected = true` of the project",
    ),
    ("watch", "--watch", "`watch` in `[projects.source]`"),
    ("no_relay", "--no-relay", "`relay = false` in `[outbound]`"),
    (
        "relay_allow",
        "--relay-allow",
        "`relay_allow` in `[outbound]`",
    ),
    ("log_format", "--log-format", "`format` in `[log]`"),
    ("log_level", "--log-level", "`level` in `[log]`"),
    ("access_log", "--access-log", "`access` in `[log]`"),
    ("admin_listen", "--admin-listen", "`listen` in `[admin]`"),
    ("offline", "--offline", "`offline` in `[outbound]`"),
    (
        "remote_allow",
        "--remote-allow",
        "`remote_allow` in `[outbound]`",
    ),
    (
        "remote_refresh",
        "--remote-refresh",
        "`remote_refresh` in `[outbound]`",
    ),
    (
        "local_schema",
        "--local-schema",
        "`remote_http` and `remote_allow` in `[outbound]`",
    ),
];

/// Error message if options that conflict with `--config` are given; `None` otherwise.
pub(super) fn conflicting_options(matches: &ArgMatches) -> Option<String> {
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let mut text = String::new();
    for (_, name, setting) in EQUIVALENTS.iter().filter(|(id, _, _)| is_given(id)) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "  {name}: set {setting}");
    }
    (!text.is_empty())
        .then(|| format!("with --config, these options must be set in the settings file:\n{text}"))
}

/// Reads the settings file.
fn read(path: &Path) -> std::io::Result<ParsedSettings> {
    let name = |error: std::io::Error| {
        std::io::Error::new(error.kind(), format!("{}: {error}", path.display()))
    };
    Settings::from_file(path).map_err(name)
}

/// Reads the settings file and prints its diagnostics. Returns `None` if it has errors.
fn read_and_print(path: &Path) -> std::io::Result<Option<Settings>> {
    let read = read(path)?;
    eprint!("{}", read.render_text());
    Ok(read.settings)
}

/// Reads the settings file and logs its diagnostics. Returns `None` if it has errors.
fn reload(path: &Path) -> Option<Settings> {
    let read = match read(path) {
        Ok(read) => read,
        Err(error) => {
            error!("{error}; the settings were not reloaded");
            return None;
        }
    };
    let details = read.render_text();
    match &read.settings {
        None => error!(details, "the settings were not reloaded"),
        Some(_) if !details.is_empty() => warn!(details, "the settings have problems"),
        Some(_) => {}
    }
    read.settings
}

/// `--check`: only prints the diagnostics of the settings.
pub(super) fn check(path: &Path) -> ExitCode {
    match read_and_print(path) {
        Ok(Some(settings)) => {
            println!("{}: {}", path.display(), summary(&settings));
            ExitCode::SUCCESS
        }
        Ok(None) => ExitCode::FAILURE,
        Err(error) => unusable(&error),
    }
}

fn unusable(error: &std::io::Error) -> ExitCode {
    eprintln!("svc-server: {error}");
    ExitCode::from(2)
}

/// Formats a summary such as `3 projects at 4 hosts`.
fn summary(settings: &Settings) -> String {
    let hosts = settings.projects.iter().map(|project| project.hosts.len());
    format!(
        "{} at {}",
        pluralize(settings.projects.len(), "project"),
        pluralize(hosts.sum(), "host")
    )
}

/// Serves the projects of a settings file until a stop signal.
pub(super) fn serve(path: &Path) -> ExitCode {
    let settings = match read_and_print(path) {
        Ok(Some(settings)) => settings,
        Ok(None) => return ExitCode::FAILURE,
        Err(error) => return unusable(&error),
    };
    let runtime = match super::runtime::start() {
        Ok(runtime) => runtime,
        Err(error) => return unusable(&error),
    };
    let served = runtime.block_on(run(settings, path.to_owned()));
    super::runtime::stop(runtime);
    match served {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("svc-server: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns `false` if the server was interrupted by a second signal.
async fn run(settings: Settings, path: PathBuf) -> std::io::Result<bool> {
    let line = summary(&settings);
    #[cfg(feature = "traces")]
    let (_traces, spans) = match &settings.traces {
        Some(traces) => {
            let (traces, spans) = Traces::start(traces)?;
            (Some(traces), Some(spans))
        }
        None => (None, None),
    };
    #[cfg(not(feature = "traces"))]
    let spans = None;
    let log = settings.log.init_with(str::to_owned, spans);
    let has_admin_tls = settings
        .admin
        .as_ref()
        .is_some_and(|admin| admin.tls.is_some());
    let sockets = InheritedSockets::from_environment()?;
    let projects = Projects::start_at(settings, Limits::of_this_process(), sockets).await?;
    let stop = stop_signal();
    let addr = projects.local_addr()?;
    let scheme = super::scheme(projects.is_encrypted());
    log.announce(&format!(
        "svc-server listens on {scheme}://{addr} ({line})\n"
    ));
    let admin = match projects.admin_addr() {
        (Some(addr), _) => {
            let scheme = super::scheme(has_admin_tls);
            Some(format!("on {scheme}://{addr}"))
        }
        (None, host) => host.map(|host| format!("at the host {host}")),
    };
    if let Some(admin) = admin {
        log.announce(&format!("svc-server serves the administration {admin}\n"));
    }
    if let Some(addr) = projects.metrics_addr() {
        let url = format!("http://{addr}/metrics");
        log.announce(&format!("svc-server serves metrics on {url}\n"));
    }
    notify(ServiceState::Ready);
    let stop = async move {
        stop.await;
        notify(ServiceState::Stopping);
    };
    let serving = projects.run(move || reload(&path), stop);
    Ok(super::interruptible(serving).await)
}
