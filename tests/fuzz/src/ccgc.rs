//! A contest's record is the same game after it is written and read again, and from then on the
//! same bytes; any other text is refused.

use tengen_record::formats::{ScoreSheet, SheetOutcome, ccgc};
use tengen_rules::Color;

pub(crate) fn check(bytes: &[u8]) {
    for sheet in ccgc::read(bytes).take(100) {
        match sheet {
            Ok(sheet) => {
                let written = ccgc::write(&sheet).expect("what was a record can be one");
                let mut games = ccgc::read(&written);
                let again = games.next().expect("a game").expect("what was written can be read");
                assert!(games.next().is_none());
                assert!(again.moves().eq(sheet.moves()));
                assert_eq!(winner(&again), winner(&sheet));
                assert_eq!(ccgc::write(&again), Ok(written));
                assert!(ccgc::file_name(&sheet).len() < 255);
            }
            Err(unread) => assert!(!unread.error.message.is_empty()),
        }
    }
}

/// The result, without why it came so, for which the format has no words.
fn winner(sheet: &ScoreSheet) -> Option<Option<Color>> {
    sheet.outcome.filter(SheetOutcome::counts).map(|outcome| outcome.winner)
}
