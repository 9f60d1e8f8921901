//! The files of one configuration as one range of places.

use svc_diagnostics::{Location, SourceFile, Span};

use crate::tree::FileSpan;

/// The files read, each behind the one before: a place in any of them is one range of numbers, so
/// that a value needs no room for its file, and the places of the first file are those of its text.
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
    /// The place of a range of the file.
    pub(crate) const fn file_span(self, span: Span) -> FileSpan {
        FileSpan {
            offsets: span.shifted(self.start),
        }
    }
}

impl Files {
    /// Adds a file; `None` when there are no numbers left.
    pub(crate) fn add(&mut self, file: SourceFile) -> Option<Origin> {
        // One number lies between two files: the end of a text is a place in it.
        let start = match self.files.last() {
            None => 0,
            Some((start, last)) => start.checked_add(length(last)?)?.checked_add(1)?,
        };
        start.checked_add(length(&file)?)?;
        let index = self.files.len();
        self.files.push((start, file));
        Some(Origin { index, start })
    }

    pub(crate) fn get(&self, index: usize) -> Option<&SourceFile> {
        self.files.get(index).map(|(_, file)| file)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter().map(|(_, file)| file)
    }

    /// The file of a place and the range in it.
    fn locate(&self, place: FileSpan) -> Option<(&SourceFile, Span)> {
        let start = place.offsets.start;
        let behind = self.files.partition_point(|(begin, _)| *begin <= start);
        let (begin, file) = self.files.get(behind.checked_sub(1)?)?;
        let span = Span::new(start - begin, place.offsets.end.saturating_sub(*begin));
        Some((file, span))
    }

    pub(crate) fn location(&self, place: FileSpan) -> Option<Location> {
        let (file, span) = self.locate(place)?;
        Some(file.location(span))
    }

    /// The text at a place.
    pub(crate) fn slice(&self, place: FileSpan) -> Option<&str> {
        let (file, span) = self.locate(place)?;
        Some(file.slice(span))
    }
}

/// The length of a text; `None` when it is too long for places.
fn length(file: &SourceFile) -> Option<u32> {
    u32::try_from(file.text().len()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_leads_back_to_its_file() {
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
                let found = files.location(origin.file_span(span)).unwrap();
                assert_eq!(
                    (&*found.file, found.span),
                    (&*origin.index.to_string(), span)
                );
                assert_eq!(files.slice(origin.file_span(span)), text.get(span.range()));
            }
        }
    }
}
