//! Lines with the prefixes of the open containers.

/// What the lines of one container begin with.
#[derive(Debug)]
struct Prefix {
    /// Its marker, as long as no line was written.
    first: Option<String>,
    /// Of all further lines.
    rest: String,
    /// Blank lines belong to it without a prefix, and have none taken off.
    bare_blanks: bool,
}

/// The text so far.
#[derive(Debug, Default)]
pub(super) struct Lines {
    out: String,
    prefixes: Vec<Prefix>,
}

impl Lines {
    /// Opens a container: its first line begins with `first`, all further ones with `rest`.
    pub(super) fn open(&mut self, first: &str, rest: &str, bare_blanks: bool) {
        self.prefixes.push(Prefix {
            first: Some(first.to_owned()),
            rest: rest.to_owned(),
            bare_blanks,
        });
    }

    /// Closes the innermost container; one without content still has its marker.
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

    /// Whether a container is open.
    pub(super) fn nested(&self) -> bool {
        !self.prefixes.is_empty()
    }

    /// A blank line.
    pub(super) fn blank(&mut self) {
        self.put("");
    }

    /// Writes lines; their line endings stay as they are, the last line gets one.
    pub(super) fn put(&mut self, text: &str) {
        self.write(text, false);
        self.out.push('\n');
    }

    /// Writes the inside of fences: a return at the end goes on with its like, as a feed after it
    /// would be one ending with it.
    pub(super) fn put_verbatim(&mut self, text: &str) {
        self.write(text, false);
        self.out
            .push(if text.ends_with('\r') { '\r' } else { '\n' });
    }

    /// Writes lines of which only the first has the prefixes: lazy lines of a paragraph. White
    /// space at the start of a line would count as a prefix, so such a line has them too.
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
        // From this container on, the line is nothing but white space.
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
            let kept = written.trim_end_matches(' ').len();
            self.out.truncate(start + kept);
        } else {
            self.out.push_str(line);
        }
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.out
    }
}
