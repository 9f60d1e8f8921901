//! The arguments of a tool.
//!
//! Mistakes are sentences for the language model, which can correct them.

use serde_json::{Map, Value};

use crate::bounded_text::quoted;

/// Maximum number of bytes of a text argument.
pub(crate) const MAX_TEXT_BYTES: usize = 2_000;
/// Maximum number of values of a list argument.
const MAX_LIST_VALUES: usize = 20;

/// The arguments of a call.
#[derive(Debug)]
pub(crate) struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// The arguments of a tool with the parameters `names`.
    ///
    /// # Errors
    /// If an argument is not a parameter.
    pub(crate) fn new(values: &'a Map<String, Value>, names: &[&str]) -> Result<Self, String> {
        match values.keys().find(|key| !names.contains(&key.as_str())) {
            Some(key) => Err(format!(
                "`{}` is not a parameter; parameters are `{}`",
                quoted(key, 60),
                names.join("`, `")
            )),
            None => Ok(Self(values)),
        }
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        // Models often send null or an empty text for a parameter that they do not use.
        self.0.get(name).filter(|value| match value {
            Value::Null => false,
            Value::String(text) => !text.trim().is_empty(),
            _ => true,
        })
    }

    /// A text. `None` if it is missing or empty.
    ///
    /// # Errors
    /// If it is no text or too long.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.len() <= MAX_TEXT_BYTES => Ok(Some(text.trim())),
            Some(Value::String(_)) => Err(format!(
                "`{name}` must be at most {MAX_TEXT_BYTES} bytes long"
            )),
            Some(_) => Err(format!("`{name}` must be a string")),
        }
    }

    /// A text that is not empty.
    pub(crate) fn required(&self, name: &str) -> Result<&'a str, String> {
        let text = self.text(name)?;
        text.ok_or_else(|| format!("`{name}` is missing"))
    }

    /// A text or a list of texts, without empty ones.
    pub(crate) fn texts(&self, name: &str, max: usize) -> Result<Vec<&'a str>, String> {
        let Some(Value::Array(values)) = self.get(name) else {
            return Ok(self.text(name)?.into_iter().collect());
        };
        if values.len() > max.min(MAX_LIST_VALUES) {
            return Err(format!("`{name}` must have at most {max} values"));
        }
        let texts = values.iter().map(|value| match value {
            Value::String(text) if text.len() <= MAX_TEXT_BYTES => Ok(text.trim()),
            _ => Err(format!("`{name}` must be a list of strings")),
        });
        let texts: Vec<&str> = texts.collect::<Result<_, _>>()?;
        Ok(texts.into_iter().filter(|text| !text.is_empty()).collect())
    }

    /// A number in a range, also as text, which some models send.
    pub(crate) fn number(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<usize>,
        default: usize,
    ) -> Result<usize, String> {
        let number = match self.get(name) {
            None => return Ok(default),
            Some(Value::Number(number)) => number
                .as_u64()
                .or_else(|| number.as_f64().and_then(whole))
                .and_then(|number| usize::try_from(number).ok()),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(_) => None,
        };
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                format!(
                    "`{name}` must be a whole number from {} to {}",
                    range.start(),
                    range.end()
                )
            })
    }

    /// True or false, also as text.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, String> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(*value),
            Some(Value::String(text)) if text == "true" => Ok(true),
            Some(Value::String(text)) if text == "false" => Ok(false),
            Some(_) => Err(format!("`{name}` must be true or false")),
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is whole and in the range"
)]
fn whole(number: f64) -> Option<u64> {
    ((0.0..1e9).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_are_checked() {
        let values = json!({
            "a": " x ", "n": 5.0, "t": "7", "f": "true", "l": ["x", " "], "e": "", "z": null,
            "o": {}, "neg": -1, "half": 0.5, "long": "x".repeat(MAX_TEXT_BYTES + 1)
        });
        let values = values.as_object().unwrap();
        let names = [
            "a", "n", "t", "f", "l", "e", "z", "o", "neg", "half", "long",
        ];
        let arguments = Arguments::new(values, &names).unwrap();
        assert_eq!(arguments.text("a"), Ok(Some("x")));
        assert_eq!(arguments.text("e"), Ok(None));
        assert_eq!(arguments.text("z"), Ok(None));
        assert_eq!(arguments.number("n", 1..=9, 1), Ok(5));
        assert_eq!(arguments.number("t", 1..=9, 1), Ok(7));
        assert_eq!(arguments.number("none", 1..=9, 3), Ok(3));
        assert_eq!(arguments.flag("f"), Ok(true));
        assert_eq!(arguments.texts("l", 5), Ok(vec!["x"]));
        assert_eq!(arguments.texts("a", 5), Ok(vec!["x"]));
        for name in ["o", "neg", "half", "a"] {
            assert!(arguments.number(name, 1..=9, 1).is_err(), "{name}");
        }
        assert!(arguments.text("long").is_err() && arguments.text("o").is_err());
        assert_eq!(arguments.required("e"), Err("`e` is missing".to_owned()));
        let message = Arguments::new(values, &["a", "b"]).unwrap_err();
        assert_eq!(message, "`n` is not a parameter; parameters are `a`, `b`");
    }
}
