//! Verifies signatures. All comparisons take constant time.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

type Code = Hmac<Sha256>;

/// Whether `signature` is the hexadecimal HMAC of `pieces`.
pub(super) fn is_hex(signature: &str, pieces: &[&[u8]], secret: &[u8]) -> bool {
    let mut bytes = [0; 32];
    hex::decode_to_slice(signature, &mut bytes).is_ok() && is_code(&bytes, pieces, secret)
}

/// Whether `signature` is the base64 HMAC of `pieces`.
pub(super) fn is_base64(signature: &str, pieces: &[&[u8]], secret: &[u8]) -> bool {
    // A base64 HMAC has 44 characters; longer texts are not decoded.
    signature.len() == 44
        && STANDARD
            .decode(signature)
            .is_ok_and(|bytes| is_code(&bytes, pieces, secret))
}

/// Whether a text is the secret itself. Their HMACs are compared, so that the time does not depend
/// on the length either.
pub(super) fn is_secret(text: &str, secret: &[u8]) -> bool {
    let Some(code) = code(&[secret], secret) else {
        return false;
    };
    is_code(&code.finalize().into_bytes(), &[text.as_bytes()], secret)
}

/// The key in a signing token of GitLab: `whsec_` and base64.
pub(super) fn signing_key(secret: &[u8]) -> Option<Vec<u8>> {
    STANDARD.decode(secret.strip_prefix(b"whsec_")?).ok()
}

fn is_code(bytes: &[u8], pieces: &[&[u8]], secret: &[u8]) -> bool {
    code(pieces, secret).is_some_and(|code| code.verify_slice(bytes).is_ok())
}

fn code(pieces: &[&[u8]], secret: &[u8]) -> Option<Code> {
    let mut code = Code::new_from_slice(secret).ok()?;
    for piece in pieces {
        code.update(piece);
    }
    Some(code)
}

/// HMAC of a body in hexadecimal digits, for tests.
#[cfg(test)]
pub(super) fn hex(pieces: &[&[u8]], secret: &[u8]) -> String {
    hex::encode(code(pieces, secret).unwrap().finalize().into_bytes())
}

/// HMAC of a body in base64, for tests.
#[cfg(test)]
pub(super) fn base64(pieces: &[&[u8]], secret: &[u8]) -> String {
    STANDARD.encode(code(pieces, secret).unwrap().finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_github_signature_is_valid() {
        // The example that GitHub publishes for testing implementations.
        let signature = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
        let secret = b"It's a Secret to Everybody";
        assert!(is_hex(signature, &[b"Hello, World!"], secret));
        assert!(is_hex(
            &signature.to_uppercase(),
            &[b"Hello, ", b"World!"],
            secret
        ));
        assert!(!is_hex(signature, &[b"Hello, World?"], secret));
        assert!(!is_hex(signature, &[b"Hello, World!"], b"It's no Secret"));
        for cut in 0..64 {
            assert!(!is_hex(&signature[..cut], &[b"Hello, World!"], secret));
        }
    }

    #[test]
    fn only_the_exact_secret_matches() {
        assert!(is_secret("s3cret", b"s3cret"));
        for text in ["", "s3cre", "s3crets", "S3cret", "s3cret "] {
            assert!(!is_secret(text, b"s3cret"), "{text}");
        }
    }

    #[test]
    fn a_signing_token_starts_with_its_prefix() {
        assert_eq!(signing_key(b"whsec_AQID"), Some(vec![1, 2, 3]));
        assert_eq!(signing_key(b"AQID"), None);
        assert_eq!(signing_key(b"whsec_***"), None);
    }
}
