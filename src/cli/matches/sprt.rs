//! The test of a match as the command line gives it.

use crate::tournament::statistics::{EloModel, Parameters, Sprt};

use super::super::error::CliError;
use super::arguments::usage;

/// Reads `elo0=0,elo1=10[,alpha=0.05][,beta=0.05][,model=logistic|normalized]`.
pub(super) fn sprt(text: &str) -> Result<Sprt, CliError> {
    let mut parameters =
        Parameters { model: EloModel::Logistic, elo0: f64::NAN, elo1: f64::NAN, alpha: 0.05, beta: 0.05 };
    for pair in text.split(',') {
        let wrong = |expected: &str| usage(format!("--sprt: expected {expected}, found \"{pair}\""));
        let (key, value) = pair.split_once('=').ok_or_else(|| wrong("KEY=VALUE"))?;
        let number = || value.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(|| wrong("a number"));
        match key.trim() {
            "elo0" => parameters.elo0 = number()?,
            "elo1" => parameters.elo1 = number()?,
            "alpha" => parameters.alpha = number()?,
            "beta" => parameters.beta = number()?,
            "model" => parameters.model = value.parse().map_err(|error| usage(format!("--sprt: {error}")))?,
            _ => return Err(wrong("elo0, elo1, alpha, beta or model")),
        }
    }
    if parameters.elo0.is_nan() || parameters.elo1.is_nan() {
        return Err(usage(format!("--sprt: expected elo0 and elo1, found \"{text}\"")));
    }
    Sprt::try_from(parameters).map_err(|error| usage(format!("--sprt: {error}")))
}
