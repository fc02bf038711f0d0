//! What a client reads of a game: the other side of [`GameView`](crate::GameView).

use serde::Deserialize;
use serde_json::Value;
use tengen_arbiter::SearchInfo;
use tengen_rules::{Answer, Color, Move, Point};

use crate::game_view::ResultView;

/// A game: its actions and its end.
#[derive(Debug, Deserialize)]
pub struct GameFields {
    /// Its number at the table.
    pub number: u64,
    /// Its actions so far.
    pub steps: Vec<StepFields>,
    /// How it ended.
    pub result: Option<ResultView>,
}

/// An action.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct StepFields {
    /// Who acted, 0 or 1.
    #[serde(rename = "s")]
    pub seat: u8,
    /// What was done, where it is more than a stone.
    #[serde(rename = "a")]
    pub kind: Option<String>,
    /// With what.
    #[serde(rename = "v")]
    pub value: Option<Value>,
    /// The stones that it laid: twice the point, and one more where it is white.
    #[serde(rename = "p")]
    pub laid: Vec<u16>,
    /// What it took, in milliseconds.
    #[serde(rename = "t")]
    pub spent: f64,
    /// The evaluation that was told.
    #[serde(rename = "e")]
    pub eval: Option<i32>,
    /// In how many moves the game is won, or lost.
    #[serde(rename = "w")]
    pub win_in: Option<i32>,
    /// The depth of the search.
    #[serde(rename = "d")]
    pub depth: u32,
    /// The greatest depth that it reached.
    #[serde(rename = "sd")]
    pub seldepth: u32,
    /// The nodes that were searched.
    #[serde(rename = "n")]
    pub nodes: u64,
    /// The stones of the variation that was expected; −1 is a pass.
    #[serde(rename = "pv")]
    pub variation: Vec<i32>,
    /// Whether it was refused.
    #[serde(rename = "x")]
    pub is_illegal: bool,
    /// Whether the server played it in place of a late answer.
    #[serde(rename = "u")]
    pub is_substitute: bool,
}

impl StepFields {
    /// The answer that was given; none for what leaves the board and the questions alone.
    ///
    /// # Errors
    /// When it is none of this protocol.
    pub fn answer(&self) -> Result<Option<Answer>, String> {
        let wrong = || format!("action {:?} with {:?}", self.kind, self.value);
        let point = |value: &Value| value.as_u64().and_then(point_of);
        let value = self.value.as_ref();
        let points = || -> Option<Vec<Point>> { value?.as_array()?.iter().map(point).collect() };
        let one = || value.and_then(point);
        let answer = match self.kind.as_deref() {
            _ if self.is_illegal => return Ok(None),
            None => {
                let laid = self.laid.first().and_then(|stone| point_of(u64::from(stone / 2)));
                laid.map(|at| Answer::Move(Move::Stone(at)))
            }
            Some("move") => one().map(|at| Answer::Move(Move::Stone(at))),
            Some("pass") => Some(Answer::Move(Move::Pass)),
            Some("place") => points().map(Answer::Place),
            Some("offer") => points().map(Answer::Offer),
            Some("pick") => one().map(Answer::Pick),
            Some("choose") => match value.and_then(Value::as_str) {
                Some("black") => Some(Answer::Choose(Color::Black)),
                Some("white") => Some(Answer::Choose(Color::White)),
                _ => None,
            },
            Some("swap") => value.and_then(Value::as_bool).map(Answer::Swap),
            Some("declare") => {
                let number = value.and_then(Value::as_u64);
                number.and_then(|number| u8::try_from(number).ok()).map(Answer::Declare)
            }
            Some(_) => return Ok(None),
        };
        answer.map(Some).ok_or_else(wrong)
    }

    /// What was said of the search behind it.
    pub fn info(&self) -> Option<SearchInfo> {
        let StepFields { eval, win_in, depth, seldepth, nodes, .. } = *self;
        let info = SearchInfo { eval, win_in, depth, seldepth, nodes };
        (info != SearchInfo::default()).then_some(info)
    }

    /// The variation that was expected.
    pub fn variation(&self) -> Vec<Move> {
        let mv = |stone: &i32| match u64::try_from(*stone) {
            Ok(stone) => point_of(stone / 2).map(Move::Stone),
            Err(_) => Some(Move::Pass),
        };
        self.variation.iter().map_while(mv).collect()
    }
}

/// A point as the page has it.
fn point_of(number: u64) -> Option<Point> {
    let (x, y) = (u8::try_from(number % 32).ok()?, u8::try_from(number / 32).ok()?);
    (y < 32).then(|| Point::new(x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_as_the_answers_that_they_were() {
        let answer = |text: &str| serde_json::from_str::<StepFields>(text).unwrap().answer();
        let at = |text: &str| text.parse::<Point>().unwrap();
        let h8 = Answer::Move(Move::Stone(at("h8")));
        assert_eq!(answer(r#"{"s":0,"p":[462],"t":1.5}"#), Ok(Some(h8.clone())));
        assert_eq!(answer(r#"{"s":0,"a":"move","v":231,"t":1}"#), Ok(Some(h8)));
        let place = Answer::Place(vec![at("h8"), at("a1")]);
        assert_eq!(answer(r#"{"s":0,"a":"place","v":[231,0],"t":1}"#), Ok(Some(place)));
        let black = Some(Answer::Choose(Color::Black));
        assert_eq!(answer(r#"{"s":1,"a":"choose","v":"black","t":1}"#), Ok(black));
        assert_eq!(answer(r#"{"s":1,"a":"declare","v":3,"t":1}"#), Ok(Some(Answer::Declare(3))));
        assert_eq!(answer(r#"{"s":1,"a":"resign","t":1}"#), Ok(None));
        assert_eq!(answer(r#"{"s":1,"a":"move","v":231,"x":true,"t":1}"#), Ok(None));
        assert!(answer(r#"{"s":1,"a":"swap","v":"yes","t":1}"#).is_err());
        assert!(answer(r#"{"s":1,"t":1}"#).is_err());
    }
}
