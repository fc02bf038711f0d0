/// How likely it is that of `one + other` things that happen to either of two with the same chance,
/// as many as `one` or more happen to the first: the p-value of the one-sided sign test, which is
/// exact.
///
/// P(X ≥ k) = Σᵢ₌ₖⁿ C(n, i) / 2ⁿ with n = `one + other` and k = `one` (W. J. Conover, "Practical
/// Nonparametric Statistics", 3.4: the sign test).
///
/// ```
/// use tengen_stats::sign_test;
/// assert!((sign_test(8, 0) - 1.0 / 256.0).abs() < 1e-12);
/// assert!((sign_test(7, 1) - 9.0 / 256.0).abs() < 1e-12);
/// assert_eq!(sign_test(0, 0), 1.0);
/// ```
pub fn sign_test(one: u64, other: u64) -> f64 {
    let count = one + other;
    // C(n, i) / 2ⁿ from one to the next, as a logarithm: 2ⁿ is beyond every float.
    let mut term = -(count as f64) * std::f64::consts::LN_2;
    let mut terms = Vec::new();
    for i in 0..=count {
        if i >= one {
            terms.push(term);
        }
        term += ((count - i) as f64).ln() - ((i + 1) as f64).ln();
    }
    // The least first, so that none is lost in the sum.
    terms.sort_by(f64::total_cmp);
    terms.into_iter().map(f64::exp).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_sum_of_the_binomial_distribution() {
        let choose = |n: u64, k: u64| (0..k).fold(1, |all, i| all * (n - i) / (i + 1));
        for count in 0..=40u64 {
            for one in 0..=count {
                let most: u64 = (one..=count).map(|i| choose(count, i)).sum();
                let expected = most as f64 / 2f64.powi(count as i32);
                let found = sign_test(one, count - one);
                assert!((found - expected).abs() < 1e-12, "{one} of {count}: {found} {expected}");
            }
        }
    }

    #[test]
    fn great_counts_are_no_trouble() {
        assert!((sign_test(5_000, 5_000) - 0.504).abs() < 1e-3);
        assert!(sign_test(10_000, 0) == 0.0 && sign_test(0, 10_000) == 1.0);
    }
}
