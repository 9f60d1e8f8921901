//! Named character references of HTML.

use std::sync::LazyLock;

/// Names without `&` and `;`, and their code points in hexadecimal digits; sorted by name.
pub(crate) static ENTITIES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let lines = include_str!("entities.txt").lines().skip(1);
    lines.filter_map(|line| line.split_once(' ')).collect()
});

/// The characters of a named reference.
pub(crate) fn entity(name: &str) -> Option<String> {
    let index = ENTITIES
        .binary_search_by(|(key, _)| (*key).cmp(name))
        .ok()?;
    let (_, codes) = ENTITIES.get(index)?;
    let decode = |code| char::from_u32(u32::from_str_radix(code, 16).ok()?);
    codes.split(' ').map(decode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_are_sorted_and_have_characters() {
        assert_eq!(ENTITIES.len(), 2_125);
        assert!(ENTITIES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (name, _) in ENTITIES.iter() {
            assert!(entity(name).is_some(), "{name}");
        }
        assert_eq!(entity("vsupne").as_deref(), Some("\u{228b}\u{fe00}"));
    }
}
