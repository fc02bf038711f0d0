//! Text from strangers, made safe to show.

/// The text without characters that do anything but appear where they stand, and at most so many
/// characters long.
pub fn plain(text: &str, most: usize) -> String {
    let is_seen = |sign: &char| !is_odd(*sign);
    let mut plain: String = text.chars().filter(is_seen).take(most).collect();
    if plain.len() < text.len() && text.chars().filter(is_seen).count() > most {
        plain.push('…');
    }
    plain
}

/// Control characters, and those that turn the direction of the text around them.
fn is_odd(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_left_out_and_what_is_long_is_cut() {
        assert_eq!(plain("ho\u{202e}shi\u{1b}[2J\n", 99), "hoshi[2J");
        assert_eq!(plain("天元天元", 2), "天元…");
        assert_eq!(plain("天元", 2), "天元");
    }
}
