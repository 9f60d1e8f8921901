//! Query parameters.

use url::form_urlencoded;

use crate::error::ApiError;

/// Values of the named parameters. Unknown and repeated parameters are errors, because the response
/// would not be what the client expects.
pub(crate) fn read<const N: usize>(
    query: Option<&str>,
    names: [&str; N],
) -> Result<[Option<String>; N], ApiError> {
    let mut values = [const { None }; N];
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        let known = names.iter().position(|known| *known == name);
        let Some(slot) = known.and_then(|at| values.get_mut(at)) else {
            let name: String = name.chars().take(60).collect();
            let reason = format!("unknown parameter `{name}`");
            return Err(ApiError::InvalidQuery(reason));
        };
        if slot.replace(value.into_owned()).is_some() {
            return Err(ApiError::InvalidQuery(format!("`{name}` is given twice")));
        }
    }
    Ok(values)
}
