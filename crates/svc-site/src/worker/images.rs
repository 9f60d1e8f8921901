//! Images: requests to children and their responses.

use std::cell::RefCell;
use std::time::Duration;

use serde_json::{Value, json};
use svc_media::{
    Appearance, Color, Face, Image, MediaError, OgImage, OgImageOptions, OgImageRenderer,
};

use super::error::CallError;
use super::message::{RequestKind, put, take};

/// Wall-clock timeout of an image. The CPU limit of the child is lower; this applies when the child
/// gets no CPU time.
const IMAGE_TIMEOUT: Duration = Duration::from_secs(20);

/// Inputs that all preview images of a site share.
#[derive(Debug)]
pub(crate) struct OgImageInputs {
    /// Name of the site.
    pub(crate) name: String,
    /// Color scheme; without one the background is the accent color.
    pub(crate) appearance: Option<Appearance>,
    /// Accent colors for light and dark backgrounds.
    pub(crate) accents: (Color, Color),
    /// Logo files for light and dark backgrounds.
    pub(crate) logos: Option<(Vec<u8>, Vec<u8>)>,
    /// File of the background image.
    pub(crate) background: Option<Vec<u8>>,
    /// Font files.
    pub(crate) fonts: Vec<Vec<u8>>,
}

impl OgImageInputs {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let appearance = self.appearance.map(|value| match value {
            Appearance::Light => "light",
            Appearance::Dark => "dark",
        });
        let (primary, light) = self.accents;
        let head = json!({
            "name": self.name,
            "appearance": appearance,
            "primary": [primary.0, primary.1, primary.2],
            "light": [light.0, light.1, light.2],
            "logos": self.logos.is_some(),
            "background": self.background.is_some(),
        });
        let mut contents = Vec::new();
        put(&mut contents, head.to_string().as_bytes());
        let logos = self.logos.iter().flat_map(|(light, dark)| [light, dark]);
        for file in logos.chain(&self.background).chain(&self.fonts) {
            put(&mut contents, file);
        }
        contents
    }
}

fn decode_inputs(mut contents: &[u8]) -> Option<OgImageRenderer> {
    let head: Value = serde_json::from_slice(take(&mut contents)?).ok()?;
    let color = |key: &str| {
        let part = |at: usize| {
            let number = head.get(key)?.get(at)?.as_u64()?;
            u8::try_from(number).ok()
        };
        Some(Color(part(0)?, part(1)?, part(2)?))
    };
    let has = |key: &str| head.get(key).and_then(Value::as_bool) == Some(true);
    let mut image = || {
        let file = take(&mut contents)?;
        Image::read(file).ok()
    };
    let logos = match has("logos") {
        true => {
            let (light, dark) = (image(), image());
            light.map(|light| (light.clone(), dark.unwrap_or(light)))
        }
        false => None,
    };
    let background = if has("background") { image() } else { None };
    let mut faces = Vec::new();
    while let Some(file) = take(&mut contents) {
        faces.extend(Face::read(file));
    }
    let text = |key: &str| head.get(key).and_then(Value::as_str);
    OgImageRenderer::new(OgImageOptions {
        name: text("name").unwrap_or_default().to_owned(),
        appearance: text("appearance").map(|value| match value {
            "light" => Appearance::Light,
            _ => Appearance::Dark,
        }),
        primary: color("primary")?,
        light: color("light")?,
        logos,
        background,
        faces,
    })
}

/// Handles image requests in a child.
#[derive(Debug, Default)]
pub(super) struct ImageWorker {
    /// Inputs and renderer of the last preview image.
    renderer: Option<(Vec<u8>, Option<OgImageRenderer>)>,
}

impl ImageWorker {
    /// Response to a request: a byte that is 1 on success, then the image; for a check the encoded
    /// error.
    pub(super) fn respond(&mut self, kind: RequestKind, contents: &[u8]) -> Vec<u8> {
        if kind == RequestKind::Check {
            return encode_error(Image::check(contents).err().as_ref());
        }
        match self.render(kind, contents) {
            Some(image) => [&[1][..], &image].concat(),
            None => vec![0],
        }
    }

