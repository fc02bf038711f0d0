//! Every opening procedure, answered in the window by the labels of what is there.

use eframe::egui::Role;
use egui_kittest::kittest::Queryable;
use tengen_gui::app::{GameForm, translator};
use tengen_rules::{Ask, Point, Procedure, Rule, Zone};

use crate::test_app::{against, clicks};
use crate::windows::{Shown, playing, press, snapshot, wait};

/// How an answer is given where there are several.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Way {
    /// Colours are swapped, black is taken, one move is played.
    Swap,
    /// They are kept, more stones are laid, fifth moves are offered.
    Keep,
}

/// Clicks on the first points that may be clicked, each by its label.
fn lay(window: &mut Shown, count: u8) {
    let points = clicks(window.state().app(), usize::from(count));
    let labels: Vec<String> = points.into_iter().map(translator::point).collect();
    for (number, label) in (1..).zip(&labels) {
        window.get_by_role_and_label(Role::Button, label).click();
        window.run_steps(2);
        if count > 1 {
            window.get_by_role_and_label(Role::Button, &format!("{label} ({number})"));
        }
    }
}

/// Answers what a person is asked, and says what that was.
fn answer(window: &mut Shown, way: Way) -> Ask {
    let now = snapshot(window);
    let asked = now.asks_person().expect("a person is asked");
    let color = translator::Translator::default().color(now.seats[asked.seat].color);
    let (swaps, told) = (way == Way::Swap, |window: &Shown, text: &str| {
        assert!(window.query_by_label_contains(text).is_some(), "{:?}: no {text}", asked.ask);
    });
    match asked.ask {
        Ask::Place { count, .. } => {
            told(window, &format!("Place {count} stones: black, white"));
            told(window, "(0 placed)");
            lay(window, count);
            press(window, "Place these stones");
        }
        Ask::ChooseOrPlace { count } => {
            told(window, &format!("Choose a colour, or place {count} stones (0 placed)"));
            window.get_by_role_and_label(Role::Button, "Take white");
            if swaps {
                press(window, "Take black");
            } else {
                lay(window, count);
                press(window, "Place these stones");
            }
        }
        Ask::Choose => {
            told(window, "Which colour do you want?");
            press(window, if swaps { "Take black" } else { "Take white" });
        }
        Ask::Swap => {
            told(window, &format!("Swap colours? You are {color}"));
            press(window, if swaps { "Swap" } else { "Keep colours" });
        }
        Ask::Declare { max, .. } => {
            told(window, "How many fifth moves should be offered?");
            press(window, &max.min(4).to_string());
        }
        Ask::Offer { count } => {
            told(window, &format!("Offer {count} fifth moves (0 chosen)"));
            lay(window, count);
            press(window, "Offer these");
        }
        Ask::MoveOrOffer { count, .. } => {
            window.get_by_role_and_label(Role::Button, &format!("Offer {count} fifth moves"));
            if swaps {
                lay(window, 1);
            } else {
                press(window, &format!("Offer {count} fifth moves"));
                window.get_by_role_and_label(Role::Button, "Play one move");
                lay(window, count);
                press(window, "Offer these");
            }
        }
        Ask::Pick => {
            told(window, "Pick one of the offered fifth moves");
            let offered: Vec<Point> = now.offered.clone();
            let label = format!("{} offered", translator::point(offered[0]));
            window.get_by_role_and_label(Role::Button, &label).click();
            window.run_steps(2);
        }
        Ask::Move { .. } => {
            told(window, &format!("Your move, {color}"));
            lay(window, 1);
        }
    }
    wait(window, |next| {
        next.asks_person().is_some_and(|next| next.number != asked.number) || next.result.is_some()
    });
    asked.ask
}

/// Plays a game until its opening is over and a stone lies anywhere; what was asked for on the way.
fn open(setup: GameForm, way: Way) -> Vec<Ask> {
    let mut window = playing(setup);
    let mut asked = Vec::new();
    while !matches!(asked.last(), Some(Ask::Move { zone: Zone::Anywhere }))
        || snapshot(&window).rows.len() < 6
    {
        asked.push(answer(&mut window, way));
        let now = snapshot(&window);
        assert_eq!((now.result, &now.refusal), (None, &None), "{asked:?}");
        assert!(asked.len() < 30, "the opening ends: {asked:?}");
    }
    asked
}

/// What each procedure asks in each way, in a word each.
fn kinds(asked: &[Ask]) -> Vec<&'static str> {
    let mut kinds: Vec<_> = asked
        .iter()
        .map(|ask| match ask {
            Ask::Place { .. } => "lay",
            Ask::ChooseOrPlace { .. } => "take or lay",
            Ask::Choose => "take",
            Ask::Swap => "swap",
            Ask::Declare { .. } => "declare",
            Ask::Offer { .. } => "offer",
            Ask::MoveOrOffer { .. } => "move or offer",
            Ask::Pick => "pick",
            Ask::Move { zone: Zone::Anywhere } => "move",
            Ask::Move { .. } => "move there",
        })
        .collect();
    kinds.dedup();
    kinds
}

#[test]
fn two_people_open_in_every_way() {
    use Procedure::{
        Contest, LongPro, None, Pro, Rif, Soosorv8, Swap, Swap2, Taraguchi10, Yamaguchi,
    };
    let nothing = "move";
    let zones = "move there, move, move there, move";
    let declared = "lay, declare, swap, move, offer, pick, move";
    let soosorv = "lay, swap, move, declare, swap, offer, pick, move";
    let to_five = "move there, swap, move there, swap, move there, swap, move there, swap, ";
    let taraguchi =
        [format!("{to_five}move there, swap, move"), format!("{to_five}move or offer, pick, move")];
    for (opening, swapping, keeping) in [
        (None, nothing, ""),
        (Pro, zones, ""),
        (LongPro, zones, ""),
        (Swap, "lay, take, move", "lay, take, move"),
        (Swap2, "lay, take or lay, move", "lay, take or lay, take, move"),
        (Rif, "lay, swap, move, offer, pick, move", ""),
        (Contest, declared, ""),
        (Yamaguchi, declared, ""),
        (Soosorv8, soosorv, soosorv),
        (Taraguchi10, &taraguchi[0], &taraguchi[1]),
    ] {
        // Where both ways ask the same, the other one is gone with an engine.
        let ways = [(Way::Swap, swapping), (Way::Keep, keeping)];
        for (way, expected) in ways.into_iter().filter(|(_, expected)| !expected.is_empty()) {
            let setup = GameForm { rule: Rule::Renju, opening, ..GameForm::default() };
            let asked = kinds(&open(setup, way)).join(", ");
            assert_eq!(asked, expected, "{opening} {way:?}");
        }
    }
}

#[test]
fn a_person_opens_with_an_engine() {
    for opening in GameForm::procedures() {
        let asked = open(GameForm { rule: Rule::Renju, opening, ..against("dice") }, Way::Keep);
        assert!(matches!(asked.last(), Some(Ask::Move { .. })), "{opening}: {asked:?}");
    }
}
