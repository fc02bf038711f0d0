//! A saved game is the same game after it is written and read again, except for names that the
//! format cannot hold, and from then on the same text; any other text is refused with its line.

use tengen_record::formats::psq;

use crate::errors::check_place;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    for game in psq::read(text) {
        match game {
            Ok(sheet) => {
                let written = psq::write(&sheet).expect("what was a saved game can be one");
                let mut games = psq::read(&written);
                let again = games.next().expect("a game").expect("what was written can be read");
                assert_eq!(games.next(), None, "{written}");
                assert_eq!(again.size, sheet.size);
                assert!(again.moves().eq(sheet.moves()), "{written}");
                assert_eq!(again.rule, sheet.rule, "{written}");
                assert_eq!(again.outcome, sheet.outcome, "{written}");
                assert_eq!(psq::write(&again), Ok(written));
            }
            Err(unread) => check_place(text, &unread.error),
        }
    }
}
