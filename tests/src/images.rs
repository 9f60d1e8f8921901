//! Placeholders for images that a copy of a repository lacks.

use std::collections::BTreeSet;

use svc_source::{SourceTree, normalize};

/// Adds a small image for every image that a text of the repository references and that is missing.
pub fn add_missing(tree: &mut SourceTree) {
    let mut wanted = BTreeSet::new();
    for (path, _) in tree.iter() {
        let Some(file) = tree.text(path) else {
            continue;
        };
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        let marks = |letter: char| letter.is_whitespace() || "\"'`()[]{}<>,".contains(letter);
        for token in file.text().split(marks) {
            let name = token.split(['?', '#']).next().unwrap_or(token);
            let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
            let raster = ["png", "jpg", "jpeg", "gif", "webp", "ico"].contains(&ending);
            if name.contains(':') || name.contains('%') || !(raster || ending == "svg") {
                continue;
            }
            wanted.insert(normalize(name));
            if !name.starts_with('/') {
                wanted.insert(normalize(&format!("{dir}/{name}")));
            }
        }
    }
    for path in wanted {
        if path.is_empty() || tree.contains(&path) {
            continue;
        }
        if path.ends_with(".svg") {
            tree.insert_text(&path, SVG);
        } else {
            // Browsers detect the format from the content, not from the name.
            tree.insert_bytes(&path, png(320, 180));
        }
    }
}

const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"160\" height=\"40\"><path d=\"M0 0h160v40z\"/></svg>";

/// Returns a black, uncompressed PNG with one bit per pixel.
pub fn png(width: u32, height: u16) -> Vec<u8> {
    let mut header = width.to_be_bytes().to_vec();
    header.extend(u32::from(height).to_be_bytes());
    // One bit, grayscale, usual compression, filter and interlacing.
    header.extend([1, 0, 0, 0, 0]);
    let row = usize::try_from(width.div_ceil(8)).unwrap_or(0) + 1;
    let pixels = vec![0_u8; row * usize::from(height)];
    let length = u16::try_from(pixels.len()).expect("a small image");
    // One stored block.
    let mut data = vec![0x78, 0x01, 0x01];
    data.extend(length.to_le_bytes());
    data.extend((!length).to_le_bytes());
    data.extend(&pixels);
    // Adler-32 of zeros: the first half stays one, the second one sums it up.
    data.extend(length.to_be_bytes());
    data.extend([0, 1]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, content) in [(b"IHDR", &header), (b"IDAT", &data), (b"IEND", &Vec::new())] {
        let size = u32::try_from(content.len()).unwrap_or(0);
        out.extend(size.to_be_bytes());
        let body = [&name[..], &content[..]].concat();
        out.extend(&body);
        out.extend(crc(&body).to_be_bytes());
    }
    out
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        let mut sum = sum ^ u32::from(*byte);
        for _ in 0..8 {
            sum = sum >> 1 ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 };
        }
        sum
    };
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crc_of_a_chunk_is_correct() {
        assert_eq!(crc(b"IEND"), 0xae42_6082);
    }

    #[test]
    fn missing_images_are_added() {
        let mut tree = SourceTree::from_files([
            ("docs.json", "{\"favicon\": \"/f.svg\"}"),
            (
                "a/b.mdx",
                "![x](./c.png?v=1) <img src=\"/d.webp\"/> https://x.test/e.png",
            ),
        ]);
        add_missing(&mut tree);
        for path in ["f.svg", "a/c.png", "d.webp"] {
            assert!(tree.contains(path), "{path}");
        }
        assert_eq!(tree.image_size("a/c.png"), Some((320, 180)));
        assert!(!tree.contains("e.png"));
    }
}
