//! Starts the language server of `svc` in Zed.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{
    Command, Extension, LanguageServerId, Result, Worktree, register_extension,
};

/// The extension. `lsp.svc.binary` in the settings of Zed replaces the program and its arguments.
struct SvcExtension;

impl Extension for SvcExtension {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let settings = LspSettings::for_worktree(server.as_ref(), worktree)?;
        let (path, arguments) = match settings.binary {
            Some(binary) => (binary.path, binary.arguments),
            None => (None, None),
        };
        let command = path.or_else(|| worktree.which("svc")).ok_or(
            "`svc` is not in the `PATH`; install it, or set `lsp.svc.binary.path` in the settings",
        )?;
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".to_owned()]),
            env: worktree.shell_env(),
        })
    }
}

register_extension!(SvcExtension);
