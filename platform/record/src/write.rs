//! Actions as JSON, written byte by byte: an event of engines that hardly think finishes twenty
//! thousand games a second, and each is seventy objects of a dozen keys. This takes half the time
//! of the derived writing, and writes the same.

use tengen_arbiter::{Action, HistoryEntry, SearchInfo};
use tengen_rules::{Answer, Color, Move, Point, Seat};

/// Appends the actions as a JSON array.
pub(crate) fn write_actions(to: &mut Vec<u8>, actions: &[HistoryEntry]) {
    to.push(b'[');
    for (index, action) in actions.iter().enumerate() {
        if index > 0 {
            to.push(b',');
        }
        write_action(to, action);
    }
    to.push(b']');
}

/// Appends one action as a JSON object.
fn write_action(to: &mut Vec<u8>, entry: &HistoryEntry) {
    let HistoryEntry { seat, action, spent, clock, legal, substituted, .. } = entry;
    let HistoryEntry { correction, ready, info, pv, lag, said, .. } = entry;
    to.extend_from_slice(match seat {
        Seat::First => b"{\"seat\":\"first\"",
        Seat::Second => b"{\"seat\":\"second\"",
    });
    write_done(to, action);
    to.extend_from_slice(b",\"ns\":");
    write_number(to, *spent);
    to.extend_from_slice(b",\"clock\":");
    match clock {
        Some(clock) => write_number(to, *clock),
        None => to.extend_from_slice(b"null"),
    }
    if correction.given_back > 0 {
        to.extend_from_slice(b",\"given_back\":");
        write_number(to, correction.given_back);
    }
    if correction.unasked > 0 {
        to.extend_from_slice(b",\"unasked\":");
        write_number(to, correction.unasked);
    }
    if let Some(lag) = lag {
        to.extend_from_slice(b",\"lag\":");
        write_number(to, *lag);
    }
    if !legal {
        to.extend_from_slice(b",\"legal\":false");
    }
    if *substituted {
        to.extend_from_slice(b",\"substituted\":true");
    }
    if info.is_some() || !pv.is_empty() {
        write_info(to, &info.unwrap_or_default(), pv);
    }
    if let Some(ready) = ready {
        to.extend_from_slice(b",\"ready\":");
        write_number(to, *ready);
    }
    if !said.is_empty() {
        to.extend_from_slice(b",\"said\":");
        serde_json::to_writer(&mut *to, said).expect("a vector takes every text");
    }
    to.push(b'}');
}

fn write_done(to: &mut Vec<u8>, action: &Action) {
    let word: &[u8] = match action {
        Action::Answer(Answer::Move(Move::Stone(point))) => {
            to.extend_from_slice(b",\"move\":");
            return write_point(to, *point);
        }
        Action::Answer(Answer::Pick(point)) => {
            to.extend_from_slice(b",\"pick\":");
            return write_point(to, *point);
        }
        Action::Answer(Answer::Place(points)) => {
            to.extend_from_slice(b",\"place\":");
            return write_points(to, points);
        }
        Action::Answer(Answer::Offer(points)) => {
            to.extend_from_slice(b",\"offer\":");
            return write_points(to, points);
        }
        Action::Answer(Answer::Declare(count)) => {
            to.extend_from_slice(b",\"declare\":");
            return write_number(to, (*count).into());
        }
        Action::Answer(Answer::Swap(true)) => b",\"swap\":true",
        Action::Answer(Answer::Swap(false)) => b",\"swap\":false",
        Action::Answer(Answer::Choose(Color::Black)) => b",\"choose\":\"black\"",
        Action::Answer(Answer::Choose(Color::White)) => b",\"choose\":\"white\"",
        Action::Answer(Answer::Move(Move::Pass)) => b",\"pass\":true",
        Action::Resign => b",\"resign\":true",
        Action::Claim => b",\"claim\":true",
        Action::OfferDraw => b",\"offer_draw\":true",
        Action::AcceptDraw => b",\"accept_draw\":true",
    };
    to.extend_from_slice(word);
}

