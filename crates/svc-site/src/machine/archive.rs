//! All OpenAPI documents of the site in one ZIP archive.

use std::collections::BTreeSet;
use std::io::Write as _;

use crate::Site;

/// The archive: documents under their paths, hosted ones under host and path, in order, without
/// times, so that the same documents give the same bytes.
pub(super) fn specs(site: &Site) -> Vec<u8> {
    let mut names = BTreeSet::new();
    let files: Vec<(String, &str)> = site
        .catalog
        .documents
        .iter()
        .map(|document| {
            let name = match document.path.split_once("://") {
                Some((_, address)) => file_of(address),
                None => document.path.trim_start_matches('/').to_owned(),
            };
            // Two addresses may differ only in what a name cannot hold.
            let free = (1..).map(|number| match number {
                1 => name.clone(),
                number => format!("{number}/{name}"),
            });
            let name = free.into_iter().find(|name| names.insert(name.clone()));
            (name.unwrap_or_default(), &**document.file.text())
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, *text)).collect();
    zip(&files)
}

/// Host and path of an address as the path of a file in any system.
fn file_of(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or(address);
    let parts = path
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | ".."));
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || ".-_".contains(c) {
            c
        } else {
            '_'
        }
    };
    let parts: Vec<String> = parts
        .map(|part| part.chars().take(100).map(safe).collect())
        .collect();
    parts.join("/")
}

/// Signatures and constants of the format: APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16.
const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const VERSION: u16 = 20;
const NAMES_ARE_UTF8: u16 = 1 << 11;
const DEFLATED: u16 = 8;
/// The first day that the format knows, 1 January 1980.
const DATE: u16 = 0x21;

fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    let mut count: u16 = 0;
    for (name, text) in files {
        let mut encoder =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::new(6));
        // Writing to a Vec cannot fail.
        let written = encoder
            .write_all(text.as_bytes())
            .and_then(|()| encoder.finish());
        let packed = written.unwrap_or_default();
        let mut crc = flate2::Crc::new();
        crc.update(text.as_bytes());
        let sizes = [packed.len(), text.len(), out.len()].map(u32::try_from);
        let ([Ok(short), Ok(long), Ok(start)], Ok(letters)) = (sizes, u16::try_from(name.len()))
        else {
            // Beyond 4 GB the format would need its extension; no repository gets there.
            continue;
        };
        let Some(next) = count.checked_add(1) else {
            break;
        };
        count = next;
        let mut common = Vec::new();
        for field in [VERSION, NAMES_ARE_UTF8, DEFLATED, 0, DATE] {
            common.extend(field.to_le_bytes());
        }
        for field in [crc.sum(), short, long] {
            common.extend(field.to_le_bytes());
        }
        common.extend(letters.to_le_bytes());
        common.extend(0_u16.to_le_bytes());
        out.extend(LOCAL.to_le_bytes());
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(packed);
        directory.extend(CENTRAL.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&common);
        // Comment, disk, internal attributes, and four bytes of external ones.
        directory.extend([0; 10]);
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let sizes = [directory.len(), out.len()].map(|size| u32::try_from(size).unwrap_or(u32::MAX));
    out.extend(directory);
    out.extend(END.to_le_bytes());
    out.extend([0; 4]);
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    for size in sizes {
        out.extend(size.to_le_bytes());
    }
    out.extend(0_u16.to_le_bytes());
    out
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::zip;

    fn number(bytes: &[u8], at: usize, size: usize) -> usize {
        let part = bytes[at..at + size].iter().rev();
        part.fold(0, |sum, byte| sum << 8 | usize::from(*byte))
    }

    /// Names and texts, read by way of the directory at the end.
    fn unzip(bytes: &[u8]) -> Vec<(String, String)> {
        let end = bytes.len() - 22;
        assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
        let mut at = number(bytes, end + 16, 4);
        assert_eq!(at + number(bytes, end + 12, 4), end);
        let mut files = Vec::new();
        for _ in 0..number(bytes, end + 10, 2) {
            assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
            let letters = number(bytes, at + 28, 2);
            let name = String::from_utf8(bytes[at + 46..at + 46 + letters].to_vec()).unwrap();
            let local = number(bytes, at + 42, 4);
            assert_eq!(&bytes[local..local + 4], b"PK\x03\x04");
            let start = local + 30 + number(bytes, local + 26, 2);
            let packed = &bytes[start..start + number(bytes, at + 20, 4)];
            let mut text = String::new();
            let mut decoder = flate2::read::DeflateDecoder::new(packed);
            decoder.read_to_string(&mut text).unwrap();
            assert_eq!(text.len(), number(bytes, at + 24, 4));
            let mut crc = flate2::Crc::new();
            crc.update(text.as_bytes());
            assert_eq!(crc.sum() as usize, number(bytes, at + 16, 4));
            files.push((name, text));
            at += 46 + letters;
        }
        files
    }

    #[test]
    fn what_goes_in_comes_out() {
        let long = "openapi: 3.1.0\n".repeat(500);
        let files = [("a.json", "{}"), ("ä/b.yaml", long.as_str()), ("empty", "")];
        let bytes = zip(&files);
        let back = unzip(&bytes);
        let back: Vec<(&str, &str)> = back.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(back, files);
        assert!(bytes.len() < 700, "{}", bytes.len());
        assert_eq!(bytes, zip(&files), "the same bytes each time");
        assert!(unzip(&zip(&[])).is_empty());
    }
}
