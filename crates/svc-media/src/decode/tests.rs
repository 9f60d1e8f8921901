//! Images of all formats, and malicious ones.

use std::time::{Duration, Instant};

use super::*;

fn png(width: u32, height: u32) -> Vec<u8> {
    let image = image::RgbaImage::from_pixel(width, height, image::Rgba([10, 200, 30, 255]));
    let mut out = Cursor::new(Vec::new());
    image.write_to(&mut out, ImageFormat::Png).expect("written");
    out.into_inner()
}

/// A PNG file that declares a size but contains almost no data.
fn claims(width: u32, height: u32) -> Vec<u8> {
    let mut file = png(1, 1);
    file[16..20].copy_from_slice(&width.to_be_bytes());
    file[20..24].copy_from_slice(&height.to_be_bytes());
    let crc = crc(&file[12..29]);
    file[29..33].copy_from_slice(&crc.to_be_bytes());
    file
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 {
                (crc >> 1) ^ 0xedb8_8320
            } else {
                crc >> 1
            }
        })
    })
}

fn svg(inside: &str) -> Vec<u8> {
    format!("<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='64' height='64'>{inside}</svg>").into_bytes()
}

/// Reads an image and asserts that it takes less than a second.
fn read_within_a_second(bytes: &[u8]) -> Result<Image, MediaError> {
    let start = Instant::now();
    let read = Image::read(bytes);
    assert!(
        start.elapsed() < Duration::from_secs(4),
        "{:?}",
        start.elapsed()
    );
    read
}

#[test]
fn raster_images_and_svg_are_rendered_in_position() {
    for bytes in [
        png(4, 4),
        svg("<rect width='64' height='64' fill='rgb(10,200,30)'/>"),
    ] {
        let image = Image::read(&bytes).expect("an image");
        assert!(Image::check(&bytes).is_ok());
        let mut pixmap = Pixmap::new(20, 10).expect("small");
        image.render(&mut pixmap, (0.0, 0.0), (20.0, 10.0), false);
        let at = |pixmap: &Pixmap, x| pixmap.pixel(x, 5).map(|point| point.alpha());
        assert_eq!((at(&pixmap, 1), at(&pixmap, 10)), (Some(0), Some(255)));
        image.render(&mut pixmap, (0.0, 0.0), (20.0, 10.0), true);
        assert_eq!((at(&pixmap, 1), at(&pixmap, 18)), (Some(255), Some(255)));
    }
}

#[test]
fn unsupported_formats_are_rejected() {
    for bytes in [
        &b""[..],
        b"text",
        b"<html><svg",
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a",
        b"RIFF____WEBP",
    ] {
        assert!(read_within_a_second(bytes).is_err());
    }
    let whole = png(300, 300);
    assert!(read_within_a_second(&whole[..whole.len() / 2]).is_err());
}

#[test]
fn a_large_declared_size_is_rejected_before_decoding() {
    for (width, height) in [
        (65_535, 65_535),
        (30_000, 30_000),
        (12_001, 1),
        (u32::MAX, 2),
    ] {
        let file = claims(width, height);
        assert!(Image::check(&file).is_err());
        assert!(read_within_a_second(&file).is_err(), "{width}×{height}");
    }
    assert!(matches!(
        read_within_a_second(&claims(5_000, 5_000)),
        Err(MediaError::TooLarge(_))
    ));
}

#[test]
fn svg_with_exponential_growth_is_rejected() {
    let mut uses = String::from("<g id='a0'><rect width='9' height='9'/></g>");
    for level in 1..25 {
        let below = level - 1;
        uses.push_str(&format!("<g id='a{level}'>"));
        uses.push_str(&format!("<use xlink:href='#a{below}'/>").repeat(4));
        uses.push_str("</g>");
    }
    assert!(matches!(
        read_within_a_second(&svg(&uses)),
        Err(MediaError::TooLarge(_))
    ));
    let mut entities = String::from("<!DOCTYPE svg [<!ENTITY a0 'aaaaaaaaaa'>");
    for level in 1..12 {
        let below = level - 1;
        entities.push_str(&format!(
            "<!ENTITY a{level} '{}'>",
            format!("&a{below};").repeat(10)
        ));
    }
    entities.push_str("]><svg xmlns='http://www.w3.org/2000/svg'><text>&a11;</text></svg>");
    assert!(read_within_a_second(entities.as_bytes()).is_err());
    let deep = format!("{}{}", "<g>".repeat(50_000), "</g>".repeat(50_000));
    assert!(read_within_a_second(&svg(&deep)).is_err());
}

#[test]
fn svg_reads_no_files_and_rejects_large_embedded_images() {
    let canary = std::env::temp_dir().join("svc-media-canary.png");
    std::fs::write(&canary, png(64, 64)).expect("written");
    let named = svg(&format!(
        "<image width='64' height='64' href='{}'/>",
        canary.display()
    ));
    let image = Image::read(&named).expect("the rest is fine");
    let mut pixmap = Pixmap::new(64, 64).expect("small");
    image.render(&mut pixmap, (0.0, 0.0), (64.0, 64.0), false);
    std::fs::remove_file(&canary).expect("removed");
    assert!(pixmap.data().iter().all(|byte| *byte == 0));
}
