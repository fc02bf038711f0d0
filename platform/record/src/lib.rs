//! Game records: text to types and back.
