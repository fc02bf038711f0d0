use super::*;

fn reads_back<T: FromStr<Err = ParseOptionError> + fmt::Display>(texts: &[&str]) {
    for text in texts {
        assert_eq!(text.parse::<T>().unwrap().to_string(), *text);
    }
    for text in ["", "nonsense", "-1", "=", ".."] {
        let error = text.parse::<T>().err().expect(text).to_string();
        assert!(error.starts_with(&format!("`{text}`: expected ")), "{error}");
    }
}

#[test]
fn options_show_as_they_read() {
    let formats = EventFormat::ALL.map(|format| format.to_string());
    reads_back::<EventFormat>(&formats.each_ref().map(String::as_str));
    reads_back::<SeedingOption>(&["order", "rating", "lot"]);
    reads_back::<AbsentOption>(&["aside", "forfeit", "refuse"]);
    reads_back::<OpeningOrder>(&["sequential", "random"]);
    reads_back::<Symmetries>(&["none", "random", "all"]);
    reads_back::<IsolationOption>(&["child", "in-process"]);
    reads_back::<AlikeOption>(&["shape", "board"]);
    reads_back::<ForbiddenOption>(&["automatic", "claim"]);
    reads_back::<LateOption>(&["loss", "substitute"]);
    reads_back::<IllegalOption>(&["forfeit", "retries=0", "retries=3"]);
    reads_back::<FifthMoves>(&["1", "12", "1..5"]);
    reads_back::<Seconds>(&["0", "10", "0.1", "0.000000001"]);
}

#[test]
fn ranges_run_upwards_from_one() {
    assert!("5..1".parse::<FifthMoves>().is_err());
    assert!("0".parse::<FifthMoves>().is_err());
    assert_eq!("2..2".parse(), Ok(FifthMoves { min: 2, max: 2 }));
}
