//! Randomness, and names made of it.

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Where unpredictable bytes come from. Programs bring the system's generator.
pub trait Random: Sync {
    /// Fills a buffer.
    ///
    /// # Errors
    /// When there is no randomness; nothing may be made of the buffer then.
    fn fill(&self, buffer: &mut [u8]) -> Result<(), RandomError>;
}

/// There is no randomness at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no randomness at the moment")]
pub struct RandomError;

/// A text of so many characters of base62, each as likely as the others.
pub(crate) fn base62(random: &dyn Random, length: usize) -> Result<String, RandomError> {
    let mut text = String::with_capacity(length);
    // About one byte in 32 is of no use; a generator whose bytes are mostly so is broken.
    for _ in 0..64 {
        let mut bytes = [0; 32];
        random.fill(&mut bytes)?;
        for byte in bytes {
            if text.len() == length {
                return Ok(text);
            }
            // Beyond the largest multiple of 62 the first characters would be more likely.
            if byte < 248
                && let Some(letter) = BASE62.get(usize::from(byte % 62))
            {
                text.push(char::from(*letter));
            }
        }
    }
    Err(RandomError)
}

/// A number in six characters of base62, the most significant first.
pub(crate) fn encode_base62(mut number: u32) -> String {
    let mut letters = [b'0'; 6];
    for place in letters.iter_mut().rev() {
        let letter = BASE62.get((number % 62) as usize);
        *place = letter.copied().unwrap_or(b'0');
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
    fn a_broken_generator_is_an_error_and_no_endless_loop() {
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
