//! The perfect matching of least cost in a complete graph (J. Edmonds 1965, in the O(n³) form of
//! H. Gabow 1974).
//!
//! Vertices and blossoms are numbered from 1; 0 is nobody. Every vertex has a dual value, as has
//! every blossom. An edge's slack is the sum of the duals of its ends less twice its weight; it is
//! never negative, and edges of the matching and of the search trees have none. The search grows
//! alternating trees from all single vertices at once, shrinks odd circles into blossoms, changes
//! the duals when no edge is left without slack, and ends when all vertices are matched.

use std::collections::VecDeque;
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// What an edge costs. Of two matchings the sums of `first` decide, and where they are equal those
/// of `second`: together they have room for more criteria than one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Cost {
    /// What decides.
    pub first: i128,
    /// What decides where that is equal.
    pub second: i128,
}

impl Cost {
    const NOTHING: Cost = Cost { first: 0, second: 0 };

    /// Half of it, where both numbers are even.
    fn half(self) -> Cost {
        debug_assert!(self.first % 2 == 0 && self.second % 2 == 0, "{self:?} is not even");
        Cost { first: self.first / 2, second: self.second / 2 }
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost { first: self.first + other.first, second: self.second + other.second }
    }
}

impl Sub for Cost {
    type Output = Cost;

    fn sub(self, other: Cost) -> Cost {
        Cost { first: self.first - other.first, second: self.second - other.second }
    }
}

impl Mul<i128> for Cost {
    type Output = Cost;

    fn mul(self, factor: i128) -> Cost {
        Cost { first: self.first * factor, second: self.second * factor }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

impl SubAssign for Cost {
    fn sub_assign(&mut self, other: Cost) {
        *self = *self - other;
    }
}

const NOBODY: usize = 0;

/// Where a vertex or blossom is in the search trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    /// In none.
    Free,
    /// At an even distance from a root.
    Outer,
    /// At an odd distance.
    Inner,
}

/// The perfect matching of least cost of `count` vertices, an even number, as each vertex's
/// partner. Costs are symmetric, and each of their numbers is from 0 to 2¹²¹ in sum over any
/// matching.
///
/// # Panics
/// When the number is odd.
pub fn least_cost_matching(count: usize, cost: impl Fn(usize, usize) -> Cost) -> Vec<usize> {
    let mut search = Matcher::new(count, cost);
    while search.augment_once() {}
    (1..=count).map(|vertex| search.mate[vertex] - 1).collect()
}

struct Matcher {
    count: usize,
    /// The greatest number in use.
    most: usize,
    /// The room in each dimension of the tables.
    room: usize,
    /// What every edge weighs; less cost is more weight.
    weights: Vec<Cost>,
    /// For every two vertices or blossoms, the two vertices of their best edge.
    edges: Vec<(u16, u16)>,
    duals: Vec<Cost>,
    mate: Vec<usize>,
    /// For each outside the trees or outer, the vertex of a tree with the least slack to it.
    nearest: Vec<usize>,
    /// The outermost blossom that holds it; itself where none does.
    top: Vec<usize>,
    /// The vertex by which a tree reached it.
    parent: Vec<usize>,
    labels: Vec<Label>,
    /// For each blossom and vertex, which of the blossom's petals holds the vertex.
    petal_of: Vec<u16>,
    /// The petals of each blossom in the order of the circle, its base first.
    petals: Vec<Vec<usize>>,
    seen: Vec<u32>,
    turn: u32,
    queue: VecDeque<usize>,
}

impl Matcher {
    fn new(count: usize, cost: impl Fn(usize, usize) -> Cost) -> Matcher {
        assert!(count.is_multiple_of(2), "a perfect matching has an even number of vertices");
        let pairs = (0..count).flat_map(|one| (0..one).map(move |other| (one, other)));
        let most = pairs.map(|(one, other)| cost(one, other).first).max().unwrap_or(0);
        // So much that the heaviest matching is a perfect one.
        let base = Cost { first: (most + 1) * (count as i128 / 2 + 1), second: 0 };
        let room = count + count / 2 + 2;
        let mut weights = vec![Cost::NOTHING; (count + 1) * (count + 1)];
        let mut edges = vec![(0, 0); room * room];
        let mut petal_of = vec![0; room * (count + 1)];
        for one in 1..=count {
            petal_of[one * (count + 1) + one] = one as u16;
            for other in (1..=count).filter(|&other| other != one) {
                weights[one * (count + 1) + other] = base - cost(one - 1, other - 1);
                edges[one * room + other] = (one as u16, other as u16);
            }
        }
        let top = (0..room).map(|at| if at <= count { at } else { NOBODY }).collect();
        let heaviest = weights.iter().copied().max().unwrap_or_default();
        Matcher {
            count,
            most: count,
            room,
            weights,
            edges,
            duals: (0..room).map(|at| if at <= count { heaviest } else { Cost::NOTHING }).collect(),
            mate: vec![NOBODY; room],
            nearest: vec![NOBODY; room],
            top,
            parent: vec![NOBODY; room],
            labels: vec![Label::Free; room],
            petal_of,
            petals: vec![Vec::new(); room],
            seen: vec![0; room],
            turn: 0,
            queue: VecDeque::new(),
        }
    }

