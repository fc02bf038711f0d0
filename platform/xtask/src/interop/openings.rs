//! The openings of all encounters.

/// How many there are: enough for a hundred games, each played twice.
const COUNT: u32 = 50;
/// The stones of each, of both colours as many.
const STONES: usize = 4;
/// How far from the centre they are at most.
const REACH: i32 = 3;

/// A suite of positions in Gomocup's offsets, one a line: scattered stones near the centre, always
/// the same.
pub(super) fn suite() -> String {
    let mut random = 1_u64;
    let mut draw = || {
        // Knuth's generator of MMIX; its upper bits are the good ones.
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i32::try_from((random >> 40) % (2 * REACH as u64 + 1)).expect("a small number") - REACH
    };
    let mut text = String::new();
    for _ in 0..COUNT {
        let mut stones: Vec<(i32, i32)> = Vec::new();
        while stones.len() < STONES {
            let stone = (draw(), draw());
            if !stones.contains(&stone) {
                stones.push(stone);
            }
        }
        let words: Vec<_> = stones.iter().map(|(x, y)| format!("{x},{y}")).collect();
        text += &words.join(", ");
        text += "\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_has_its_stones_near_the_centre() {
        let suite = suite();
        assert_eq!(suite.lines().count(), COUNT as usize);
        for line in suite.lines() {
            let numbers: Vec<i32> =
                line.split([',', ' ']).filter_map(|word| word.parse().ok()).collect();
            assert_eq!(numbers.len(), 2 * STONES, "{line}");
            assert!(numbers.iter().all(|number| number.abs() <= REACH), "{line}");
        }
    }
}
