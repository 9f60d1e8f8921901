//! Signed JSON Web Tokens in the compact serialization (RFC 7515, RFC 7519).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use openidconnect::JsonWebKey as _;
use openidconnect::core::{CoreJsonWebKey, CoreJwsSigningAlgorithm};
use serde_json::{Map, Value};

/// Maximum length of a token in bytes.
pub(crate) const MAX_TOKEN_BYTES: usize = 16 << 10;
/// Algorithms with a public key. With `none` or HMAC, others than the provider could sign.
pub(crate) const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// Claims of a token whose signature is valid.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SignedClaims {
    /// Type of the token in lower case, without `application/`.
    pub(crate) token_type: Option<String>,
    pub(crate) claims: Map<String, Value>,
}

/// Why a token is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum JwsError {
    /// The text is not a token.
    #[error("the text is not a signed JSON Web Token")]
    Syntax,
    /// The algorithm is not allowed.
    #[error("the algorithm of the token is not allowed")]
    Algorithm,
    /// No key has made the signature.
    #[error("the signature of the token is not valid")]
    Signature,
}

/// Verifies the signature of a token with one of the keys. The claims are not checked.
///
/// # Errors
/// If the text is not a token, or none of the keys has signed it.
pub(crate) fn verify(token: &str, keys: &[CoreJsonWebKey]) -> Result<SignedClaims, JwsError> {
    if token.len() > MAX_TOKEN_BYTES {
        return Err(JwsError::Syntax);
    }
    let (signed, signature) = token.rsplit_once('.').ok_or(JwsError::Syntax)?;
    let (header, payload) = signed.split_once('.').ok_or(JwsError::Syntax)?;
    let header: Map<String, Value> = decode(header)?;
    // Extensions that must be understood, and none is.
    if header.contains_key("crit") {
        return Err(JwsError::Syntax);
    }
    let algorithm = header.get("alg").cloned().unwrap_or_default();
    let algorithm: CoreJwsSigningAlgorithm =
        serde_json::from_value(algorithm).map_err(|_| JwsError::Algorithm)?;
    if !ALGORITHMS.contains(&algorithm) {
        return Err(JwsError::Algorithm);
    }
    let signature = URL_SAFE_NO_PAD.decode(signature);
    let signature = signature.map_err(|_| JwsError::Syntax)?;
    let id = header.get("kid").and_then(Value::as_str);
    let fits = |key: &&CoreJsonWebKey| {
        let own = key.key_id().map(|own| own.as_str());
        own.is_none() || id.is_none() || own == id
    };
    let mut keys = keys.iter().filter(fits);
    let is_valid = |key: &CoreJsonWebKey| {
        key.verify_signature(&algorithm, signed.as_bytes(), &signature)
            .is_ok()
    };
    if !keys.any(is_valid) {
        return Err(JwsError::Signature);
    }
    let token_type = header.get("typ").and_then(Value::as_str);
    let token_type = token_type.map(|name| {
        let name = name.to_ascii_lowercase();
        name.strip_prefix("application/")
            .map_or(name.clone(), str::to_owned)
    });
    Ok(SignedClaims {
        token_type,
        claims: decode(payload)?,
    })
}

fn decode(part: &str) -> Result<Map<String, Value>, JwsError> {
    let bytes = URL_SAFE_NO_PAD.decode(part).map_err(|_| JwsError::Syntax)?;
    serde_json::from_slice(&bytes).map_err(|_| JwsError::Syntax)
}

#[cfg(test)]
mod tests {
    use openidconnect::core::CoreJsonCurveType;

    use super::*;

    /// The public key and the token of RFC 8037, appendix A.
    const KEY: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    const HEADER: &str = "eyJhbGciOiJFZERTQSJ9";

    fn key() -> CoreJsonWebKey {
        let x = URL_SAFE_NO_PAD.decode(KEY).unwrap();
        CoreJsonWebKey::new_okp(x, CoreJsonCurveType::Ed25519, None)
    }

    #[test]
    fn only_signed_tokens_are_accepted() {
        // The payload of the example is not JSON, so its signature is checked first.
        let payload = "RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
        let signature = "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
        let token = |header: &str| format!("{header}.{payload}.{signature}");
        assert_eq!(verify(&token(HEADER), &[key()]), Err(JwsError::Syntax));
        assert_eq!(verify(&token(HEADER), &[]), Err(JwsError::Signature));
        let changed = token(HEADER)
            .replace("RXho", "RXhn")
            .replace(payload, "e30");
        assert_eq!(verify(&changed, &[key()]), Err(JwsError::Signature));
        for (header, error) in [
            (r#"{"alg":"none"}"#, JwsError::Algorithm),
            (r#"{"alg":"HS256"}"#, JwsError::Algorithm),
            (r#"{"alg":"x"}"#, JwsError::Algorithm),
            ("{}", JwsError::Algorithm),
            (r#"{"alg":"EdDSA","crit":["b64"]}"#, JwsError::Syntax),
            ("[]", JwsError::Syntax),
        ] {
            let header_part = URL_SAFE_NO_PAD.encode(header);
            assert_eq!(
                verify(&token(&header_part), &[key()]),
                Err(error),
                "{header}"
            );
        }
        for text in ["", ".", "..", "a.b", "a.b.c.d"] {
            assert!(verify(text, &[key()]).is_err(), "{text}");
        }
    }
}
