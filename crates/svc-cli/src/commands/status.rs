//! `svc status`.

use std::io;

use clap::Args;
use serde_json::{Value, json};
use svc_diagnostics::escape_control_chars;

use super::control::{ControlReply, ServerArgs, format_deployment, format_preview, text};
use super::output::print;
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
    #[command(flatten)]
    server: ServerArgs,
}

/// Maximum number of printed deployments of a project.
const MAX_DEPLOYMENTS: usize = 20;

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let server = &arguments.server;
    let projects = match server.request("GET", "/projects", &json!({}))? {
        ControlReply::Response(response) => response,
        ControlReply::Rejected(exit) => return Ok(exit),
    };
    let mut entries = projects
        .get("projects")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let Some(name) = &arguments.project else {
        return print_projects(arguments, &projects);
    };
    let project = entries.find(|project| text(project, "id") == name);
    let path = match project {
        Some(_) => format!("/deployments?project={name}"),
        None => format!("/deployments/{name}"),
    };
    let response = match server.request("GET", &path, &json!({}))? {
        ControlReply::Response(response) => response,
        ControlReply::Rejected(exit) => return Ok(exit),
    };
    if arguments.json {
        print(&format!("{response:#}\n"))?;
    }
    if let Some(deployment) = response.get("deployment") {
        if !arguments.json {
            print(&format_report(deployment, &response))?;
        }
        return Ok(exit_of(Some(deployment)));
    }
    let list = response.get("deployments").and_then(Value::as_array);
    if !arguments.json {
        for deployment in list.into_iter().flatten().take(MAX_DEPLOYMENTS) {
            print(&format!("{}\n", format_deployment(deployment)))?;
        }
        print(&project.map(previews).unwrap_or_default())?;
    }
    Ok(exit_of(list.and_then(|list| list.first())))
}

fn print_projects(arguments: &Arguments, projects: &Value) -> io::Result<Exit> {
    if arguments.json {
        print(&format!("{projects:#}\n"))?;
    }
    let mut exit = Exit::Success;
    let list = projects.get("projects").and_then(Value::as_array);
    for project in list.into_iter().flatten() {
        let field = |name: &str| project.get(name).filter(|value| !value.is_null());
        let (live, newest) = (field("live"), field("newest"));
        if exit_of(newest) != Exit::Success {
            exit = Exit::Problems;
        }
        if arguments.json {
            continue;
        }
        if newest.is_none() {
            print(&format!("{} has no deployment\n", text(project, "id")))?;
        }
        for deployment in newest.into_iter().chain(live.filter(|_| live != newest)) {
            print(&format!("{}\n", format_deployment(deployment)))?;
        }
        print(&previews(project))?;
    }
    Ok(exit)
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
