//! Random numbers and ids.

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A cryptographically secure random number generator. Programs use the system's.
pub trait Random: Sync {
    /// Fills a buffer with random bytes.
    ///
    /// # Errors
    /// When the generator fails. The content of the buffer must not be used then.
    fn fill(&self, buffer: &mut [u8]) -> Result<(), RandomError>;
}

/// The random number generator failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the random number generator is unavailable")]
pub struct RandomError;

/// A uniformly distributed base62 text.
pub(crate) fn base62(random: &dyn Random, length: usize) -> Result<String, RandomError> {
    let mut text = String::with_capacity(length);
    // About one byte in 32 is discarded; a generator that only produces such bytes is broken.
    for _ in 0..64 {
        let mut bytes = [0; 32];
        random.fill(&mut bytes)?;
        for byte in bytes {
            if text.len() == length {
                return Ok(text);
            }
            // Bytes above the largest multiple of 62 would favor the first characters.
            if byte < 248
                && let Some(letter) = BASE62.get(usize::from(byte % 62))
            {
                text.push(char::from(*letter));
            }
        }
    }
    Err(RandomError)
}

/// Encodes a number as six base62 characters, the most significant first.
pub(crate) fn encode_base62(mut number: u32) -> String {
    let mut letters = [b'0'; 6];
    for slot in letters.iter_mut().rev() {
        let letter = BASE62.get((number % 62) as usize);
        *slot = letter.copied().unwrap_or(b'0');
        number /= 62;
    }
    letters.iter().map(|letter| char::from(*letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct ConstantRandom(u8);

    impl Random for ConstantRandom {
        fn fill(&self, buffer: &mut [u8]) -> Result<(), RandomError> {
            buffer.fill(self.0);
            Ok(())
        }
    }

    struct FailingRandom;

    impl Random for FailingRandom {
        fn fill(&self, _: &mut [u8]) -> Result<(), RandomError> {
            Err(RandomError)
        }
    }

    #[test]
    fn a_broken_generator_is_an_error_instead_of_an_endless_loop() {
        assert_eq!(base62(&ConstantRandom(255), 8), Err(RandomError));
        assert_eq!(base62(&FailingRandom, 8), Err(RandomError));
        assert_eq!(base62(&ConstantRandom(61), 40).unwrap(), "z".repeat(40));
    }

    #[test]
    fn numbers_have_six_letters() {
        assert_eq!(encode_base62(0), "000000");
        assert_eq!(encode_base62(61), "00000z");
        assert_eq!(encode_base62(62), "000010");
        assert_eq!(encode_base62(u32::MAX), "4gfFC3");
    }
}
