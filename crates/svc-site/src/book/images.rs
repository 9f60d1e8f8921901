//! The images of a book.

use std::fs;
use std::io;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use svc_data::percent::decode_lossy;
use svc_media::Image;
use svc_render::BookPart;

use super::Book;
use crate::Site;
use crate::export::active;
use crate::find::AssetContent;

/// What the URLs of diagrams begin with.
const DATA_SVG: &str = "data:image/svg+xml;base64,";
/// Maximum size of an image in bytes; larger ones are replaced by their alternative text.
const MAX_IMAGE_BYTES: usize = 32 << 20;
/// Maximum size of all images of a book in bytes.
const MAX_BOOK_BYTES: usize = 1 << 30;

/// An image of a book.
#[derive(Debug)]
pub(super) struct BookImage {
    /// Name of the file.
    pub(super) name: String,
    pub(super) media_type: &'static str,
    pub(super) bytes: Vec<u8>,
}

/// What identifies an image of the book: its path on the site, without query, or its `data:` URL.
/// `None` for images of other sites.
pub(super) fn key_of(src: &str) -> Option<String> {
    if src.starts_with(DATA_SVG) {
        return Some(src.to_owned());
    }
    let path = src.split(['?', '#']).next().unwrap_or_default();
    let is_own = path.starts_with('/') && !path.starts_with("//");
    is_own.then(|| decode_lossy(path).into_owned())
}

/// Reads the images of all chapters.
pub(super) fn read(site: &Site, book: &mut Book) -> io::Result<()> {
    let parts = book
        .chapters
        .iter()
        .flat_map(|chapter| &chapter.article.parts);
    let mut total = 0;
    for part in parts {
        let BookPart::Image { src, .. } = part else {
            continue;
        };
        let Some(key) = key_of(src).filter(|key| !book.image_names.contains_key(key)) else {
            continue;
        };
        let Some((extension, media_type, bytes)) = image(site, &key)? else {
            continue;
        };
        total += bytes.len();
        if total > MAX_BOOK_BYTES {
            return Ok(());
        }
        let at = book.images.len();
        book.images.push(BookImage {
            name: format!("image-{:04}.{extension}", at + 1),
            media_type,
            bytes,
        });
        book.image_names.insert(key, at);
    }
    Ok(())
}

type Contents = (&'static str, &'static str, Vec<u8>);

/// The extension, media type and bytes of an image; `None` if books cannot contain it.
fn image(site: &Site, key: &str) -> io::Result<Option<Contents>> {
    if let Some(text) = key.strip_prefix(DATA_SVG) {
        let bytes = BASE64_STANDARD.decode(text).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let is_usable = bytes.len() <= MAX_IMAGE_BYTES && !active::is_active(&text, true);
        let kind = media_type(&bytes).filter(|_| is_usable);
        return Ok(kind.map(|(extension, kind)| (extension, kind, bytes)));
    }
    let path = key;
    let Some(asset) = site
        .asset(path)
        .filter(|asset| active::check(path, asset).is_none())
    else {
        return Ok(None);
    };
    let bytes = match asset.content {
        AssetContent::Text(text) => text.as_bytes().to_vec(),
        AssetContent::Bytes(bytes) => bytes.to_vec(),
        AssetContent::Disk { path, .. } => fs::read(path)?,
    };
    if bytes.len() > MAX_IMAGE_BYTES {
        return Ok(None);
    }
    Ok(media_type(&bytes).map(|(extension, kind)| (extension, kind, bytes)))
}

/// Programs that read EPUB believe the media type, so it is that of the contents.
fn media_type(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some(("png", "image/png")),
        [0xff, 0xd8, ..] => Some(("jpg", "image/jpeg")),
        [b'G', b'I', b'F', b'8', ..] => Some(("gif", "image/gif")),
        [b'R', b'I', b'F', b'F', _, _, _, _, rest @ ..] if rest.starts_with(b"WEBP") => {
            Some(("webp", "image/webp"))
        }
        _ if Image::is_svg(bytes) && Image::check(bytes).is_ok() => Some(("svg", "image/svg+xml")),
        _ => None,
    }
}
