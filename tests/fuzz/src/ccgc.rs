//! A contest's record is the same game after it is written and read again, and from then on the
//! same bytes; any other text is refused.

use tengen_record::formats::ccgc;

pub(crate) fn check(bytes: &[u8]) {
    for sheet in ccgc::read(bytes).take(100) {
        match sheet {
            Ok(sheet) => {
                let written = ccgc::write(&sheet).expect("what was a record can be one");
                let mut games = ccgc::read(&written);
                let again = games.next().expect("a game").expect("what was written can be read");
                assert!(games.next().is_none());
                assert!(again.moves().eq(sheet.moves()));
                assert_eq!(again.outcome, sheet.outcome);
                assert_eq!(ccgc::write(&again), Ok(written));
                assert!(ccgc::file_name(&sheet).len() < 255);
            }
            Err(unread) => assert!(!unread.error.message.is_empty()),
        }
    }
}
