use std::fmt;
use std::str::FromStr;

use tengen_stats::{Sprt, SprtModel};

use super::ParseOptionError;

/// A sequential test of the first engine against the second, which ends a match as soon as it
/// decides: `elo0=0,elo1=5`, and `alpha` and `beta`, which are 0.05 if left out. `model=normalized`
/// has the differences in normalized Elo; `model=logistic` is the default.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SequentialTest(pub Sprt);

impl FromStr for SequentialTest {
    type Err = ParseOptionError;

    fn from_str(text: &str) -> Result<SequentialTest, ParseOptionError> {
        let error = || {
            ParseOptionError::new(
                text,
                "elo0=N,elo1=N with elo0 below elo1, alpha=N,beta=N above 0 and below 0.5, and \
                 model=logistic or model=normalized",
            )
        };
        let mut model = None;
        let mut values = [None, None, None, None];
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(error)?;
            if key == "model" {
                let named = match value {
                    "logistic" => SprtModel::Logistic,
                    "normalized" => SprtModel::Normalized,
                    _ => return Err(error()),
                };
                if model.replace(named).is_some() {
                    return Err(error());
                }
                continue;
            }
            let keys = ["elo0", "elo1", "alpha", "beta"];
            let place = keys.iter().position(|known| *known == key).ok_or_else(error)?;
            let value: f64 = value.parse().map_err(|_| error())?;
            if values[place].replace(value).is_some() {
                return Err(error());
            }
        }
        let [Some(elo0), Some(elo1), alpha, beta] = values else { return Err(error()) };
        let (alpha, beta) = (alpha.unwrap_or(0.05), beta.unwrap_or(0.05));
        let is_chance = |chance: f64| chance > 0.0 && chance < 0.5;
        let is_elo = |elo: f64| elo.abs() <= 1000.0;
        if !(elo0 < elo1 && [elo0, elo1].into_iter().all(is_elo)) {
            return Err(error());
        }
        if ![alpha, beta].into_iter().all(is_chance) {
            return Err(error());
        }
        let model = model.unwrap_or_default();
        Ok(SequentialTest(Sprt { elo0, elo1, alpha, beta, model }))
    }
}

impl fmt::Display for SequentialTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, model } = self.0;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")?;
        match model {
            SprtModel::Logistic => Ok(()),
            SprtModel::Normalized => f.write_str(",model=normalized"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_reads_as_it_is_shown() {
        let test: SequentialTest = "elo1=5,elo0=-0.5".parse().unwrap();
        let model = SprtModel::Logistic;
        assert_eq!(test.0, Sprt { elo0: -0.5, elo1: 5.0, alpha: 0.05, beta: 0.05, model });
        assert_eq!(test.to_string().parse(), Ok(test));
        let test: SequentialTest = "model=normalized,elo0=0,elo1=2".parse().unwrap();
        assert_eq!((test.0.model, test.to_string().parse()), (SprtModel::Normalized, Ok(test)));
    }

    #[test]
    fn what_cannot_be_tested_is_refused() {
        for text in [
            "",
            "elo0=0",
            "elo0=5,elo1=5",
            "elo0=0,elo1=nan",
            "elo0=0,elo1=inf",
            "elo0=0,elo1=5,alpha=0",
            "elo0=0,elo1=5,beta=0.5",
            "elo0=0,elo0=1,elo1=5",
            "elo0=0,elo1=5,model=x",
            "elo0=0,elo1=5,model=normalized,model=normalized",
        ] {
            assert!(text.parse::<SequentialTest>().is_err(), "{text}");
        }
    }
}
