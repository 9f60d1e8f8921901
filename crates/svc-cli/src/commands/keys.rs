//! `svc keys`.

use std::io;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use svc_admin_api::key::{Key, KeyStore as _, NewKey, create_key, revoke_key};
use svc_admin_api::project::ProjectStore as _;
use svc_admin_api::reader::{
    NewReaderToken, ReaderStore as _, ReaderToken, create_reader_token, revoke_reader_token,
};
use svc_admin_api::{Clock as _, KeyId, ProjectId, RateLimiter, ReaderTokenId, Timestamp};
use svc_server::{StoreArgs, SystemClock, SystemRandom};
use svc_store::Database;

use super::output::{eprint_escaped, print};
use super::store_cli;
use crate::exit::Exit;

/// Create, list and revoke keys of the Admin API, and tokens for readers.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create a key and print its secret, which is not shown again
    Create {
        /// Project of the key
        #[arg(value_parser = store_cli::parse_project)]
        project: ProjectId,
        /// Display name
        #[arg(long)]
        name: String,
        /// Permission: `read`, or `write`, which includes reading
        #[arg(long, default_value = "read", value_name = "SCOPE")]
        scope: String,
        /// IP address or network that the key may be used from, for example `10.0.0.0/8`. Default:
        /// any. May be given several times
        #[arg(long, value_name = "NETWORK")]
        network: Vec<String>,
        /// Create a token for readers instead: it reads the protected pages of the site, and is not
        /// accepted by the Admin API
        #[arg(long, conflicts_with_all = ["scope", "network"])]
        reader: bool,
        /// Group whose pages a token for readers may read. May be given several times
        #[arg(long, value_name = "GROUP", requires = "reader")]
        group: Vec<String>,
        /// Lifetime, for example `90d`. Default: unlimited
        #[arg(long, value_name = "TIME", value_parser = store_cli::parse_duration)]
        expires: Option<Duration>,
    },
    /// List the keys and the tokens for readers of a project
    List {
        /// The project
        #[arg(value_parser = store_cli::parse_project)]
        project: ProjectId,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Revoke a key, or a token for readers
    Revoke {
        /// Project of the key
        #[arg(value_parser = store_cli::parse_project)]
        project: ProjectId,
        /// Id of the key; see `svc keys list`
        id: String,
    },
}

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    store_cli::block_on(async {
        let store = store_cli::open_store(&arguments.store).await?;
        let result = execute(&store, &arguments.command).await;
        store.close().await;
        result
    })
}

async fn execute(store: &Database, command: &Command) -> io::Result<Exit> {
    let clock = SystemClock::default();
    match command {
        Command::Create {
            project,
            name,
            scope,
            network,
            reader,
            group,
            expires,
        } => {
            let expires_at = expires.map(|time| clock.now().plus(time));
            if *reader {
                let new = NewReaderToken {
                    project: project.clone(),
                    name: name.clone(),
                    groups: group.clone(),
                    expires_at,
                };
                return create_token(store, &new).await;
            }
            let new = NewKey {
                project: project.clone(),
                name: name.clone(),
                scopes: vec![scope.clone()],
                networks: network.clone(),
                expires_at,
            };
            let (limits, by) = (RateLimiter::default(), store_cli::initiator());
            let result = create_key(store, &clock, &SystemRandom, &limits, &by, &new).await;
            match result {
                Ok((key, secret)) => {
                    eprint_escaped(&format!(
                        "key {} of `{project}`; the secret is not shown again:\n",
                        key.id
                    ));
                    print(&format!("{}\n", secret.reveal()))?;
                    Ok(Exit::Success)
                }
                Err(error) => {
                    eprint_escaped(&format!("svc: {error}\n"));
                    Ok(Exit::Problems)
                }
            }
        }
        Command::List { project, json } => {
            if store
                .project(project)
                .await
                .map_err(io::Error::other)?
                .is_none()
            {
                eprint_escaped(&format!("svc: there is no project `{project}`\n"));
                return Ok(Exit::Problems);
            }
            let keys = store.keys(project).await.map_err(io::Error::other)?;
            let tokens = store.reader_tokens(project).await;
            let tokens = tokens.map_err(io::Error::other)?;
            if *json {
                let keys = keys.iter().map(value);
                let all: Vec<Value> = keys.chain(tokens.iter().map(token_value)).collect();
                print(&format!("{:#}\n", json!(all)))?;
            } else {
                let now = clock.now();
                let keys = keys.iter().map(|key| row(key, now));
                let tokens = tokens.iter().map(|token| token_row(token, now));
                let rows: Vec<Vec<String>> = keys.chain(tokens).collect();
                print(&store_cli::format_table(&rows))?;
            }
            Ok(Exit::Success)
        }
        Command::Revoke { project, id } => {
            let by = store_cli::initiator();
            let mut revoked = false;
            if let Some(id) = KeyId::parse(id) {
                let result = revoke_key(store, &clock, &by, project, &id).await;
                revoked |= result.map_err(io::Error::other)?;
            }
            if let Some(id) = ReaderTokenId::parse(id) {
                let result = revoke_reader_token(store, &clock, &by, project, &id).await;
                revoked |= result.map_err(io::Error::other)?;
            }
            if revoked {
                return Ok(Exit::Success);
            }
            eprint_escaped(&format!(
                "svc: `{project}` has no key and no token `{id}`\n"
            ));
            Ok(Exit::Problems)
        }
    }
}

