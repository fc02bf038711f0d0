//! The state of a sequential test.

use eframe::egui::{Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use tengen_stats::SprtDecision;
use tengen_tournament::TestState;

use super::Look;
use crate::app::{Text, translator::minus};

/// The state of a sequential test: its likelihood ratio between the bounds.
pub(crate) fn test(ui: &mut Ui, look: Look<'_>, engine: &str, state: &TestState) {
    let Look { tr, palette, .. } = look;
    let TestState { elo0, elo1, llr, lower, upper, accepted, .. } = *state;
    let (elo0, elo1) = (signed(elo0), signed(elo1));
    let heading = tr.fill(Text::TestOf, &[&elo0, &elo1]);
    ui.label(RichText::new(heading).strong().color(palette.text));
    let stronger = |by: &str, than: &str| tr.fill(Text::TestAccepted, &[engine, by, than]);
    let (text, color) = match accepted {
        None if state.inconclusive.is_some() => {
            (tr.text(Text::TestUsedUp).to_owned(), palette.danger)
        }
        None => (tr.text(Text::TestOpen).to_owned(), palette.weak),
        Some(SprtDecision::H0) => (stronger(&elo0, &elo1), palette.danger),
        Some(SprtDecision::H1) => (stronger(&elo1, &elo0), palette.accent),
    };
    let number = |value: f64| minus(&format!("{value:.2}"));
    let (low, high) = (number(lower), number(upper));
    let ratio = tr.fill(Text::TestLlr, &[&number(llr), &low, &high]);
    ui.horizontal(|ui| {
        ui.colored_label(palette.weak, low);
        let (rect, drawn) = ui.allocate_exact_size(vec2(320.0, 14.0), Sense::hover());
        drawn.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, &ratio));
        let at = |value: f64| {
            let part = ((value - lower) / (upper - lower)).clamp(0.0, 1.0);
            rect.left() + part as f32 * rect.width()
        };
        let (zero, now) = (at(0.0), at(llr));
        let tint = if llr < 0.0 { palette.danger } else { palette.accent };
        let bar =
            Rect::from_min_max(pos2(zero.min(now), rect.top()), pos2(zero.max(now), rect.bottom()));
        ui.painter().rect_filled(rect, 4.0, palette.card);
        ui.painter().rect_filled(bar, 2.0, tint);
        ui.painter().vline(zero, rect.y_range(), (1.0, palette.weak));
        drawn.on_hover_text(&ratio);
        ui.colored_label(palette.weak, high);
        ui.add_space(8.0);
        ui.colored_label(palette.text, ratio);
        ui.colored_label(color, text);
    });
}

/// An Elo difference: `0`, `+5`, `−2.5`.
fn signed(elo: f64) -> String {
    if elo == 0.0 { "0".to_owned() } else { minus(&format!("{elo:+}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_signs() {
        assert_eq!([0.0, 5.0, -2.5].map(signed), ["0", "+5", "−2.5"]);
    }
}
