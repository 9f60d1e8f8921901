//! Secret strings.

use svc_git::Secret;

use super::codes::{SECRET_MISSING, SECRET_READABLE};
use super::decode::{Cx, Fields};
use super::environment::display_path;

/// Regular expression of names of environment variables.
pub(super) const VARIABLE: &str = "^[A-Za-z_][A-Za-z0-9_]*$";

/// Reads the secret of `NAME_file` or `NAME_env`. Leading and trailing white space is trimmed,
/// because editors end files with a line break.
pub(super) fn decode(cx: &mut Cx<'_>, fields: Fields<'_>, name: &str) -> Option<Secret> {
    let file_key = format!("{name}_file");
    let (text, span, source) = if let Some(path) = cx.path(fields, &file_key) {
        let span = fields.get(&file_key).map_or(fields.span, |node| node.span);
        let source = format!("the file `{}`", display_path(&path));
        match (cx.environment.read_text)(&path) {
            Ok(text) => {
                if (cx.environment.is_readable_by_all)(&path) {
                    let message = format!("{source} is readable by every user of this machine");
                    let hint = "make it readable for the server's user only: `chmod 600`";
                    cx.report(&SECRET_READABLE, span, message, hint);
                }
                (text, span, source)
            }
            Err(error) => {
                let message = format!("{source} cannot be read: {error}");
                let hint =
                    "write only the secret to the file, and make it readable for the server's user";
                cx.report(&SECRET_MISSING, span, message, hint);
                return None;
            }
        }
    } else {
        let variable = cx.text(fields, &format!("{name}_env"))?;
        let source = format!("the environment variable `{}`", variable.text);
        let Some(text) = (cx.environment.variable)(variable.text) else {
            let message = format!("{source} is not set");
            let hint = "set it in the environment of the server, for example with `EnvironmentFile=` of systemd";
            cx.report(&SECRET_MISSING, variable.span, message, hint);
            return None;
        };
        (text, variable.span, source)
    };
    let text = text.trim();
    if text.is_empty() {
        let message = format!("{source} is empty");
        cx.report(&SECRET_MISSING, span, message, "set it to the secret");
        return None;
    }
    Some(Secret::new(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_redacted_in_debug_output() {
        let secret = Some(Secret::new("hunter2"));
        assert!(!format!("{secret:?} {secret:#?}").contains("hunter2"));
        assert_eq!(
            secret.map(|secret| secret.reveal().len()),
            Some("hunter2".len())
        );
    }
}
