//! A win-table engine in a hundred lines: start here.
