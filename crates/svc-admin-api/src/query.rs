//! Parameters of the query.

use url::form_urlencoded;

use crate::error::ApiError;

/// The values of the parameters of these names. Another name, or one that comes twice, is a slip
/// that would otherwise be answered with something that was not asked for.
pub(crate) fn read<const N: usize>(
    query: Option<&str>,
    names: [&str; N],
) -> Result<[Option<String>; N], ApiError> {
    let mut found = [const { None }; N];
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        let known = names.iter().position(|known| *known == name);
        let Some(place) = known.and_then(|at| found.get_mut(at)) else {
            let name: String = name.chars().take(60).collect();
            let why = format!("there is no parameter `{name}`");
            return Err(ApiError::InvalidQuery(why));
        };
        if place.replace(value.into_owned()).is_some() {
            return Err(ApiError::InvalidQuery(format!("`{name}` stands twice")));
        }
    }
    Ok(found)
}
