//! The files of one configuration in one range of offsets.

use svc_diagnostics::{Location, SourceFile, Span};

/// The files of a configuration. Each file follows the previous one in one range of offsets, so
/// that a span needs no file index, and spans of the first file equal those of its text.
#[derive(Debug, Default)]
pub(crate) struct Files {
    files: Vec<(u32, SourceFile)>,
}

/// A file that values are read from.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Origin {
    /// Index into the list of files.
    pub(crate) index: usize,
    start: u32,
}

impl Origin {
    /// Converts a span of the file to one of all files.
    pub(crate) const fn file_span(self, span: Span) -> Span {
        span.shifted(self.start)
    }
}

impl Files {
    /// Adds a file; None if the offsets are exhausted.
    pub(crate) fn add(&mut self, file: SourceFile) -> Option<Origin> {
        // One offset separates two files, because the end of a text is an offset of it.
        let start = match self.files.last() {
            None => 0,
            Some((start, last)) => start.checked_add(length(last)?)?.checked_add(1)?,
        };
        start.checked_add(length(&file)?)?;
        let index = self.files.len();
        self.files.push((start, file));
        Some(Origin { index, start })
    }

    /// The file with the root of the configuration.
    pub(crate) fn root(&self) -> SourceFile {
        let root = self.files.first();
        root.map_or_else(|| SourceFile::new("", ""), |(_, file)| file.clone())
    }

    pub(crate) fn get(&self, index: usize) -> Option<&SourceFile> {
        self.files.get(index).map(|(_, file)| file)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter().map(|(_, file)| file)
    }

    /// The file of a span and the range in it.
    pub(crate) fn locate(&self, span: Span) -> Option<(&SourceFile, Span)> {
        let start = span.start;
        let behind = self.files.partition_point(|(begin, _)| *begin <= start);
        let (begin, file) = self.files.get(behind.checked_sub(1)?)?;
        let span = Span::new(start - begin, span.end.saturating_sub(*begin));
        Some((file, span))
    }

    pub(crate) fn location(&self, span: Span) -> Option<Location> {
        let (file, span) = self.locate(span)?;
        Some(file.location(span))
    }

    /// The text of a span.
    pub(crate) fn slice(&self, span: Span) -> Option<&str> {
        let (file, span) = self.locate(span)?;
        Some(file.slice(span))
    }
}

/// The length of a text; None if it exceeds `u32`.
fn length(file: &SourceFile) -> Option<u32> {
    u32::try_from(file.text().len()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_span_resolves_to_its_file() {
        let mut files = Files::default();
        let texts = ["abc", "", "x\ny"];
        let origins: Vec<Origin> = texts
            .iter()
            .enumerate()
            .filter_map(|(n, text)| files.add(SourceFile::new(n.to_string(), *text)))
            .collect();
        for (origin, text) in origins.iter().zip(texts) {
            let end = u32::try_from(text.len()).unwrap();
            for start in 0..=end {
                let span = Span::new(start, end);
                let location = files.location(origin.file_span(span)).unwrap();
                assert_eq!(
                    (&*location.file, location.span),
                    (&*origin.index.to_string(), span)
                );
                assert_eq!(files.slice(origin.file_span(span)), text.get(span.range()));
            }
        }
    }
}
