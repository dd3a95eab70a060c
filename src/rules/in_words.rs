//! The rules of a game in sentences.

use crate::board::PointSet;

use super::rule_set::{
    ApexRule, BottomRule, JumpLines, JumpRule, LeapRule, MoveLimitRule, RuleSet, StandoffRule, StaticRule,
};
use super::{Side, Variant};

impl Variant {
    /// The rules in sentences: how the pieces move, what is captured, how the game ends.
    pub fn rules_in_words(&self) -> Vec<String> {
        let words = self.rule_set();
        let first = match words.first {
            Side::General => "The General moves first.",
            Side::Rebels => "The Rebels move first.",
        };
        let mut sentences = vec![first.to_owned(), general_moves(words)];
        sentences.extend(captures(words));
        sentences.extend([self.rebel_moves(), self.general_wins(), self.rebels_win()]);
        let standoff = |winner, draw: &str, end: &str| match winner {
            StandoffRule::Draw => format!("A {draw} is a draw."),
            StandoffRule::General => format!("The General also wins {end}."),
            StandoffRule::Rebels => format!("The Rebels also win {end}."),
        };
        let [draw, end] = ["position that stands for the third time", "when a position stands for the third time"];
        sentences.push(standoff(words.repetition, draw, end));
        if let Some(MoveLimitRule { plies, winner }) = words.move_limit {
            let quiet = format!("{plies} plies without capture");
            sentences.push(standoff(winner, &format!("game with {quiet}"), &format!("after {quiet}")));
        }
        sentences
    }

    fn general_wins(&self) -> String {
        let words = self.rule_set();
        let rules = self.rules();
        let mut ways = Vec::new();
        if words.apex == ApexRule::Return {
            ways.push(format!("when it has been on {} and is back on the field", self.one_of(self.board().apex())));
        }
        let goal = rules.winning_apex | rules.winning_goal.minus(rules.winning_bottom);
        if !goal.is_empty() {
            ways.push(format!("when it stands on {}", self.one_of(goal)));
        }
        if words.bottom == BottomRule::General {
            ways.push("when it stands on row 1".to_owned());
        }
        match words.rebels_at_most {
            None => {}
            Some(0) => ways.push("when no Rebel is left".to_owned()),
            Some(1) => ways.push("when one Rebel is left".to_owned()),
            Some(limit) => ways.push(format!("when {limit} Rebels or fewer are left")),
        }
        ways.push("when no Rebel can move".to_owned());
        format!("The General wins {}.", list(&ways, "or"))
    }

    fn rebels_win(&self) -> String {
        let words = self.rule_set();
        let mut ways = vec!["when the General cannot move".to_owned()];
        if words.custodial {
            ways.push("when one of them moves to its other side, in line with it and another".to_owned());
        }
        if words.close_privy {
            let exits = self.board().names(self.board().exits());
            let jump = if words.jump == JumpRule::None { "" } else { " and it has no jump over them" };
            ways.push(format!("when it is in the privy and they hold every exit ({exits}){jump}"));
        }
        if words.apex == ApexRule::Rebels {
            ways.push(format!("when it stands on {}", self.one_of(self.board().apex())));
        }
        format!("The Rebels win {}.", list(&ways, "or"))
    }

    fn rebel_moves(&self) -> String {
        let words = self.rule_set();
        let down = if words.forward { ", never down" } else { "" };
        let privy = match (self.board().privy().is_empty(), words.enter_privy) {
            (true, _) => "",
            (false, true) => ", into the privy too",
            (false, false) => ", never into the privy",
        };
        format!("A Rebel steps along a line to the next point{down}{privy}.")
    }

    fn one_of(&self, points: PointSet) -> String {
        let names: Vec<String> = self.board().names(points).split(' ').map(str::to_owned).collect();
        list(&names, "or")
    }
}

fn general_moves(words: &RuleSet) -> String {
    let step = if words.slide {
        "goes any distance along a line of empty points"
    } else {
        "steps along a line to the next point"
    };
    let mut ways = vec![step.to_owned()];
    match words.leap {
        LeapRule::None => {}
        LeapRule::Any => ways.push("leaps over a Rebel without taking it".to_owned()),
        LeapRule::Diagonal => ways.push("leaps along a diagonal line over a Rebel without taking it".to_owned()),
    }
    match words.free_jumps {
        0 => {}
        1 => ways.push("once in a game goes to any empty point of the field".to_owned()),
        times => ways.push(format!("{times} times in a game goes to any empty point of the field")),
    }
    format!("The General {}.", list(&ways, "or"))
}

fn captures(words: &RuleSet) -> Vec<String> {
    let mut sentences = Vec::new();
    if words.intervention {
        sentences.push("It takes every pair of Rebels between which it arrives.".to_owned());
    }
    if words.deferred {
        let how = "steps from between them at a right angle to their line";
        sentences.push(format!("It takes a pair of Rebels when it {how}."));
    }
    match words.static_rule {
        StaticRule::None => {}
        StaticRule::Surrounded => {
            let when = "When Rebels hold every point around it";
            sentences.push(format!(
                "{when}, it may stay and take two of them that stand in line with it, or both in a corner."
            ));
        }
        StaticRule::Any => sentences.push("It may stay and take a pair of Rebels between which it stands.".to_owned()),
    }
    if words.orthogonal {
        sentences.push("It takes no pair on a diagonal line.".to_owned());
    }
    if words.jump != JumpRule::None {
        let lines = if words.jump_lines == JumpLines::Diagonal { " along a diagonal line" } else { "" };
        let on = match words.jump {
            JumpRule::None | JumpRule::Single => "",
            JumpRule::Multi => ", and goes on as long as it can",
            JumpRule::Free => ", and may go on as long as it can",
        };
        sentences.push(format!("It takes a Rebel by jumping over it{lines} to the empty point behind{on}."));
    }
    if words.intervention {
        let hops = match (words.jump != JumpRule::None, words.leap != LeapRule::None) {
            (true, true) => Some("Neither a jump nor a leap takes a pair"),
            (true, false) => Some("A jump takes no pair"),
            (false, true) => Some("A leap takes no pair"),
            (false, false) => None,
        };
        sentences.extend(hops.map(|hops| format!("{hops} between which it ends.")));
    }
    if sentences.is_empty() {
        sentences.push("It takes no Rebels.".to_owned());
    }
    if words.compulsory {
        sentences.push("It must capture when it can.".to_owned());
    }
    sentences
}

/// `a, b or c`.
fn list(parts: &[String], last: &str) -> String {
    match parts.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => parts.concat(),
    }
}
