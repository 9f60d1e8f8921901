//! Lines with the prefixes of the open containers.

/// Prefix of the lines of a container.
#[derive(Debug)]
struct Prefix {
    /// Marker of the first line, until a line was printed.
    first: Option<String>,
    /// Prefix of all other lines.
    rest: String,
    /// Blank lines of the container have no prefix.
    bare_blanks: bool,
}

/// The output.
#[derive(Debug, Default)]
pub(super) struct Lines {
    out: String,
    prefixes: Vec<Prefix>,
}

impl Lines {
    /// Opens a container whose first line begins with `first` and whose other lines begin with
    /// `rest`.
    pub(super) fn open(&mut self, first: &str, rest: &str, bare_blanks: bool) {
        self.prefixes.push(Prefix {
            first: Some(first.to_owned()),
            rest: rest.to_owned(),
            bare_blanks,
        });
    }

    /// Closes the innermost container. If it has no content, its marker is printed.
    pub(super) fn close(&mut self) {
        if self
            .prefixes
            .last()
            .is_some_and(|last| last.first.is_some())
        {
            self.put("");
        }
        self.prefixes.pop();
    }

    /// Returns true if a container is open.
    pub(super) fn nested(&self) -> bool {
        !self.prefixes.is_empty()
    }

    /// Prints a blank line.
    pub(super) fn blank(&mut self) {
        self.put("");
    }

    /// Prints lines with their line endings and adds a line ending to the last one.
    pub(super) fn put(&mut self, text: &str) {
        self.write(text, false);
        self.out.push('\n');
    }

    /// Prints the content of a fence. A trailing carriage return is followed by another one,
    /// because with a line feed it would be one line ending.
    pub(super) fn put_verbatim(&mut self, text: &str) {
        self.write(text, false);
        self.out
            .push(if text.ends_with('\r') { '\r' } else { '\n' });
    }

    /// Prints lines of which only the first has the prefixes: lazy lines of a paragraph. A line
    /// with leading white space has prefixes too, because the white space would be parsed as one.
    pub(super) fn put_lazy(&mut self, text: &str) {
        self.write(text, true);
        self.out.push('\n');
    }

    fn write(&mut self, text: &str, lazy: bool) {
        let mut rest = text;
        let mut further = false;
        loop {
            let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let (line, after) = rest.split_at(end);
            if lazy && further && !line.starts_with([' ', '\t']) {
                self.out.push_str(line);
            } else {
                self.line(line);
            }
            let ending = crate::text::line_ending(after.as_bytes(), 0);
            if ending == 0 {
                return;
            }
            let (ending, next) = after.split_at(ending);
            self.out.push_str(ending);
            rest = next;
            further = true;
        }
    }

    fn line(&mut self, line: &str) {
        let blank = line.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        // From this container on, the line is only white space.
        let spaces = |prefix: &Prefix| {
            prefix.first.is_none() && prefix.rest.bytes().all(|byte| byte == b' ')
        };
        let blank_from = if blank {
            let marks = self.prefixes.iter().rposition(|prefix| !spaces(prefix));
            marks.map_or(0, |last| last + 1)
        } else {
            usize::MAX
        };
        let start = self.out.len();
        for (index, prefix) in self.prefixes.iter_mut().enumerate() {
            if let Some(first) = prefix.first.take() {
                self.out.push_str(&first);
            } else if !(prefix.bare_blanks && index >= blank_from) {
                self.out.push_str(&prefix.rest);
            }
        }
        if line.is_empty() {
            let written = self.out.get(start..).unwrap_or("");
            let trimmed_len = written.trim_end_matches(' ').len();
            self.out.truncate(start + trimmed_len);
        } else {
            self.out.push_str(line);
        }
    }

    /// Returns the output.
    pub(super) fn finish(self) -> String {
        self.out
    }
}
