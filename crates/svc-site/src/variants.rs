//! Narrower variants of the raster images of a site, for small screens.
//!
//! Pages refer to variants in `srcset` by the digest of the image and the width, whether or not the
//! variant has been rendered. A variant is rendered on the first request or ahead of it, and stored
//! by name in a [`VariantStore`](crate::VariantStore) that sites share. If the result is not
//! smaller than the image, the image itself is served.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use svc_media::VariantFormat;
use svc_render::RasterImage;
use svc_source::{Contents, SourceTree};

use crate::digest;
use crate::file_types::can_be_served;
use crate::media::ImageError;
use crate::parallel::{in_parallel, threads};
use crate::site::Site;
use crate::worker::{self, CallError};

/// Images of this width or less have no variants, in pixels.
const MIN_WIDTH: u32 = 800;
/// Images of this size or less have no variants, in bytes.
const MIN_BYTES: u64 = 20_000;
/// Larger images have no variants, in bytes.
const MAX_BYTES: u64 = 16 << 20;
/// Extensions of files that can have variants.
const EXTENSIONS: [&str; 4] = ["png", "jpg", "jpeg", "webp"];

/// A variant of an image of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant<'a> {
    path: &'a str,
    image: &'a RasterImage,
    width: u32,
}

/// Body of the response for a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VariantContent {
    /// The variant.
    Smaller(Arc<[u8]>),
    /// The original image, because the variant is not smaller.
    Original,
}

/// The images of a repository that have variants, by path. `before` are those of the previous site,
/// and `changed` returns whether a file changed since.
pub(crate) fn gather(
    tree: &SourceTree,
    before: Option<&BTreeMap<String, RasterImage>>,
    changed: &(dyn Fn(&str) -> bool + Sync),
) -> BTreeMap<String, RasterImage> {
    let large: Vec<(&str, &Contents, u32)> = tree
        .iter()
        .filter(|(path, contents)| has_extension(path) && is_large(contents) && can_be_served(path))
        .filter_map(|(path, contents)| {
            let (width, _) = tree.image_size(path)?;
            (width > MIN_WIDTH).then_some((path, contents, width))
        })
        .collect();
    let images = in_parallel(large.len(), threads(), |at| {
        let (path, contents, width) = *large.get(at)?;
        let image = match before {
            Some(before) if !changed(path) => before.get(path)?.clone(),
            _ => read_image(contents, width)?,
        };
        Some((path.to_owned(), image))
    });
    images.into_iter().flatten().collect()
}

fn has_extension(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let mut known = EXTENSIONS.iter();
    known.any(|known| known.eq_ignore_ascii_case(extension))
}

fn is_large(contents: &Contents) -> bool {
    let length = match contents {
        Contents::Text(_) => 0,
        Contents::Bytes(bytes) => bytes.len() as u64,
        Contents::Disk { len, .. } => *len,
    };
    (MIN_BYTES + 1..=MAX_BYTES).contains(&length)
}

/// Reads the data of an image that rendering needs. `None` for images without variants.
fn read_image(contents: &Contents, width: u32) -> Option<RasterImage> {
    let bytes = read(contents).ok()?;
    let format = VariantFormat::for_file(&bytes)?;
    Some(RasterImage {
        digest: digest::tag(&bytes),
        extension: format.extension(),
        width,
    })
}

fn read(contents: &Contents) -> io::Result<Arc<[u8]>> {
    match contents {
        Contents::Text(file) => Ok(file.text().as_bytes().into()),
        Contents::Bytes(bytes) => Ok(Arc::clone(bytes)),
        Contents::Disk { path, .. } => {
            let mut bytes = Vec::new();
            let read = File::open(path)?
                .take(MAX_BYTES + 1)
                .read_to_end(&mut bytes)?;
            match u64::try_from(read) {
                Ok(read) if read <= MAX_BYTES => Ok(bytes.into()),
                _ => Err(io::Error::other("the file is too large")),
            }
        }
    }
}

impl Variant<'_> {
    /// Path of the original image, without base path and not percent-encoded.
    pub fn original(&self) -> String {
        format!("/{}", self.path)
    }

    /// URL path of the variant, without base path.
    pub fn path(&self) -> String {
        self.image.variant_path(self.width)
    }

    /// Unique name of the variant: the last segment of its path.
    pub fn name(&self) -> String {
        let path = self.path();
        path.rsplit('/').next().unwrap_or_default().to_owned()
    }

    /// Media type.
    pub fn content_type(&self) -> &'static str {
        let format = VariantFormat::from_extension(self.image.extension);
        format.map_or("application/octet-stream", VariantFormat::content_type)
    }
}

