use tengen_rules::Answer;

/// What a player may do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    Answer(Answer),
    /// Give up; allowed to either seat at any time.
    Resign,
    /// Claim that the opponent's last move was a foul (2013 rules).
    Claim,
    /// Offer a draw; the seat's own answer is still owed.
    OfferDraw,
    /// Accept the opponent's standing draw offer; allowed to either seat while it stands.
    AcceptDraw,
}
