//! Links that open a file in an editor.

use std::path::Path;

use clap::ValueEnum;

/// An editor that opens files by URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Editor {
    /// Visual Studio Code
    Vscode,
    /// Cursor
    Cursor,
    /// Zed
    Zed,
    /// IntelliJ IDEA and the other editors of JetBrains
    Idea,
    /// No links
    None,
}

impl Editor {
    /// The editor of the environment: of the terminal that it has opened, or of `VISUAL` or `EDITOR`.
    pub(super) fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let is_set = |name: &str| variable(name).is_some();
        if is_set("CURSOR_TRACE_ID") {
            return Self::Cursor;
        }
        match variable("TERM_PROGRAM").as_deref() {
            Some("vscode") => return Self::Vscode,
            Some("zed") => return Self::Zed,
            _ => {}
        }
        if variable("TERMINAL_EMULATOR").is_some_and(|name| name.starts_with("JetBrains")) {
            return Self::Idea;
        }
        let command = variable("VISUAL").or_else(|| variable("EDITOR"));
        let command = command.unwrap_or_default();
        let program = command.split_whitespace().next().unwrap_or_default();
        match Path::new(program)
            .file_name()
            .and_then(|name| name.to_str())
        {
            Some("code") => Self::Vscode,
            Some("cursor") => Self::Cursor,
            Some("zed") => Self::Zed,
            Some("idea") => Self::Idea,
            _ => Self::None,
        }
    }

    /// URL of a file in a directory, with `{file}`, `{line}` and `{column}`.
    pub(super) fn url_template(self, dir: &Path) -> Option<String> {
        let dir = dir.canonicalize().ok()?;
        let url = url::Url::from_directory_path(dir).ok()?;
        let path = url.path();
        Some(match self {
            Self::Vscode => format!("vscode://file{path}{{file}}:{{line}}:{{column}}"),
            Self::Cursor => format!("cursor://file{path}{{file}}:{{line}}:{{column}}"),
            Self::Zed => format!("zed://file{path}{{file}}:{{line}}:{{column}}"),
            Self::Idea => {
                format!("idea://open?file={path}{{file}}&line={{line}}&column={{column}}")
            }
            Self::None => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_editor_is_the_one_of_the_terminal_or_of_the_user() {
        let editor = |name: &str, value: &str| {
            Editor::of_environment(|asked| (asked == name).then(|| value.to_owned()))
        };
        assert_eq!(editor("TERM_PROGRAM", "vscode"), Editor::Vscode);
        assert_eq!(editor("TERM_PROGRAM", "Apple_Terminal"), Editor::None);
        assert_eq!(
            editor("TERMINAL_EMULATOR", "JetBrains-JediTerm"),
            Editor::Idea
        );
        assert_eq!(editor("EDITOR", "/usr/bin/code --wait"), Editor::Vscode);
        assert_eq!(editor("VISUAL", "zed"), Editor::Zed);
        assert_eq!(editor("EDITOR", "vim"), Editor::None);
        assert_eq!(editor("CURSOR_TRACE_ID", "1"), Editor::Cursor);
    }

    #[test]
    fn a_template_has_the_absolute_path() {
        let dir = tempfile::tempdir().unwrap();
        let docs = dir.path().join("my docs");
        std::fs::create_dir(&docs).unwrap();
        let template = Editor::Vscode.url_template(&docs).unwrap();
        assert!(template.starts_with("vscode://file/"), "{template}");
        assert!(
            template.ends_with("/my%20docs/{file}:{line}:{column}"),
            "{template}"
        );
        assert_eq!(Editor::None.url_template(&docs), None);
        assert_eq!(Editor::Zed.url_template(&docs.join("nothing")), None);
    }
}
