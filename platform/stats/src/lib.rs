//! Match statistics: scores, Elo, error bars.
