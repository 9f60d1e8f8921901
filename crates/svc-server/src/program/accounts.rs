//! `svc-server admin`: manages accounts of the dashboard from the shell of the server.

use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::process::ExitCode;

use crate::dashboard::{create_account, set_password};
use crate::{StoreArgs, SystemClock, SystemRandom};
use clap::{Args, Subcommand};
use svc_admin_api::audit::{Actor, Initiator};
use svc_store::Database;

/// Maximum size of a password in bytes.
const MAX_PASSWORD_BYTES: u64 = 4096;

/// Commands for accounts.
#[derive(Debug, Subcommand)]
pub(super) enum Accounts {
    /// Create an account. The password is prompted for twice, or read from standard input if that
    /// is not a terminal.
    Create(Account),
    /// Change the password of an account and end its sessions.
    Password(Account),
}

/// An account and its store.
#[derive(Debug, Args)]
pub(super) struct Account {
    /// Name of the account.
    name: String,
    #[command(flatten)]
    store: StoreArgs,
}

/// Runs the command.
pub(super) fn run(command: &Accounts) -> ExitCode {
    let result = super::runtime::start()
        .map_err(|error| error.to_string())
        .and_then(|runtime| runtime.block_on(act(command)));
    super::print_result(result)
}

async fn act(command: &Accounts) -> Result<String, String> {
    let (Accounts::Create(account) | Accounts::Password(account)) = command;
    let url = account.store.url().map_err(|error| error.to_string())?;
    let password = password().map_err(|error| error.to_string())?;
    let database = Database::open(&url).await;
    let database = database.map_err(|error| error.to_string())?;
    let (clock, random, name) = (SystemClock::default(), SystemRandom, &account.name);
    let by = Initiator {
        actor: Actor::Cli,
        from: None,
    };
    let (result, sentence) = match command {
        Accounts::Create(_) => {
            let result = create_account(&database, &clock, &random, &by, name, &password).await;
            (result, format!("`{name}` can sign in to the dashboard"))
        }
        Accounts::Password(_) => {
            let result = set_password(&database, &clock, &random, &by, name, &password).await;
            (
                result,
                format!("changed the password of `{name}` and ended its sessions"),
            )
        }
    };
    database.close().await;
    result.map(|()| sentence).map_err(|error| error.to_string())
}

/// Prompts for a password twice, or reads a line of standard input if it is not a terminal.
pub(super) fn password() -> io::Result<String> {
    let mut stdin = io::stdin();
    if !stdin.is_terminal() {
        let mut text = String::new();
        (&mut stdin)
            .take(MAX_PASSWORD_BYTES)
            .read_to_string(&mut text)?;
        // A second line may repeat the password, as on a terminal.
        return Ok(text.lines().next().unwrap_or_default().to_owned());
    }
    let first = prompt_hidden("Password: ")?;
    let second = prompt_hidden("Repeat the password: ")?;
    if first != second {
        return Err(io::Error::other("the passwords do not match"));
    }
    Ok(first)
}

/// Prompts for a line without echo.
fn prompt_hidden(prompt: &str) -> io::Result<String> {
    eprint!("{prompt}");
    io::stderr().flush()?;
    let _hidden = HiddenInput::begin();
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    eprintln!();
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Disables the echo of the terminal until dropped.
struct HiddenInput {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

impl HiddenInput {
    fn begin() -> Self {
        #[cfg(unix)]
        {
            use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
            let before = tcgetattr(io::stdin()).ok();
            if let Some(before) = &before {
                let mut hidden = before.clone();
                hidden.local_modes.remove(LocalModes::ECHO);
                // If the echo cannot be disabled, the password is visible; this is no reason to
                // fail.
                let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &hidden);
            }
            Self { before }
        }
        #[cfg(not(unix))]
        Self {}
    }
}

impl Drop for HiddenInput {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(before) = &self.before {
            use rustix::termios::{OptionalActions, tcsetattr};
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
        }
    }
}