    fn edge(&self, one: usize, other: usize) -> (usize, usize) {
        let (from, to) = self.edges[one * self.room + other];
        (usize::from(from), usize::from(to))
    }

    fn slack(&self, (from, to): (usize, usize)) -> Cost {
        self.duals[from] + self.duals[to] - self.weights[from * (self.count + 1) + to] * 2
    }

    fn is_top(&self, at: usize) -> bool {
        self.top[at] == at
    }

    fn petal(&self, blossom: usize, vertex: usize) -> usize {
        usize::from(self.petal_of[blossom * (self.count + 1) + vertex])
    }

    /// Notes that this vertex of a tree is near.
    fn note_near(&mut self, vertex: usize, at: usize) {
        let known = self.nearest[at];
        if known == NOBODY || self.slack(self.edge(vertex, at)) < self.slack(self.edge(known, at)) {
            self.nearest[at] = vertex;
        }
    }

    fn find_near(&mut self, at: usize) {
        self.nearest[at] = NOBODY;
        for vertex in 1..=self.count {
            let top = self.top[vertex];
            if top != at && self.labels[top] == Label::Outer {
                self.note_near(vertex, at);
            }
        }
    }

    /// Lets the search go on from all vertices within.
    fn visit(&mut self, at: usize) {
        if at <= self.count {
            self.queue.push_back(at);
        } else {
            for petal in self.petals[at].clone() {
                self.visit(petal);
            }
        }
    }

    fn set_top(&mut self, at: usize, top: usize) {
        self.top[at] = top;
        if at > self.count {
            for petal in self.petals[at].clone() {
                self.set_top(petal, top);
            }
        }
    }

    /// The place of a petal on the circle, turned so that it is an even number from the base.
    fn even_place(&mut self, blossom: usize, petal: usize) -> usize {
        let petals = &mut self.petals[blossom];
        let place = petals.iter().position(|&at| at == petal).expect("a petal of the blossom");
        if place.is_multiple_of(2) {
            return place;
        }
        petals[1..].reverse();
        petals.len() - place
    }

    /// Matches by the best edge between the two, within blossoms too.
    fn set_mate(&mut self, one: usize, other: usize) {
        let (from, to) = self.edge(one, other);
        self.mate[one] = to;
        if one <= self.count {
            return;
        }
        let petal = self.petal(one, from);
        let place = self.even_place(one, petal);
        for at in 0..place {
            let (this, next) = (self.petals[one][at], self.petals[one][at ^ 1]);
            self.set_mate(this, next);
        }
        self.set_mate(petal, other);
        self.petals[one].rotate_left(place);
    }

    /// Swaps matched and other edges from here to the root.
    fn augment(&mut self, mut one: usize, mut other: usize) {
        loop {
            let former = self.top[self.mate[one]];
            self.set_mate(one, other);
            if former == NOBODY {
                return;
            }
            let up = self.top[self.parent[former]];
            self.set_mate(former, up);
            (one, other) = (up, former);
        }
    }

    /// Where the ways of the two to their roots come together, if they do.
    fn meeting_point(&mut self, mut one: usize, mut other: usize) -> Option<usize> {
        self.turn += 1;
        while one != NOBODY || other != NOBODY {
            if one != NOBODY {
                if self.seen[one] == self.turn {
                    return Some(one);
                }
                self.seen[one] = self.turn;
                one = self.top[self.mate[one]];
                if one != NOBODY {
                    one = self.top[self.parent[one]];
                }
            }
            (one, other) = (other, one);
        }
        None
    }