fn write_points(to: &mut Vec<u8>, points: &[Point]) {
    to.push(b'[');
    for (index, point) in points.iter().enumerate() {
        if index > 0 {
            to.push(b',');
        }
        write_point(to, *point);
    }
    to.push(b']');
}

fn write_moves(to: &mut Vec<u8>, moves: &[Move]) {
    to.push(b'[');
    for (index, mv) in moves.iter().enumerate() {
        if index > 0 {
            to.push(b',');
        }
        match mv {
            Move::Stone(point) => write_point(to, *point),
            Move::Pass => to.extend_from_slice(b"\"pass\""),
        }
    }
    to.push(b']');
}

fn write_point(to: &mut Vec<u8>, point: Point) {
    let (buffer, length) = point.ascii();
    to.push(b'"');
    to.extend_from_slice(&buffer[..length]);
    to.push(b'"');
}

/// What is not known is left out.
fn write_info(to: &mut Vec<u8>, info: &SearchInfo, pv: &[Move]) {
    to.extend_from_slice(b",\"info\":{");
    let begin = to.len();
    let mut key = |key: &[u8], number: Option<(bool, u64)>| {
        let Some((negative, number)) = number else { return };
        if to.len() > begin {
            to.push(b',');
        }
        to.extend_from_slice(key);
        if negative {
            to.push(b'-');
        }
        write_number(to, number);
    };
    let signed = |number: i32| (number < 0, number.unsigned_abs().into());
    let told = |number: u64| (number > 0).then_some((false, number));
    key(b"\"eval\":", info.eval.map(signed));
    key(b"\"win_in\":", info.win_in.map(signed));
    key(b"\"depth\":", told(info.depth.into()));
    key(b"\"seldepth\":", told(info.seldepth.into()));
    key(b"\"nodes\":", told(info.nodes));
    if !pv.is_empty() {
        let comma: &[u8] = if to.len() > begin { b"," } else { b"" };
        to.extend_from_slice(comma);
        to.extend_from_slice(b"\"pv\":");
        write_moves(to, pv);
    }
    to.push(b'}');
}

fn write_number(to: &mut Vec<u8>, mut number: u64) {
    // Twenty digits are the most of a u64.
    let mut buffer = [0; 20];
    let mut at = buffer.len();
    loop {
        at -= 1;
        buffer[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    to.extend_from_slice(&buffer[at..]);
}

#[cfg(test)]
mod tests {
    use tengen_arbiter::Correction;

    use super::*;

    #[test]
    fn numbers_are_written_whole() {
        for number in [0, 7, 10, 99, 100, 12_345_678_901, u64::MAX] {
            let mut text = Vec::new();
            write_number(&mut text, number);
            assert_eq!(text, number.to_string().into_bytes());
        }
    }

    #[test]
    fn an_action_has_its_keys_in_order() {
        let info = SearchInfo { eval: Some(-3), depth: 2, nodes: 10, ..SearchInfo::default() };
        let stone = Answer::Move(Move::Stone(Point::new(7, 7)));
        let entry = HistoryEntry::new(Seat::Second, Action::Answer(stone), 5, None);
        let mut text = Vec::new();
        let said = vec!["MESSAGE \"a\"".to_owned(), "DEBUG 天元".to_owned()];
        let pv = vec![Move::Stone(Point::new(7, 7)), Move::Pass];
        let action = HistoryEntry {
            legal: false,
            substituted: true,
            ready: Some(9),
            info: Some(info),
            pv,
            lag: Some(17),
            said,
            correction: Correction { given_back: 3, unasked: 4 },
            ..entry
        };
        write_actions(&mut text, &[action]);
        assert_eq!(
            String::from_utf8(text).unwrap(),
            r#"[{"seat":"second","move":"h8","ns":5,"clock":null,"given_back":3,"#.to_string()
                + r#""unasked":4,"lag":17,"legal":false,"#
                + r#""substituted":true,"info":{"eval":-3,"depth":2,"nodes":10,"pv":["h8","pass"]},"#
                + r#""ready":9,"said":["MESSAGE \"a\"","DEBUG 天元"]}]"#
        );
    }
}
