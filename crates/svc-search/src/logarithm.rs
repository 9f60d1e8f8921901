//! A logarithm that is the same on every platform.

/// Returns the logarithm of a number of at least 1 to the base 2, rounded down to eight binary
/// places. `f64::log2` and that of browsers differ in the last bits, so that results of equal
/// quality would have another order in a browser.
pub(crate) fn log2(mut number: f64) -> f64 {
    let mut result = 0.0;
    while number >= 2.0 {
        number /= 2.0;
        result += 1.0;
    }
    let mut digit = 0.5;
    for _ in 0..8 {
        number *= number;
        if number >= 2.0 {
            number /= 2.0;
            result += digit;
        }
        digit /= 2.0;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::log2;

    #[test]
    fn it_is_the_logarithm_rounded_down() {
        for number in [1.0, 1.5, 2.0, 3.0, 10.0, 1e6, 123_456.789] {
            let exact = f64::log2(number);
            assert!(
                (0.0..1.0 / 256.0).contains(&(exact - log2(number))),
                "{number}"
            );
        }
    }
}