    /// Shrinks the circle through these two and the point where their ways meet.
    fn shrink(&mut self, one: usize, meeting: usize, other: usize) {
        let free = (self.count + 1..=self.most).find(|&at| self.top[at] == NOBODY);
        let blossom = free.unwrap_or(self.most + 1);
        self.most = self.most.max(blossom);
        self.duals[blossom] = Cost::NOTHING;
        self.labels[blossom] = Label::Outer;
        self.mate[blossom] = self.mate[meeting];
        let mut petals = vec![meeting];
        for (end, is_turned) in [(one, true), (other, false)] {
            let mut at = end;
            while at != meeting {
                let inner = self.top[self.mate[at]];
                petals.extend([at, inner]);
                self.visit(inner);
                at = self.top[self.parent[inner]];
            }
            if is_turned {
                petals[1..].reverse();
            }
        }
        self.petals[blossom].clone_from(&petals);
        self.set_top(blossom, blossom);
        for at in 1..=self.most {
            self.edges[blossom * self.room + at] = (0, 0);
            self.edges[at * self.room + blossom] = (0, 0);
        }
        let width = self.count + 1;
        self.petal_of[blossom * width..(blossom + 1) * width].fill(0);
        for petal in petals {
            for at in 1..=self.most {
                let (edge, known) = (self.edge(petal, at), self.edge(blossom, at));
                if edge.0 != 0 && (known.0 == 0 || self.slack(edge) < self.slack(known)) {
                    self.edges[blossom * self.room + at] = self.edges[petal * self.room + at];
                    self.edges[at * self.room + blossom] = self.edges[at * self.room + petal];
                }
            }
            for vertex in 1..=self.count {
                if self.petal(petal, vertex) != 0 {
                    self.petal_of[blossom * width + vertex] = petal as u16;
                }
            }
        }
        self.find_near(blossom);
    }

    /// Takes an inner blossom apart whose dual has come to nothing.
    fn expand(&mut self, blossom: usize) {
        for petal in self.petals[blossom].clone() {
            self.set_top(petal, petal);
        }
        let entered = self.edge(blossom, self.parent[blossom]).0;
        let entry = self.petal(blossom, entered);
        let place = self.even_place(blossom, entry);
        let petals = self.petals[blossom].clone();
        for pair in petals[..place].chunks(2) {
            let [inner, outer] = [pair[0], pair[1]];
            self.parent[inner] = self.edge(outer, inner).0;
            (self.labels[inner], self.labels[outer]) = (Label::Inner, Label::Outer);
            self.nearest[inner] = NOBODY;
            self.find_near(outer);
            self.visit(outer);
        }
        self.labels[entry] = Label::Inner;
        self.parent[entry] = self.parent[blossom];
        for &petal in &petals[place + 1..] {
            self.labels[petal] = Label::Free;
            self.find_near(petal);
        }
        self.top[blossom] = NOBODY;
    }

    /// Follows an edge without slack out of a tree. Whether the matching has grown by it.
    fn follow(&mut self, (from, to): (usize, usize)) -> bool {
        let (one, other) = (self.top[from], self.top[to]);
        match self.labels[other] {
            Label::Free => {
                self.parent[other] = from;
                self.labels[other] = Label::Inner;
                let next = self.top[self.mate[other]];
                (self.nearest[other], self.nearest[next]) = (NOBODY, NOBODY);
                self.labels[next] = Label::Outer;
                self.visit(next);
            }
            Label::Outer => match self.meeting_point(one, other) {
                Some(meeting) => self.shrink(one, meeting, other),
                None => {
                    self.augment(one, other);
                    self.augment(other, one);
                    return true;
                }
            },
            Label::Inner => {}
        }
        false
    }

