//! Randomness, and names made of it.

const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Where unpredictable bytes come from. Programs bring the system's generator.
pub trait Random: Sync {
    /// Fills a buffer.
    ///
    /// # Errors
    /// When there is no randomness; nothing may be made of the buffer then.
    fn fill(&self, buffer: &mut [u8]) -> Result<(), NoRandomness>;
}

/// There is no randomness at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no randomness at the moment")]
pub struct NoRandomness;

/// A text of so many characters of base62, each as likely as the others.
pub(crate) fn base62(random: &dyn Random, length: usize) -> Result<String, NoRandomness> {
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
                && let Some(letter) = LETTERS.get(usize::from(byte % 62))
            {
                text.push(char::from(*letter));
            }
        }
    }
    Err(NoRandomness)
}

/// A number in six characters of base62, the most significant first.
pub(crate) fn six_letters(mut number: u32) -> String {
    let mut letters = [b'0'; 6];
    for place in letters.iter_mut().rev() {
        let letter = LETTERS.get((number % 62) as usize);
        *place = letter.copied().unwrap_or(b'0');
        number /= 62;
    }
    letters.iter().map(|letter| char::from(*letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Always(u8);

    impl Random for Always {
        fn fill(&self, buffer: &mut [u8]) -> Result<(), NoRandomness> {
            buffer.fill(self.0);
            Ok(())
        }
    }

    struct Nothing;

    impl Random for Nothing {
        fn fill(&self, _: &mut [u8]) -> Result<(), NoRandomness> {
            Err(NoRandomness)
        }
    }

    #[test]
    fn a_broken_generator_is_an_error_and_no_endless_loop() {
        assert_eq!(base62(&Always(255), 8), Err(NoRandomness));
        assert_eq!(base62(&Nothing, 8), Err(NoRandomness));
        assert_eq!(base62(&Always(61), 40).unwrap(), "z".repeat(40));
    }

    #[test]
    fn numbers_have_six_letters() {
        assert_eq!(six_letters(0), "000000");
        assert_eq!(six_letters(61), "00000z");
        assert_eq!(six_letters(62), "000010");
        assert_eq!(six_letters(u32::MAX), "4gfFC3");
    }
}
