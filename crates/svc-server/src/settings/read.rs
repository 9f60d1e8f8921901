//! Reads the settings from a file.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use svc_data::{Limits, Node, parse_toml};
use svc_diagnostics::{Diagnostic, Severity, SourceFile, Span};

use super::Settings;
use super::decode::Cx;
use super::environment::SettingsEnvironment;
use super::server;

/// Maximum size of a settings file, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Maximum size of a file with a secret or with readers, in bytes.
const MAX_SECRET_BYTES: u64 = 2 << 20;

/// Result of reading a settings file.
#[derive(Debug)]
pub struct ParsedSettings {
    /// The settings; `None` if there is an error.
    pub settings: Option<Settings>,
    /// Diagnostics, ordered by their position in the file.
    pub diagnostics: Vec<Diagnostic>,
    /// The source file for messages, with secrets redacted.
    pub redacted: SourceFile,
}

impl ParsedSettings {
    /// Formats the diagnostics for a terminal.
    pub fn render_text(&self) -> String {
        let text = |path: &str| (path == &**self.redacted.path()).then(|| &**self.redacted.text());
        svc_diagnostics::render_text(&self.diagnostics, &text)
    }
}

impl Settings {
    /// Default file name in the working directory.
    pub const FILE: &str = "server.toml";

    /// Reads a file with the environment of this process.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn from_file(path: &Path) -> io::Result<ParsedSettings> {
        let text = read_bounded(path, MAX_BYTES)?;
        let file = SourceFile::new(path.to_string_lossy().as_ref(), text);
        let absolute = std::path::absolute(path)?;
        let surroundings = SettingsEnvironment {
            dir: absolute.parent().unwrap_or(Path::new("/")),
            variable: &|name| std::env::var(name).ok(),
            read_text: &|path| read_bounded(path, MAX_SECRET_BYTES),
            is_dir: &|path| path.is_dir(),
            is_readable_by_all: &is_readable_by_all,
        };
        Ok(Self::read(&file, &surroundings))
    }

    /// Reads the settings for a command from `config`, or from [`FILE`](Self::FILE) in the working
    /// directory. `hint` is added to the error if that file does not exist.
    ///
    /// # Errors
    /// If the file cannot be read or has errors; the message contains the diagnostics.
    pub fn for_command(config: Option<&Path>, hint: &str) -> io::Result<Self> {
        let path = config.unwrap_or(Path::new(Self::FILE));
        let shown = path.display();
        let read = Self::from_file(path).map_err(|error| {
            let hint = if config.is_none() { hint } else { "" };
            io::Error::new(error.kind(), format!("{shown}: {error}{hint}"))
        })?;
        let problems = read.render_text();
        let settings = read.settings;
        settings.ok_or_else(|| io::Error::other(format!("`{shown}` has problems:\n{problems}")))
    }

    /// Reads settings from text.
    pub fn read(file: &SourceFile, surroundings: &SettingsEnvironment<'_>) -> ParsedSettings {
        let parsed = parse_toml(file, &Limits::default());
        let mut cx = Cx {
            file,
            environment: surroundings,
            diagnostics: parsed.diagnostics,
        };
        let settings = server::decode(&mut cx, &parsed.value);
        let mut diagnostics = cx.diagnostics;
        diagnostics.sort_by_key(|diagnostic| diagnostic.location.as_ref().map(|at| at.span.start));
        let failed = diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity >= Severity::Error);
        ParsedSettings {
            settings: settings.filter(|_| !failed),
            diagnostics,
            redacted: redact(file, &parsed.value),
        }
    }
}

fn read_bounded(path: &Path, max: u64) -> io::Result<String> {
    let mut text = String::new();
    let file = fs::File::open(path)?;
    file.take(max + 1).read_to_string(&mut text)?;
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > max {
        let reason = format!("the file is larger than {max} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(text)
}

/// Whether the file mode permits everyone to read the file. Its parent directories may still deny
/// access.
fn is_readable_by_all(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o004 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Redacts values of keys that can hold a secret. A line with a syntax error cannot be parsed, so
/// the rest of every line that names such a key is redacted too.
fn redact(file: &SourceFile, root: &Node) -> SourceFile {
    let mut hidden = vec![false; file.text().len()];
    let mut hide = |range: std::ops::Range<usize>| {
        let bytes = hidden.get_mut(range).into_iter().flatten();
        bytes.for_each(|byte| *byte = true);
    };
    let mut spans = Vec::new();
    secrets(root, &mut spans);
    spans.into_iter().for_each(|span| hide(span.range()));
    let mut start = 0;
    for line in file.text().split_inclusive('\n') {
        let mut at = 0;
        for part in line.split_inclusive('=').filter(|part| part.ends_with('=')) {
            at += part.len();
            let key = part.trim_end_matches(['=', ' ', '\t', '"', '\'']);
            let odd = |c: char| !c.is_ascii_alphanumeric() && c != '_';
            if key.rsplit(odd).next().is_some_and(server::is_refused) {
                hide(start + at..start + line.len());
            }
        }
        start += line.len();
    }
    let shown = file.text().char_indices().map(|(at, c)| {
        let is_hidden = hidden.get(at).copied().unwrap_or(false);
        let space = c.is_whitespace();
        if is_hidden && !space { '*' } else { c }
    });
    SourceFile::new(file.path().clone(), shown.collect::<String>())
}

fn secrets(node: &Node, spans: &mut Vec<Span>) {
    for item in node.as_array().unwrap_or_default() {
        secrets(item, spans);
    }
    for (key, value) in node
        .as_object()
        .into_iter()
        .flat_map(|object| object.iter())
    {
        let text = value.as_str().unwrap_or("");
        if server::is_refused(key) || super::source::has_credentials(text) {
            spans.push(value.span);
        }
        secrets(value, spans);
    }
}