async fn create_token(store: &Database, new: &NewReaderToken) -> io::Result<Exit> {
    let (clock, limits) = (SystemClock::default(), RateLimiter::default());
    let by = store_cli::initiator();
    match create_reader_token(store, &clock, &SystemRandom, &limits, &by, new).await {
        Ok((token, secret)) => {
            eprint_escaped(&format!(
                "token {} for readers of `{}`; the secret is not shown again:\n",
                token.id, new.project
            ));
            print(&format!("{}\n", secret.reveal()))?;
            Ok(Exit::Success)
        }
        Err(error) => {
            eprint_escaped(&format!("svc: {error}\n"));
            Ok(Exit::Problems)
        }
    }
}

/// Whether a key or a token is valid, and until when.
fn state(revoked: Option<Timestamp>, expires: Option<Timestamp>, now: Timestamp) -> String {
    match (revoked, expires) {
        (Some(at), _) => format!("revoked {at}"),
        (None, Some(at)) if now < at => format!("until {at}"),
        (None, Some(at)) => format!("expired {at}"),
        (None, None) => "does not expire".to_owned(),
    }
}

fn token_row(token: &ReaderToken, now: Timestamp) -> Vec<String> {
    let groups: Vec<&str> = token.groups.iter().map(String::as_str).collect();
    let used = store_cli::format_time(token.last_used_at, "never");
    vec![
        token.id.to_string(),
        token.name.clone(),
        "reader".to_owned(),
        state(token.revoked_at, token.expires_at, now),
        format!("used {used}"),
        groups.join(","),
    ]
}

/// A token as JSON, without its hash.
fn token_value(token: &ReaderToken) -> Value {
    json!({
        "id": token.id,
        "name": token.name,
        "scope": "reader",
        "groups": token.groups,
        "createdAt": token.created_at,
        "expiresAt": token.expires_at,
        "revokedAt": token.revoked_at,
        "lastUsedAt": token.last_used_at,
    })
}

fn row(key: &Key, now: Timestamp) -> Vec<String> {
    let networks: Vec<String> = key.networks.iter().map(ToString::to_string).collect();
    vec![
        key.id.to_string(),
        key.name.clone(),
        key.scope.as_str().to_owned(),
        state(key.revoked_at, key.expires_at, now),
        format!("used {}", store_cli::format_time(key.last_used_at, "never")),
        networks.join(" "),
    ]
}

/// A key as JSON, without its hash.
fn value(key: &Key) -> Value {
    json!({
        "id": key.id,
        "name": key.name,
        "scope": key.scope,
        "networks": key.networks,
        "createdAt": key.created_at,
        "expiresAt": key.expires_at,
        "revokedAt": key.revoked_at,
        "lastUsedAt": key.last_used_at,
    })
}
