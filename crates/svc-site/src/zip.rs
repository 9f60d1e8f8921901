//! ZIP writer (APPNOTE.TXT 6.3) with ZIP64 where needed. Entries have no timestamps, so that the
//! same files give the same bytes.
//!
//! The crate `zip` is not used: it cannot be built without the code for encryption and for paths of
//! other systems, and brings five more crates to replace this file.

use std::io::{self, Read, Seek, SeekFrom, Write};

/// Signatures (APPNOTE sections 4.3.7, 4.3.12, 4.3.14, 4.3.15 and 4.3.16).
const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END_64: u32 = 0x0606_4b50;
const LOCATOR_64: u32 = 0x0706_4b50;
const END: u32 = 0x0605_4b50;
/// Versions needed to extract: deflate, and ZIP64 (section 4.4.3).
const VERSION: u16 = 20;
const VERSION_64: u16 = 45;
const NAMES_ARE_UTF8: u16 = 1 << 11;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// Earliest MS-DOS date, 1 January 1980.
const DATE: u16 = 0x21;
/// Marks a value that is in the ZIP64 extra field.
const ZIP64_MARKER: u32 = u32::MAX;

/// A ZIP archive that is written sequentially.
#[derive(Debug)]
pub(crate) struct Zip<W> {
    out: W,
    offset: u64,
    directory: Vec<u8>,
    count: u64,
}

/// Header fields of a file.
struct Entry<'a> {
    name: &'a str,
    method: u16,
    crc: u32,
    /// Compressed and uncompressed size in bytes.
    compressed: u64,
    bytes: u64,
}

impl Entry<'_> {
    fn is_large(&self) -> bool {
        self.compressed.max(self.bytes) >= u64::from(ZIP64_MARKER)
    }

    /// The fields that local and central headers share, up to the length of the name.
    fn fields(&self, needs_64: bool) -> io::Result<Vec<u8>> {
        let letters = u16::try_from(self.name.len()).map_err(|_| {
            let reason = format!("the name `{}` is too long for a ZIP archive", self.name);
            io::Error::new(io::ErrorKind::InvalidInput, reason)
        })?;
        let version = if needs_64 { VERSION_64 } else { VERSION };
        let mut out = Vec::new();
        for field in [version, NAMES_ARE_UTF8, self.method, 0, DATE] {
            out.extend(field.to_le_bytes());
        }
        let size = |size: u64| match u32::try_from(size) {
            Ok(size) if !self.is_large() => size,
            _ => ZIP64_MARKER,
        };
        for field in [self.crc, size(self.compressed), size(self.bytes)] {
            out.extend(field.to_le_bytes());
        }
        out.extend(letters.to_le_bytes());
        Ok(out)
    }

    /// The ZIP64 extra field (section 4.5.3): both sizes if one is large, and the offset of the
    /// local header if it is large.
    fn extension(&self, far: Option<u64>) -> Vec<u8> {
        let sizes = [self.bytes, self.compressed];
        let sizes = sizes.into_iter().filter(|_| self.is_large());
        let fields: Vec<u8> = sizes.chain(far).flat_map(u64::to_le_bytes).collect();
        let length = u16::try_from(fields.len()).unwrap_or_default();
        match length {
            0 => fields,
            _ => {
                let mut out = Vec::from(1_u16.to_le_bytes());
                out.extend(length.to_le_bytes());
                out.extend(fields);
                out
            }
        }
    }
}

impl<W: Write> Zip<W> {
    /// An empty archive.
    pub(crate) fn new(out: W) -> Self {
        Self {
            out,
            offset: 0,
            directory: Vec::new(),
            count: 0,
        }
    }

    /// Adds a file, compressed with deflate.
    pub(crate) fn add_deflated(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let level = flate2::Compression::new(6);
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
        encoder.write_all(bytes)?;
        let packed = encoder.finish()?;
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let entry = Entry {
            name,
            method: DEFLATED,
            crc: crc.sum(),
            compressed: packed.len() as u64,
            bytes: bytes.len() as u64,
        };
        self.add(&entry, &mut &*packed)
    }

    /// Adds a file uncompressed. It is read twice and never held in memory as a whole.
    pub(crate) fn add_stored(&mut self, name: &str, mut from: impl Read + Seek) -> io::Result<()> {
        let mut crc = flate2::Crc::new();
        let mut bytes = 0;
        let mut buffer = vec![0; 64 << 10];
        loop {
            let count = from.read(&mut buffer)?;
            let Some(piece) = buffer.get(..count).filter(|piece| !piece.is_empty()) else {
                break;
            };
            crc.update(piece);
            bytes += count as u64;
        }
        from.seek(SeekFrom::Start(0))?;
        let entry = Entry {
            name,
            method: STORED,
            crc: crc.sum(),
            compressed: bytes,
            bytes,
        };
        self.add(&entry, &mut from)
    }