    fn render(&mut self, kind: RequestKind, mut contents: &[u8]) -> Option<Vec<u8>> {
        match kind {
            RequestKind::Png => {
                let size = u16::from_le_bytes(take(&mut contents)?.try_into().ok()?);
                let opaque = take(&mut contents)? == [1];
                let image = Image::read(take(&mut contents)?).ok()?;
                svc_media::png_icon(&image, size, opaque)
            }
            RequestKind::Ico => svc_media::ico(&Image::read(contents).ok()?),
            RequestKind::Variant => {
                let width = u32::from_le_bytes(take(&mut contents)?.try_into().ok()?);
                svc_media::variant(take(&mut contents)?, width).ok()
            }
            RequestKind::OgImage => {
                let inputs = take(&mut contents)?;
                let card: Value = serde_json::from_slice(take(&mut contents)?).ok()?;
                let text = |key: &str| card.get(key).and_then(Value::as_str);
                if self.renderer.as_ref().is_none_or(|(key, _)| key != inputs) {
                    self.renderer = Some((inputs.to_vec(), decode_inputs(inputs)));
                }
                let (_, renderer) = self.renderer.as_ref()?;
                renderer.as_ref()?.render(&OgImage {
                    title: text("title").unwrap_or_default(),
                    description: text("description"),
                    section: text("section"),
                    right_to_left: card.get("right_to_left") == Some(&Value::Bool(true)),
                })
            }
            RequestKind::Session | RequestKind::Component | RequestKind::Check => None,
        }
    }
}

fn encode_error(error: Option<&MediaError>) -> Vec<u8> {
    let (number, text) = match error {
        None => (0, ""),
        Some(MediaError::UnknownFormat) => (1, ""),
        Some(MediaError::TooLarge(text)) => (2, &**text),
        Some(MediaError::Invalid(text)) => (3, &**text),
        Some(MediaError::Timeout) => (4, ""),
    };
    [&[number][..], text.as_bytes()].concat()
}

fn decode_error(response: &[u8]) -> Result<(), MediaError> {
    let (number, text) = response.split_first().unwrap_or((&3, b""));
    let text = String::from_utf8_lossy(text).into_owned();
    Err(match number {
        0 => return Ok(()),
        1 => MediaError::UnknownFormat,
        2 => MediaError::TooLarge(text),
        4 => MediaError::Timeout,
        _ => MediaError::Invalid(text),
    })
}

/// Calls a child, or handles the request in this process when there are no children.
fn call(kind: RequestKind, contents: &[u8]) -> Result<Vec<u8>, CallError> {
    #[cfg(unix)]
    if let Some(pool) = super::isolation::image_pool() {
        return pool.acquire()?.call(kind, contents, IMAGE_TIMEOUT);
    }
    thread_local! {
        static LOCAL: RefCell<ImageWorker> = RefCell::default();
    }
    Ok(LOCAL.with_borrow_mut(|images| images.respond(kind, contents)))
}

/// An image from a child. `None` when the input is invalid.
fn image_response(kind: RequestKind, contents: &[u8]) -> Result<Option<Vec<u8>>, CallError> {
    let mut response = call(kind, contents)?;
    let is_success = response.first() == Some(&1);
    Ok(is_success.then(|| response.split_off(1)))
}

/// Checks that an image can be used, as [`Image::check`].
pub(crate) fn check(file: &[u8]) -> Result<(), MediaError> {
    if !Image::is_svg(file) {
        // Only the header is parsed.
        return Image::check(file);
    }
    match call(RequestKind::Check, file) {
        Ok(response) => decode_error(&response),
        Err(CallError::Memory) => Err(MediaError::TooLarge(
            "it exceeds the memory limit".to_owned(),
        )),
        Err(CallError::Timeout) => Err(MediaError::Timeout),
        Err(CallError::Busy | CallError::Lost) => {
            let reason = "the worker process did not respond";
            Err(MediaError::Invalid(reason.to_owned()))
        }
    }
}

/// Renders an image as a square PNG.
pub(crate) fn png(file: &[u8], size: u16, opaque: bool) -> Result<Option<Vec<u8>>, CallError> {
    let mut contents = Vec::with_capacity(file.len() + 32);
    put(&mut contents, &size.to_le_bytes());
    put(&mut contents, &[u8::from(opaque)]);
    put(&mut contents, file);
    image_response(RequestKind::Png, &contents)
}

/// Renders an image as an ICO file.
pub(crate) fn ico(file: &[u8]) -> Result<Option<Vec<u8>>, CallError> {
    image_response(RequestKind::Ico, file)
}

/// A copy of an image that is `width` pixels wide.
pub(crate) fn variant(file: &[u8], width: u32) -> Result<Option<Vec<u8>>, CallError> {
    let mut contents = Vec::with_capacity(file.len() + 32);
    put(&mut contents, &width.to_le_bytes());
    put(&mut contents, file);
    image_response(RequestKind::Variant, &contents)
}

/// Renders the preview image of a page. `inputs` are encoded [`OgImageInputs`].
pub(crate) fn og_image(inputs: &[u8], card: &OgImage<'_>) -> Result<Option<Vec<u8>>, CallError> {
    let texts = json!({
        "title": card.title,
        "description": card.description,
        "section": card.section,
        "right_to_left": card.right_to_left,
    });
    let mut contents = Vec::with_capacity(inputs.len() + 1024);
    put(&mut contents, inputs);
    put(&mut contents, texts.to_string().as_bytes());
    image_response(RequestKind::OgImage, &contents)
}