    /// One search from all single vertices. Whether the matching has grown; it has not when there
    /// is none.
    fn augment_once(&mut self) -> bool {
        self.labels.fill(Label::Free);
        self.nearest.fill(NOBODY);
        self.queue.clear();
        for at in 1..=self.most {
            if self.is_top(at) && self.mate[at] == NOBODY {
                self.parent[at] = NOBODY;
                self.labels[at] = Label::Outer;
                self.visit(at);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            while let Some(vertex) = self.queue.pop_front() {
                if self.labels[self.top[vertex]] == Label::Inner {
                    continue;
                }
                for other in 1..=self.count {
                    if self.top[vertex] == self.top[other] {
                        continue;
                    }
                    let edge = self.edge(vertex, other);
                    if self.slack(edge) > Cost::NOTHING {
                        self.note_near(vertex, self.top[other]);
                    } else if self.follow(edge) {
                        return true;
                    }
                }
            }
            self.change_duals();
            for at in 1..=self.most {
                let near = self.nearest[at];
                if self.is_top(at) && near != NOBODY && self.top[near] != at {
                    let edge = self.edge(near, at);
                    if self.slack(edge) == Cost::NOTHING && self.follow(edge) {
                        return true;
                    }
                }
            }
            for blossom in self.count + 1..=self.most {
                if self.is_top(blossom)
                    && self.labels[blossom] == Label::Inner
                    && self.duals[blossom] == Cost::NOTHING
                {
                    self.expand(blossom);
                }
            }
        }
    }

    /// Changes the duals by as much as no slack and no blossom's dual gets negative, so that there
    /// is an edge to follow or a blossom to take apart.
    fn change_duals(&mut self) {
        let blossoms = (self.count + 1..=self.most)
            .filter(|&at| self.is_top(at) && self.labels[at] == Label::Inner)
            .map(|at| self.duals[at].half());
        let edges = (1..=self.most)
            .filter(|&at| self.is_top(at) && self.nearest[at] != NOBODY)
            .filter_map(|at| {
                let slack = self.slack(self.edge(self.nearest[at], at));
                match self.labels[at] {
                    Label::Free => Some(slack),
                    Label::Outer => Some(slack.half()),
                    Label::Inner => None,
                }
            });
        let change = blossoms.chain(edges).min().expect("two single vertices have a way");
        for vertex in 1..=self.count {
            match self.labels[self.top[vertex]] {
                Label::Outer => self.duals[vertex] -= change,
                Label::Inner => self.duals[vertex] += change,
                Label::Free => {}
            }
        }
        for blossom in self.count + 1..=self.most {
            if self.is_top(blossom) {
                match self.labels[blossom] {
                    Label::Outer => self.duals[blossom] += change * 2,
                    Label::Inner => self.duals[blossom] -= change * 2,
                    Label::Free => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_random::Random;

    /// The duals prove that no perfect matching weighs more: no edge has a negative slack, blossoms
    /// counted, every matched one has none, and no blossom's dual is negative.
    fn prove(search: &Matcher) {
        let mut sums = vec![Cost::NOTHING; (search.count + 1) * (search.count + 1)];
        let mut stack: Vec<usize> =
            (search.count + 1..=search.most).filter(|&at| search.is_top(at)).collect();
        while let Some(blossom) = stack.pop() {
            assert!(search.duals[blossom] >= Cost::NOTHING);
            let within: Vec<usize> =
                (1..=search.count).filter(|&vertex| search.petal(blossom, vertex) != 0).collect();
            assert!(within.len() % 2 == 1);
            for &one in &within {
                for &other in &within {
                    sums[one * (search.count + 1) + other] += search.duals[blossom];
                }
            }
            stack.extend(search.petals[blossom].iter().filter(|&&petal| petal > search.count));
        }
        for one in 1..=search.count {
            assert_eq!(search.mate[search.mate[one]], one);
            for other in (1..=search.count).filter(|&other| other != one) {
                let slack = search.slack((one, other)) + sums[one * (search.count + 1) + other];
                assert!(slack >= Cost::NOTHING, "{one} {other}");
                assert!(slack == Cost::NOTHING || search.mate[one] != other, "{one} {other}");
            }
        }
    }

    fn random_costs(count: usize, most: usize, random: &mut Random) -> Vec<Cost> {
        let mut costs = vec![Cost::NOTHING; count * count];
        for one in 0..count {
            for other in 0..one {
                let mut number = || random.below(most) as i128;
                // Few values of the first number, so that the second decides often.
                let cost = Cost { first: number() % 4, second: number() };
                (costs[one * count + other], costs[other * count + one]) = (cost, cost);
            }
        }
        costs
    }

    /// The least cost by trying all perfect matchings.
    fn tried(costs: &[Cost], count: usize, left: &mut Vec<usize>) -> Cost {
        let Some(one) = left.pop() else { return Cost::NOTHING };
        let mut best = Cost { first: i128::MAX, second: 0 };
        for place in 0..left.len() {
            let other = left.remove(place);
            best = best.min(costs[one * count + other] + tried(costs, count, left));
            left.insert(place, other);
        }
        left.push(one);
        best
    }

    #[test]
    fn small_graphs_agree_with_all_matchings_tried() {
        let mut random = Random::new(5);
        for round in 0..1500 {
            let count = 2 * (1 + round % 4);
            let costs = random_costs(count, [2, 5, 1000][round % 3], &mut random);
            let partners = least_cost_matching(count, |one, other| costs[one * count + other]);
            let all = (0..count).map(|one| costs[one * count + partners[one]]);
            let cost = all.fold(Cost::NOTHING, Cost::add);
            assert_eq!(cost.half(), tried(&costs, count, &mut (0..count).collect()), "{round}");
        }
    }

    #[test]
    fn every_matching_comes_with_a_proof() {
        let mut random = Random::new(6);
        for round in 0..300 {
            let count = 2 * (1 + random.below(24));
            let costs = random_costs(count, [2, 3, 9, 100, 1 << 40][round % 5], &mut random);
            let mut search = Matcher::new(count, |one, other| costs[one * count + other]);
            while search.augment_once() {}
            prove(&search);
        }
    }

    #[test]
    fn costs_may_be_as_great_as_they_say() {
        let great = 1 << 111;
        let cost = |one: usize, other: usize| {
            let number = if one.abs_diff(other) == 100 { 7 } else { great };
            Cost { first: number, second: number }
        };
        let partners = least_cost_matching(200, cost);
        assert!((0..100).all(|one| partners[one] == one + 100));
    }
}