    fn add(&mut self, entry: &Entry<'_>, data: &mut dyn Read) -> io::Result<()> {
        let start = self.offset;
        let far = (start >= u64::from(ZIP64_MARKER)).then_some(start);
        let extra = entry.extension(None);
        let length = |extension: &[u8]| u16::try_from(extension.len()).unwrap_or_default();
        let mut header = Vec::from(LOCAL.to_le_bytes());
        header.extend(entry.fields(entry.is_large())?);
        header.extend(length(&extra).to_le_bytes());
        header.extend(entry.name.as_bytes());
        header.extend(&extra);
        self.put(&header)?;
        let copied = io::copy(&mut data.take(entry.compressed), &mut self.out)?;
        self.offset += copied;
        if copied != entry.compressed {
            let reason = format!("`{}` changed while it was read", entry.name);
            return Err(io::Error::other(reason));
        }
        let extension = entry.extension(far);
        let offset = far.map_or(u32::try_from(start).unwrap_or(ZIP64_MARKER), |_| {
            ZIP64_MARKER
        });
        let directory = &mut self.directory;
        directory.extend(CENTRAL.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(entry.fields(!extension.is_empty())?);
        directory.extend(length(&extension).to_le_bytes());
        // Comment, disk, internal attributes, and four bytes of external ones.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(entry.name.as_bytes());
        directory.extend(extension);
        self.count += 1;
        Ok(())
    }

    /// Writes the central directory and returns the writer.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        let directory = std::mem::take(&mut self.directory);
        let (start, size) = (self.offset, directory.len() as u64);
        self.put(&directory)?;
        let small = u16::try_from(self.count)
            .ok()
            .filter(|count| *count < u16::MAX);
        let short = |number: u64| {
            u32::try_from(number)
                .ok()
                .filter(|short| *short < ZIP64_MARKER)
        };
        if small.is_none() || short(start).is_none() || short(size).is_none() {
            self.put_end_64(start, size)?;
        }
        let mut end = Vec::from(END.to_le_bytes());
        end.extend([0; 4]);
        for _ in 0..2 {
            end.extend(small.unwrap_or(u16::MAX).to_le_bytes());
        }
        for number in [size, start] {
            end.extend(short(number).unwrap_or(ZIP64_MARKER).to_le_bytes());
        }
        end.extend(0_u16.to_le_bytes());
        self.put(&end)?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Writes the ZIP64 end of central directory record and its locator.
    fn put_end_64(&mut self, start: u64, size: u64) -> io::Result<()> {
        let offset = self.offset;
        let mut end = Vec::from(END_64.to_le_bytes());
        // Size of the rest of the record.
        end.extend(44_u64.to_le_bytes());
        end.extend(VERSION_64.to_le_bytes());
        end.extend(VERSION_64.to_le_bytes());
        end.extend([0; 8]);
        for number in [self.count, self.count, size, start] {
            end.extend(number.to_le_bytes());
        }
        end.extend(LOCATOR_64.to_le_bytes());
        end.extend([0; 4]);
        end.extend(offset.to_le_bytes());
        end.extend(1_u32.to_le_bytes());
        self.put(&end)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.offset += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use super::Zip;

    fn number(bytes: &[u8], at: usize, size: usize) -> usize {
        let part = bytes[at..at + size].iter().rev();
        part.fold(0, |sum, byte| sum << 8 | usize::from(*byte))
    }

    fn zip(files: &[(&str, &str)]) -> Vec<u8> {
        let mut zip = Zip::new(Vec::new());
        for (name, text) in files {
            zip.add_deflated(name, text.as_bytes()).unwrap();
        }
        zip.finish().unwrap()
    }

    /// Names and texts, read through the central directory.
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
            match number(bytes, at + 10, 2) {
                0 => text.push_str(std::str::from_utf8(packed).unwrap()),
                _ => {
                    let mut decoder = flate2::read::DeflateDecoder::new(packed);
                    decoder.read_to_string(&mut text).unwrap();
                }
            }
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
    fn deflated_files_round_trip() {
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

    #[test]
    fn files_can_be_stored_uncompressed() {
        let mut zip = Zip::new(Vec::new());
        zip.add_stored("a.png", Cursor::new("an image")).unwrap();
        zip.add_deflated("b.txt", b"a text").unwrap();
        let back = unzip(&zip.finish().unwrap());
        assert_eq!(
            back,
            [("a.png", "an image"), ("b.txt", "a text")]
                .map(|(name, text)| (name.to_owned(), text.to_owned()))
        );
        let long = "x".repeat(70_000);
        assert!(Zip::new(Vec::new()).add_deflated(&long, b"").is_err());
    }

    #[test]
    fn more_than_65535_files_are_counted_in_the_zip64_record() {
        let mut zip = Zip::new(Vec::new());
        for name in 0..70_000 {
            zip.add_stored(&name.to_string(), Cursor::new("")).unwrap();
        }
        let bytes = zip.finish().unwrap();
        let end = bytes.len() - 22;
        assert_eq!(number(&bytes, end + 10, 2), 0xffff);
        let locator = end - 20;
        assert_eq!(&bytes[locator..locator + 4], b"PK\x06\x07");
        let record = number(&bytes, locator + 8, 8);
        assert_eq!(&bytes[record..record + 4], b"PK\x06\x06");
        assert_eq!(record + 56, locator);
        assert_eq!(number(&bytes, record + 32, 8), 70_000);
        let (size, start) = (
            number(&bytes, record + 40, 8),
            number(&bytes, record + 48, 8),
        );
        assert_eq!(start + size, record);
        assert_eq!(&bytes[start..start + 4], b"PK\x01\x02");
    }
}
