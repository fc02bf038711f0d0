//! What the error of a text reader must say.

use tengen_record::ReadError;

/// One JSON line: an error says what is wrong, and where: a column of the line, a field, or both. A
/// text of more than one line is none that a stream holds; its columns are those of the line that
/// is wrong.
pub(crate) fn check_line(text: &str, error: &ReadError) {
    assert!(!error.message.is_empty());
    let has_place = error.column.is_some() || error.field.is_some();
    assert!(has_place || text.contains('\n'), "no place: {error}");
    assert!(error.column.is_none_or(|column| column <= text.len() + 1), "beyond the line: {error}");
    assert_eq!(error.line, None, "one line is not one of many");
}

/// A text of many lines: where an error names one, the text has it, or ends there.
pub(crate) fn check_place(text: &str, error: &ReadError) {
    assert!(!error.message.is_empty());
    let lines = text.split(['\n', '\r']).count();
    assert!(error.line.is_none_or(|line| line <= lines as u64), "beyond the text: {error}");
}
