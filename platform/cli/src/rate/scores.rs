//! Scores of pairs, without their games: the files that Gomocup and Piskvork leave of a tournament.
//!
//! Gomocup publishes, for each league of each year, a line for each pair, `A - B: 3 : 1`: the
//! games that either won (<https://github.com/Gomocup/GomocupEloRating>, `records`). All pairs of
//! a file played as many games, so what is missing to the greatest sum were draws, as Gomocup's
//! own script has it; a pair of `0 : 0` did not meet. That script's list of all years has lines
//! `"A" 3 0 1 "B"`: won, drawn, lost. Piskvork's `_table.html` has a row and a column for each
//! player, and in each cell the games that the column won and those that the row won; it tells no
//! draws. None of them tells who began: a half of each score is counted for either seat.

use tengen_stats::WinDrawLoss;

/// Two players and what the first made.
pub(super) type PairScore = (String, String, WinDrawLoss);

/// The scores of a file; none if it has none.
pub(super) fn read(text: &str) -> Option<Vec<PairScore>> {
    if text.trim_start().get(..5).is_some_and(|begin| begin.eq_ignore_ascii_case("<html")) {
        return table(text);
    }
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    if let Some(scores) = lines().map(quoted).collect::<Option<Vec<_>>>() {
        return (!scores.is_empty()).then_some(scores);
    }
    let pairs = lines().map(pair).collect::<Option<Vec<_>>>()?;
    let most = pairs.iter().map(|(.., [won, lost])| won + lost).max()?;
    let score = |(first, second, [wins, losses]): (&str, &str, [u64; 2])| {
        let draws = if wins + losses == 0 { 0 } else { most - wins - losses };
        (first.to_owned(), second.to_owned(), WinDrawLoss { wins, draws, losses })
    };
    Some(pairs.into_iter().map(score).collect())
}

/// Reads `A - B: 3 : 1`.
fn pair(line: &str) -> Option<(&str, &str, [u64; 2])> {
    let (rest, second_won) = line.rsplit_once(':')?;
    let (names, first_won) = rest.rsplit_once(':')?;
    let (first, second) = names.split_once(" - ")?;
    let won = [count(first_won)?, count(second_won)?];
    let named = |name: &str| !name.trim().is_empty();
    (named(first) && named(second)).then(|| (first.trim(), second.trim(), won))
}

/// Reads `"A" 3 0 1 "B"`.
fn quoted(line: &str) -> Option<PairScore> {
    let (first, rest) = line.strip_prefix('"')?.split_once('"')?;
    let (counts, second) = rest.strip_suffix('"')?.split_once('"')?;
    let counts: Vec<u64> = counts.split_whitespace().map(count).collect::<Option<_>>()?;
    let [wins, draws, losses] = counts[..] else { return None };
    Some((first.to_owned(), second.to_owned(), WinDrawLoss { wins, draws, losses }))
}

/// More than that no league has.
fn count(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|count| *count <= 1_000_000)
}

/// Reads a table of Piskvork.
fn table(text: &str) -> Option<Vec<PairScore>> {
    let mut rows = text.split("<TR>").skip(1).map(|row| {
        let row = row.split("</TR>").next().unwrap_or_default();
        row.split("<T").skip(1).filter_map(|cell| {
            let (_, inner) = cell.split_once('>')?;
            Some(inner.split('<').next().unwrap_or_default().trim())
        })
    });
    // The first cell is empty or a dash.
    let players: Vec<&str> = rows.next()?.skip(1).collect();
    let mut scores = Vec::new();
    for (place, row) in rows.take(players.len()).enumerate() {
        let cells: Vec<&str> = row.collect();
        if cells.first() != players.get(place) {
            break;
        }
        // Each pair stands there twice.
        for (column, cell) in players.iter().zip(&cells[1..]).take(place) {
            let Some((column_won, row_won)) = cell.split_once(':') else { continue };
            let (wins, losses) = (count(column_won)?, count(row_won)?);
            let score = WinDrawLoss { wins, draws: 0, losses };
            scores.push(((*column).to_owned(), players[place].to_owned(), score));
        }
    }
    (!scores.is_empty()).then_some(scores)
}

/// A score as the two seats share it.
pub(super) fn halves(score: WinDrawLoss) -> [WinDrawLoss; 2] {
    let WinDrawLoss { wins, draws, losses } = score;
    // What is odd goes to the seat that has less.
    let first = WinDrawLoss { wins: wins.div_ceil(2), draws: draws / 2, losses: losses / 2 };
    let second = WinDrawLoss {
        wins: wins - first.wins,
        draws: draws - first.draws,
        losses: losses - first.losses,
    };
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u64, draws: u64, losses: u64) -> WinDrawLoss {
        WinDrawLoss { wins, draws, losses }
    }

    fn rows(text: &str) -> Vec<(String, WinDrawLoss)> {
        let scores = read(text).unwrap().into_iter();
        scores.map(|(first, second, score)| (format!("{first}/{second}"), score)).collect()
    }

    #[test]
    fn a_league_s_draws_are_what_is_missing() {
        let text = "A - B 2: 3 : 1\r\nA - C.x: 2 : 1\n\nB 2 - C.x: 0 : 0\n";
        let expected =
            [("A/B 2", score(3, 0, 1)), ("A/C.x", score(2, 1, 1)), ("B 2/C.x", score(0, 0, 0))];
        assert_eq!(rows(text), expected.map(|(names, score)| (names.to_owned(), score)));
        assert_eq!(rows("\"A 1\"\t2\t5\t8\t\"B\"\n"), [("A 1/B".to_owned(), score(2, 5, 8))]);
        for other in
            ["", "A - B: 3", "wins: 3=1+2,   losses: 1=1+0", "h8i9", "<HTML><TABLE></TABLE>"]
        {
            assert!(read(other).is_none(), "{other}");
        }
    }

    #[test]
    fn a_table_has_each_pair_once() {
        let text = "<HTML><BODY><TABLE border=1><TBODY align=center>\n\
             <TR><TD class=\"dash\">-</TD><TH>A</TH><TH>B</TH></TR>\n\
             <TR><TH>A</TH><TD class=\"dash\">-</TD><TD class=\"loss\">1 : 3</TD></TR>\n\
             <TR><TH>B</TH><TD class=\"win\">3 : 1</TD><TD class=\"dash\">-</TD></TR>\n\
             <TR><TH>Total</TH><TD class=\"win\">3 : 1</TD><TD class=\"loss\">1 : 3</TD></TR>\
             </TABLE>";
        assert_eq!(rows(text), [("A/B".to_owned(), score(3, 0, 1))]);
    }

    #[test]
    fn both_halves_are_the_score() {
        let whole = score(3, 4, 1);
        let [first, second] = halves(whole);
        assert_eq!((first.wins, first.draws, first.losses), (2, 2, 0));
        assert_eq!((second.wins, second.draws, second.losses), (1, 2, 1));
    }
}
