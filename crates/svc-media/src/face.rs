//! Fonts: metrics, glyphs, and the built-in faces.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use resvg::usvg::fontdb::{Database, Source};
use skrifa::instance::{LocationRef, Size};
use skrifa::raw::TableProvider as _;
use skrifa::{FontRef, MetadataProvider as _, Tag};

use crate::decode::MediaError;

/// Maximum size of a font file in bytes.
const MAX_FONT_BYTES: usize = 8 << 20;

/// Letter frequencies of English text, in hundredths of a percent of the letters. The space between
/// words has the same unit.
const LETTER_FREQUENCIES: &[(char, u32)] = &[
    (' ', 2_200),
    ('a', 812),
    ('b', 149),
    ('c', 271),
    ('d', 432),
    ('e', 1_202),
    ('f', 230),
    ('g', 203),
    ('h', 592),
    ('i', 731),
    ('j', 10),
    ('k', 69),
    ('l', 398),
    ('m', 261),
    ('n', 695),
    ('o', 768),
    ('p', 182),
    ('q', 11),
    ('r', 602),
    ('s', 628),
    ('t', 910),
    ('u', 288),
    ('v', 111),
    ('w', 209),
    ('x', 17),
    ('y', 211),
    ('z', 7),
];

/// Metrics of a font, in ten-thousandths of the font size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FontMetrics {
    /// Ascent above the baseline.
    pub ascent: u32,
    /// Descent below the baseline.
    pub descent: u32,
    /// Gap between lines.
    pub line_gap: u32,
    /// Mean width of a letter of English text.
    pub width: u32,
    /// Minimum and maximum weight of a variable font; `None` for a static font.
    pub weights: Option<(u16, u16)>,
}

/// A font file in memory.
#[derive(Clone)]
pub struct Face {
    data: Arc<dyn AsRef<[u8]> + Send + Sync>,
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = (*self.data).as_ref().len();
        f.debug_struct("Face").field("bytes", &length).finish()
    }
}

impl Face {
    /// Reads TrueType, OpenType, WOFF and WOFF2.
    ///
    /// # Errors
    /// When the bytes are not a font, or exceed the size limit.
    pub fn read(bytes: &[u8]) -> Result<Self, MediaError> {
        if bytes.len() > MAX_FONT_BYTES {
            return Err(MediaError::TooLarge(format!("{} bytes", bytes.len())));
        }
        let broken = |name: &str| MediaError::Invalid(name.to_owned());
        let plain: Cow<'_, [u8]> = match bytes.get(..4) {
            Some(b"wOF2") => {
                let read = wuff::decompress_woff2(bytes);
                Cow::Owned(read.map_err(|_| broken("not a WOFF2 font"))?)
            }
            Some(b"wOFF") => {
                let read = wuff::decompress_woff1(bytes);
                Cow::Owned(read.map_err(|_| broken("not a WOFF font"))?)
            }
            _ => Cow::Borrowed(bytes),
        };
        let font = FontRef::new(&plain).map_err(|error| broken(&error.to_string()))?;
        if font.head().is_err() || !font.charmap().has_map() {
            return Err(broken("not a font"));
        }
        let data: Arc<Vec<u8>> = Arc::new(plain.into_owned());
        Ok(Self { data })
    }

    fn built_in(bytes: &'static [u8]) -> Self {
        Self {
            data: Arc::new(bytes),
        }
    }

    fn font(&self) -> Option<FontRef<'_>> {
        FontRef::new((*self.data).as_ref()).ok()
    }

    /// The metrics of the font; `None` if it lacks the letters to measure.
    pub fn metrics(&self) -> Option<FontMetrics> {
        let font = self.font()?;
        let metrics = font.metrics(Size::new(10_000.0), LocationRef::default());
        let whole = |value: f32| value.round().clamp(0.0, 100_000.0) as u32;
        let (sum, letters) =
            LETTER_FREQUENCIES
                .iter()
                .fold((0.0, 0), |(sum, count), (letter, often)| {
                    match self.advance(*letter) {
                        Some(width) => (sum + width * *often as f32, count + often),
                        None => (sum, count),
                    }
                });
        if letters == 0 {
            return None;
        }
        let weight = font
            .axes()
            .iter()
            .find(|axis| axis.tag() == Tag::new(b"wght"))
            .map(|axis| {
                let weight = |value: f32| value.round().clamp(1.0, 1_000.0) as u16;
                (weight(axis.min_value()), weight(axis.max_value()))
            });
        Some(FontMetrics {
            ascent: whole(metrics.ascent),
            descent: whole(-metrics.descent),
            line_gap: whole(metrics.leading),
            width: whole(sum / letters as f32 * 10_000.0),
            weights: weight.filter(|(from, to)| from < to),
        })
    }

    /// Advance width of a character relative to the font size; `None` if the font does not contain
    /// it.
    pub(crate) fn advance(&self, letter: char) -> Option<f32> {
        let font = self.font()?;
        let glyph = font.charmap().map(letter)?;
        let metrics = font.glyph_metrics(Size::new(1_000.0), LocationRef::default());
        metrics.advance_width(glyph).map(|width| width / 1_000.0)
    }

    /// Family name in the file.
    pub(crate) fn family(&self) -> Option<String> {
        let font = self.font()?;
        font.name().ok()?;
        let strings = font.localized_strings(skrifa::string::StringId::FAMILY_NAME);
        strings.english_or_first().map(|name| name.to_string())
    }
}