impl Site {
    /// The variant at a URL path. `None` unless it is of an image that the site serves, in one of
    /// the widths that pages refer to.
    pub fn variant(&self, path: &str) -> Option<Variant<'_>> {
        let name = path.strip_prefix("/_svc/images/")?;
        let (digest, _) = name.split_once('-')?;
        let images = self.facts().images.as_ref()?;
        let paths = self.image_paths.get_or_init(|| paths_by_digest(images));
        let same = paths.get(digest)?.iter();
        let same = same.filter_map(|file| images.get_key_value(file));
        let mut variants = same.flat_map(|(file, image)| self.variants_of(file, image));
        variants.find(|variant| variant.path() == path)
    }

    fn variants_of<'a>(
        &'a self,
        path: &'a str,
        image: &'a RasterImage,
    ) -> impl Iterator<Item = Variant<'a>> {
        let exists = self.asset(&format!("/{path}")).is_some();
        let widths = image.variant_widths().filter(move |_| exists);
        widths.map(move |width| Variant { path, image, width })
    }

    /// All variants that pages may refer to, without duplicates.
    pub fn variants(&self) -> Vec<Variant<'_>> {
        let Some(images) = &self.facts().images else {
            return Vec::new();
        };
        let mut paths = HashSet::new();
        let all = images.iter();
        let all = all.flat_map(|(path, image)| self.variants_of(path, image));
        all.filter(|variant| paths.insert(variant.path())).collect()
    }

    /// A variant from memory. `None` when the store does not have it in memory.
    pub fn recent_variant(&self, variant: &Variant<'_>) -> Option<VariantContent> {
        let store = self.media.variant_store.as_ref()?;
        store.recent(&variant.name()).map(content)
    }

    /// A stored variant. `None` when it has not been rendered.
    pub fn stored_variant(&self, variant: &Variant<'_>) -> Option<VariantContent> {
        let store = self.media.variant_store.as_ref()?;
        store.get(&variant.name()).map(content)
    }

    /// The variant, rendered and stored unless it is stored already.
    ///
    /// # Errors
    /// [`ImageError::Busy`] when it should be tried later, [`ImageError::Failed`] when it cannot be
    /// rendered within the limits.
    pub fn make_variant(&self, variant: &Variant<'_>) -> Result<VariantContent, ImageError> {
        if let Some(stored) = self.stored_variant(variant) {
            return Ok(stored);
        }
        let (unusable, digest) = (&self.media.unusable_images, &variant.image.digest);
        if unusable.contains(digest) {
            return Err(ImageError::Failed);
        }
        let contents = self.tree.get(variant.path).ok_or(ImageError::Failed)?;
        let file = read(contents).map_err(|_| ImageError::Failed)?;
        // The file changed since the site was loaded; the next site refers to it by another digest.
        if digest::tag(&file) != *digest {
            return Err(ImageError::Busy);
        }
        // Decoders process untrusted files, so panics are caught.
        let make = || worker::variant(&file, variant.width);
        let result = match catch_unwind(AssertUnwindSafe(make)) {
            Ok(Ok(Some(result))) => result,
            Ok(Err(CallError::Busy)) => return Err(ImageError::Busy),
            failed => {
                let exceeded = matches!(failed, Ok(Err(_)));
                unusable.insert(digest, exceeded);
                return Err(ImageError::Failed);
            }
        };
        let result: Arc<[u8]> = match result.len() < file.len() {
            true => result.into(),
            false => Arc::default(),
        };
        if let Some(store) = &self.media.variant_store {
            store.put(&variant.name(), Arc::clone(&result));
        }
        Ok(content(result))
    }

    /// Renders all variants that are not stored. Stops early when `proceed`, which is called before
    /// each one, returns false.
    pub fn make_variants(&self, proceed: &dyn Fn() -> bool) {
        let Some(store) = &self.media.variant_store else {
            return;
        };
        for variant in self.variants() {
            if !proceed() {
                return;
            }
            if !store.contains(&variant.name()) {
                let _ = self.make_variant(&variant);
            }
        }
    }
}

/// The paths of images by digest, in the order of `images`.
fn paths_by_digest(images: &BTreeMap<String, RasterImage>) -> HashMap<String, Vec<String>> {
    let mut paths: HashMap<String, Vec<String>> = HashMap::new();
    for (path, image) in images {
        paths
            .entry(image.digest.clone())
            .or_default()
            .push(path.clone());
    }
    paths
}

fn content(bytes: Arc<[u8]>) -> VariantContent {
    match bytes.is_empty() {
        true => VariantContent::Original,
        false => VariantContent::Smaller(bytes),
    }
}
