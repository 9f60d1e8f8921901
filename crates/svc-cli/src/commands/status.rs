//! `svc status`.

use std::io::{self, IsTerminal as _, Write as _};
use std::thread;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use svc_diagnostics::escape_control_chars;

use super::control::{ControlReply, ServerArgs, format_deployment, format_preview, text};
use super::output::{eprint_escaped, print};
use crate::exit::Exit;

/// Show the deployments and previews of a running server.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 the newest deployments are live, 1 one of them failed, 2 the server does not respond. Previews do not affect the status."
)]
pub(crate) struct Arguments {
    /// Project whose deployments to list, or id of a deployment whose log and problems to show
    project: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the status again whenever it changes. Ends when the deployment has finished, or when
    /// interrupted
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    server: ServerArgs,
}

/// Maximum number of printed deployments of a project.
const MAX_DEPLOYMENTS: usize = 20;

/// Interval at which `--watch` requests the status.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);

/// The status at one moment.
struct StatusReport {
    /// Response of the server.
    document: Value,
    /// The response as text.
    text: String,
    exit: Exit,
    /// Whether it is about a deployment that has finished, and does not change anymore.
    is_final: bool,
}

impl StatusReport {
    /// What the command prints.
    fn output(&self, json: bool) -> String {
        match json {
            true => format!("{:#}\n", self.document),
            false => self.text.clone(),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    if arguments.watch {
        return watch(arguments);
    }
    match request(arguments)? {
        Ok(report) => {
            print(&report.output(arguments.json))?;
            Ok(report.exit)
        }
        Err(exit) => Ok(exit),
    }
}

/// Prints the status whenever it changes, until a deployment has finished or the reader is gone. A
/// server that does not respond may be restarting.
fn watch(arguments: &Arguments) -> io::Result<Exit> {
    let is_terminal = io::stdout().is_terminal();
    let (mut last, mut is_lost) = (None, false);
    loop {
        match request(arguments) {
            Ok(Err(exit)) => return Ok(exit),
            Ok(Ok(report)) => {
                is_lost = false;
                let is_changed = last.as_ref() != Some(&report.document);
                // Ages of deployments change all the time; only a terminal shows them.
                if is_changed || is_terminal {
                    let output = report.output(arguments.json);
                    let separator = match is_terminal {
                        true => CLEAR_SCREEN,
                        false if last.is_some() && !arguments.json => "\n",
                        false => "",
                    };
                    if !write(&format!("{separator}{output}"))? {
                        return Ok(report.exit);
                    }
                }
                if report.is_final {
                    return Ok(report.exit);
                }
                last = Some(report.document);
            }
            // The first request must succeed.
            Err(error) if last.is_none() => return Err(error),
            Err(error) => {
                if !is_lost {
                    eprint_escaped(&format!("svc: {error}; trying again\n"));
                }
                is_lost = true;
            }
        }
        thread::sleep(WATCH_INTERVAL);
    }
}

/// Moves the cursor of a terminal to the top, and clears what is below.
const CLEAR_SCREEN: &str = "\u{1b}[H\u{1b}[J";

/// Writes to standard output; `false` if its reader is gone.
fn write(text: &str) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}

/// Requests the status; the exit status if the server rejected the request.
fn request(arguments: &Arguments) -> io::Result<Result<StatusReport, Exit>> {
    let server = &arguments.server;
    let projects = match server.request("GET", "/projects", &json!({}))? {
        ControlReply::Response(response) => response,
        ControlReply::Rejected(exit) => return Ok(Err(exit)),
    };
    let Some(name) = &arguments.project else {
        return Ok(Ok(projects_report(projects)));
    };
    let list = projects.get("projects").and_then(Value::as_array);
    let mut entries = list.into_iter().flatten();
    let project = entries.find(|project| text(project, "id") == name);
    let path = match project {
        Some(_) => format!("/deployments?project={name}"),
        None => format!("/deployments/{name}"),
    };
    let response = match server.request("GET", &path, &json!({}))? {
        ControlReply::Response(response) => response,
        ControlReply::Rejected(exit) => return Ok(Err(exit)),
    };
    Ok(Ok(match response.get("deployment") {
        Some(deployment) => StatusReport {
            text: format_report(deployment, &response),
            exit: exit_of(Some(deployment)),
            is_final: !["queued", "building"].contains(&text(deployment, "state")),
            document: response,
        },
        None => deployments_report(project, response),
    }))
}

/// The deployments and previews of a project.
fn deployments_report(project: Option<&Value>, response: Value) -> StatusReport {
    let list = response.get("deployments").and_then(Value::as_array);
    let lines = list.into_iter().flatten().take(MAX_DEPLOYMENTS);
    let mut out: String = lines
        .map(|deployment| format!("{}\n", format_deployment(deployment)))
        .collect();
    out.push_str(&project.map(previews).unwrap_or_default());
    StatusReport {
        text: out,
        exit: exit_of(list.and_then(|list| list.first())),
        is_final: false,
        document: response,
    }
}

/// The newest and live deployments of all projects.
fn projects_report(projects: Value) -> StatusReport {
    let (mut exit, mut out) = (Exit::Success, String::new());
    let list = projects.get("projects").and_then(Value::as_array);
    for project in list.into_iter().flatten() {
        let field = |name: &str| project.get(name).filter(|value| !value.is_null());
        let (live, newest) = (field("live"), field("newest"));
        if exit_of(newest) != Exit::Success {
            exit = Exit::Problems;
        }
        if newest.is_none() {
            out.push_str(&format!("{} has no deployment\n", text(project, "id")));
        }
        for deployment in newest.into_iter().chain(live.filter(|_| live != newest)) {
            out.push_str(&format!("{}\n", format_deployment(deployment)));
        }
        out.push_str(&previews(project));
    }
    StatusReport {
        text: out,
        exit,
        is_final: false,
        document: projects,
    }
}

/// Formats the previews of a project, one per line.
fn previews(project: &Value) -> String {
    let list = project.get("previews").and_then(Value::as_array);
    let lines = list.into_iter().flatten();
    lines
        .map(|preview| format!("  {}\n", format_preview(preview)))
        .collect()
}

fn format_report(deployment: &Value, response: &Value) -> String {
    let mut out = format!("{}\n", format_deployment(deployment));
    let log = response.pointer("/report/log").and_then(Value::as_array);
    for line in log.into_iter().flatten() {
        out.push_str(&format!("  {}\n", text(line, "text")));
    }
    let problems = response.pointer("/report/problems").and_then(Value::as_str);
    out.push_str(problems.unwrap_or_default());
    escape_control_chars(&out)
}

fn exit_of(deployment: Option<&Value>) -> Exit {
    match deployment.map(|value| text(value, "state")) {
        Some("failed") => Exit::Problems,
        _ => Exit::Success,
    }
}