/// Faces for rendering text: custom ones first, then the built-in ones.
#[derive(Debug, Clone)]
pub(crate) struct Faces {
    database: Arc<Database>,
    faces: Vec<Face>,
    /// Family of the first custom face.
    custom_family: Option<String>,
}

/// The built-in faces.
pub(crate) fn built_in() -> &'static Faces {
    static FACES: OnceLock<Faces> = OnceLock::new();
    FACES.get_or_init(|| Faces::new(Vec::new()))
}

impl Faces {
    pub(crate) fn new(own: Vec<Face>) -> Self {
        let mut database = Database::new();
        let mut faces = own;
        let family = faces.first().and_then(Face::family);
        faces.push(Face::built_in(notosans::BOLD_TTF));
        faces.push(Face::built_in(notosans::REGULAR_TTF));
        for face in &faces {
            database.load_font_source(Source::Binary(Arc::clone(&face.data) as _));
        }
        for set in [
            Database::set_sans_serif_family,
            Database::set_serif_family,
            Database::set_monospace_family,
        ] {
            set(&mut database, "Noto Sans".to_owned());
        }
        Self {
            database: Arc::new(database),
            faces,
            custom_family: family,
        }
    }

    pub(crate) fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// Families in order of preference, as a `font-family` attribute value.
    pub(crate) fn families(&self) -> String {
        let plain = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
        match &self.custom_family {
            Some(own) => {
                let own: String = own.chars().filter(plain).collect();
                format!("'{own}', 'Noto Sans'")
            }
            None => "'Noto Sans'".to_owned(),
        }
    }

    /// Whether any face contains the character.
    pub(crate) fn has_glyph(&self, letter: char) -> bool {
        self.advance(letter).is_some()
    }

    /// Advance width of a character in the first face that contains it.
    pub(crate) fn advance(&self, letter: char) -> Option<f32> {
        self.faces.iter().find_map(|face| face.advance(letter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn font_metrics_are_read() {
        let face = Face::read(notosans::REGULAR_TTF).expect("it is a font");
        let shape = face.metrics().expect("it has letters");
        assert_eq!((shape.ascent, shape.descent), (10_688, 2_930));
        assert!((4_500..5_200).contains(&shape.width), "{shape:?}");
        assert_eq!(shape.weights, None);
        assert_eq!(face.family().as_deref(), Some("Noto Sans"));
        assert!(Faces::new(vec![face]).families().starts_with("'Noto Sans'"));
    }

    #[test]
    fn files_that_are_not_fonts_are_rejected() {
        for bytes in [
            &b""[..],
            b"wOF2",
            b"wOFF\0\0\0\0",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"\0\x01\0\0\xff\xff\xff\xff\xff\xff\xff\xff",
        ] {
            assert!(Face::read(bytes).is_err());
        }
        assert!(Face::read(&notosans::REGULAR_TTF[..400]).is_err());
        for cut in (400..60_000).step_by(997) {
            let face = Face::read(&notosans::REGULAR_TTF[..cut]);
            let shape = face.ok().and_then(|face| face.metrics());
            assert!(shape.is_none_or(|shape| shape.width < 20_000), "{cut}");
        }
        let huge = vec![0; MAX_FONT_BYTES + 1];
        assert!(matches!(Face::read(&huge), Err(MediaError::TooLarge(_))));
    }

    #[test]
    fn missing_glyphs_are_detected() {
        assert!(
            built_in().has_glyph('ß') && built_in().has_glyph('Ж') && built_in().has_glyph('λ')
        );
        assert!(!built_in().has_glyph('文') && !built_in().has_glyph('\u{1f680}'));
    }
}
