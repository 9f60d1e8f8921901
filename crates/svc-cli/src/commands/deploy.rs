//! `svc deploy`.

use std::io;
use std::thread;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use super::control::{ControlReply, ServerArgs, format_deployment, text};
use super::{eprint_escaped, print};
use crate::exit::Exit;

/// Deploy a project of a running server.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 asked for (with --wait: live), 1 refused or not live, 2 no server answers."
)]
pub(crate) struct Arguments {
    /// The project; without it, all of them
    project: Option<String>,
    /// A branch other than that of the settings
    #[arg(long, value_name = "BRANCH", requires = "project")]
    branch: Option<String>,
    /// A branch to deploy as a preview beside the site, by the settings for previews
    #[arg(
        long,
        value_name = "BRANCH",
        requires = "project",
        conflicts_with = "branch"
    )]
    preview: Option<String>,
    /// Wait until it is live or has failed, and print its log and the address of a preview
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let server = &arguments.server;
    let asked = match (&arguments.project, &arguments.preview) {
        (Some(project), Some(branch)) => {
            let path = format!("/projects/{project}/previews");
            server.request("POST", &path, &json!({ "branch": branch }))?
        }
        (Some(project), None) => {
            let path = format!("/projects/{project}/deployments");
            server.request("POST", &path, &json!({ "branch": arguments.branch }))?
        }
        (None, _) => server.request("POST", "/deployments", &json!({}))?,
    };
    let answer = match asked {
        ControlReply::Response(answer) => answer,
        ControlReply::Rejected(exit) => return Ok(exit),
    };
    let ids = answer.get("deployments").and_then(Value::as_array);
    let ids: Vec<&str> = ids
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut exit = Exit::Success;
    for id in ids {
        if !arguments.wait {
            print(&format!("{id}\n"))?;
            continue;
        }
        if wait(server, id)? != Exit::Success {
            exit = Exit::Problems;
        }
    }
    // Nothing is at the address before the preview is live, and perhaps never.
    let address = answer.get("address").and_then(Value::as_str);
    if let Some(address) = address.filter(|_| arguments.wait && exit == Exit::Success) {
        print(&format!("{address}\n"))?;
    }
    Ok(exit)
}

/// Prints the log of a deployment as it grows, and in the end what came of it.
fn wait(server: &ServerArgs, id: &str) -> io::Result<Exit> {
    let mut told = 0;
    loop {
        let path = format!("/deployments/{id}");
        let answer = match server.request("GET", &path, &json!({}))? {
            ControlReply::Response(answer) => answer,
            ControlReply::Rejected(exit) => return Ok(exit),
        };
        let log = answer.pointer("/report/log").and_then(Value::as_array);
        for one in log.into_iter().flatten().skip(told) {
            eprint_escaped(&format!("{}\n", text(one, "text")));
            told += 1;
        }
        let deployment = answer.get("deployment").unwrap_or(&Value::Null);
        let state = text(deployment, "state");
        if state == "queued" || state == "building" {
            thread::sleep(Duration::from_millis(200));
            continue;
        }
        if let Some(problems) = answer.pointer("/report/problems").and_then(Value::as_str) {
            eprint_escaped(problems);
        }
        print(&format!("{}\n", format_deployment(deployment)))?;
        return Ok(if state == "live" {
            Exit::Success
        } else {
            Exit::Problems
        });
    }
}
