//! Fonts: their measures, their letters, and the ones that are always there.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use resvg::usvg::fontdb::{Database, Source};
use skrifa::instance::{LocationRef, Size};
use skrifa::raw::TableProvider as _;
use skrifa::{FontRef, MetadataProvider as _, Tag};

use crate::decode::MediaError;

/// Bytes of a font file.
const MAX_FONT_BYTES: usize = 8 << 20;

/// How often letters stand in English text, in hundredths of a percent of the letters, and the
/// space between words in the same unit.
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

/// Measures of a font, in ten-thousandths of its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FontMetrics {
    /// Above the baseline.
    pub ascent: u32,
    /// Below the baseline.
    pub descent: u32,
    /// Between lines.
    pub line_gap: u32,
    /// The mean width of a letter of English text.
    pub width: u32,
    /// The lightest and the heaviest weight of a variable font.
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
    /// When the bytes are no font, or larger than the limits.
    pub fn read(bytes: &[u8]) -> Result<Self, MediaError> {
        if bytes.len() > MAX_FONT_BYTES {
            return Err(MediaError::TooLarge(format!("{} bytes", bytes.len())));
        }
        let broken = |what: &str| MediaError::Invalid(what.to_owned());
        let plain: Cow<'_, [u8]> = match bytes.get(..4) {
            Some(b"wOF2") => {
                let read = wuff::decompress_woff2(bytes);
                Cow::Owned(read.map_err(|_| broken("it is not a WOFF2 font"))?)
            }
            Some(b"wOFF") => {
                let read = wuff::decompress_woff1(bytes);
                Cow::Owned(read.map_err(|_| broken("it is not a WOFF font"))?)
            }
            _ => Cow::Borrowed(bytes),
        };
        let font = FontRef::new(&plain).map_err(|error| broken(&error.to_string()))?;
        if font.head().is_err() || !font.charmap().has_map() {
            return Err(broken("it is not a font"));
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

    /// Its measures.
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

    /// The width of a letter, in parts of the size; nothing when the font does not have it.
    pub(crate) fn advance(&self, letter: char) -> Option<f32> {
        let font = self.font()?;
        let glyph = font.charmap().map(letter)?;
        let metrics = font.glyph_metrics(Size::new(1_000.0), LocationRef::default());
        metrics.advance_width(glyph).map(|width| width / 1_000.0)
    }

    /// The family that the file says it is.
    pub(crate) fn family(&self) -> Option<String> {
        let font = self.font()?;
        font.name().ok()?;
        let strings = font.localized_strings(skrifa::string::StringId::FAMILY_NAME);
        strings.english_or_first().map(|name| name.to_string())
    }
}

/// Faces to draw text with: own ones first, then those that are always there.
#[derive(Debug, Clone)]
pub(crate) struct Faces {
    database: Arc<Database>,
    faces: Vec<Face>,
    /// The family of the first own face.
    custom_family: Option<String>,
}

/// The faces that are always there.
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

    /// The families in the order of preference, as an attribute value without quotes around it.
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

    /// Whether some face has the letter.
    pub(crate) fn has_glyph(&self, letter: char) -> bool {
        self.advance(letter).is_some()
    }

    /// The width of a letter in the first face that has it.
    pub(crate) fn advance(&self, letter: char) -> Option<f32> {
        self.faces.iter().find_map(|face| face.advance(letter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measures_of_a_font_are_read() {
        let face = Face::read(notosans::REGULAR_TTF).expect("it is a font");
        let shape = face.metrics().expect("it has letters");
        assert_eq!((shape.ascent, shape.descent), (10_688, 2_930));
        assert!((4_500..5_200).contains(&shape.width), "{shape:?}");
        assert_eq!(shape.weights, None);
        assert_eq!(face.family().as_deref(), Some("Noto Sans"));
        assert!(Faces::new(vec![face]).families().starts_with("'Noto Sans'"));
    }

    #[test]
    fn what_is_no_font_is_refused() {
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
    fn letters_that_no_face_has_are_known() {
        assert!(
            built_in().has_glyph('ß') && built_in().has_glyph('Ж') && built_in().has_glyph('λ')
        );
        assert!(!built_in().has_glyph('文') && !built_in().has_glyph('\u{1f680}'));
    }
}
