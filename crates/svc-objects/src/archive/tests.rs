//! Archives of directories, and hostile ones.

use proptest::prelude::*;

use super::*;

/// An archive with one entry.
fn archive(kind: u8, path: &str, content: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(FORMAT).unwrap();
    write_bytes(&mut out, b"{}").unwrap();
    out.write_all(&[kind]).unwrap();
    write_bytes(&mut out, path.as_bytes()).unwrap();
    if kind == FILE {
        write_number(&mut out, 1).unwrap();
    }
    write_bytes(&mut out, content).unwrap();
    out.write_all(&[END]).unwrap();
    out.finish().unwrap()
}

fn unpack_bytes(bytes: &[u8], max: u64) -> (tempfile::TempDir, io::Result<String>) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("archive"), bytes).unwrap();
    let into = dir.path().join("into");
    fs::create_dir(&into).unwrap();
    let result = unpack(&dir.path().join("archive"), &into, max);
    (dir, result)
}

#[test]
fn a_directory_is_packed_and_unpacked_with_times_and_links() {
    let dir = tempfile::tempdir().unwrap();
    let site = dir.path().join("site");
    fs::create_dir_all(site.join("a/b")).unwrap();
    fs::write(site.join("docs.json"), "{}").unwrap();
    fs::write(site.join("a/b/page.mdx"), "text").unwrap();
    fs::write(site.join("a/empty"), "").unwrap();
    #[cfg(unix)]
    create_link(Path::new("../../docs.json"), &site.join("a/b/link")).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let file = File::options().append(true).open(site.join("docs.json"));
    let times = FileTimes::new().set_modified(time);
    file.unwrap().set_times(times).unwrap();
    let file = dir.path().join("archive");
    let packed = pack(&site, "the document", &file).unwrap();
    assert_eq!(packed.size, fs::metadata(&file).unwrap().len());
    assert_eq!(
        packed.sum,
        <[u8; 32]>::from(Sha256::digest(fs::read(&file).unwrap()))
    );
    assert_eq!(
        pack(&site, "the document", &dir.path().join("other")).unwrap(),
        packed
    );
    let into = dir.path().join("into");
    fs::create_dir(&into).unwrap();
    let document = unpack(&file, &into, 6).unwrap();
    assert_eq!(document, "the document");
    assert_eq!(
        fs::read_to_string(into.join("a/b/page.mdx")).unwrap(),
        "text"
    );
    assert_eq!(fs::read(into.join("a/empty")).unwrap(), b"");
    let modified = fs::metadata(into.join("docs.json")).unwrap().modified();
    assert_eq!(modified.unwrap(), time);
    #[cfg(unix)]
    assert_eq!(fs::read_to_string(into.join("a/b/link")).unwrap(), "{}");
}

#[test]
fn nothing_is_written_outside_of_the_directory() {
    for path in ["../x", "/x", "a/../../x", "", "a//b", "./x", "a/..", "x\0"] {
        let (dir, result) = unpack_bytes(&archive(FILE, path, b"text"), 100);
        assert!(result.is_err(), "{path}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "{path}");
    }
    for target in ["../x", "/etc/passwd", "a/../../x", "b/../.."] {
        let (_, result) = unpack_bytes(&archive(LINK, "link", target.as_bytes()), 100);
        assert!(result.is_err(), "{target}");
    }
    let (_, result) = unpack_bytes(&archive(LINK, "a/link", b"../b/c"), 100);
    assert!(result.is_ok());
}

#[test]
fn limits_and_malformed_archives_are_errors() {
    let whole = archive(FILE, "a/b", b"text");
    assert!(unpack_bytes(&whole, 4).1.is_ok());
    assert!(unpack_bytes(&whole, 3).1.is_err());
    assert!(unpack_bytes(&archive(9, "a", b""), 10).1.is_err());
    for cut in 0..whole.len() {
        // The end of the last bytes is only the checksum of gzip.
        let is_complete = unpack_bytes(&whole[..cut], 10).1.is_ok();
        assert!(!is_complete || cut + 10 > whole.len(), "{cut}");
    }
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(FORMAT).unwrap();
    write_number(&mut out, u64::MAX).unwrap();
    assert!(unpack_bytes(&out.finish().unwrap(), 10).1.is_err());
}

proptest! {
    #[test]
    fn random_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut out = GzEncoder::new(Vec::new(), Compression::fast());
        out.write_all(FORMAT).unwrap();
        out.write_all(&bytes).unwrap();
        let _ = unpack_bytes(&out.finish().unwrap(), 1_000);
        let _ = unpack_bytes(&bytes, 1_000);
    }
}
