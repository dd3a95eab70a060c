//! `go`: the answer, its moves and its limits.

use std::time::Duration;

use privy_protocol::{SearchInfo, SearchLine};

use crate::rules::{Game, MovePath};

use super::game::{STATE, legal_text, random_game};
use super::step::{Failure, Step};
use super::trial::Trial;

pub(super) const STEPS: &[Step] = &[
    Step::new(
        "search.bestmove",
        "ends the answer to go with one bestmove, which can be played, in every variant",
        &[&["go"], &["position"]],
        bestmove,
    ),
    Step::new("search.lines", "writes lines of a search that can be read", &[&["go"]], lines),
    Step::new("search.pv", "reports lines of play that can be played", &[&["go"], &["position"]], pv),
    Step::new(
        "search.pv-of-best",
        "chooses the first move of its last line of play",
        &[&["go"], &["position"]],
        pv_of_best,
    ),
    Step::new("search.canonical", "writes moves in their canonical form", &[&["go"], &["position"]], canonical),
    Step::new("search.does-not-play", "does not play the move that it has found", &[&["go"], STATE], does_not_play),
    Step::new("search.time", "keeps to go time", &[&["go"]], |trial| {
        limited(trial, &[("go time 200", 200), ("go time 0", 0), ("go time 50 depth 200", 50)])
    }),
    Step::new("search.depth", "takes go depth and go nodes for limits", &[&["go"]], depth),
    Step::new("search.clock", "answers go clock before the clock has run down", &[&["go"]], clock),
    Step::new("search.no-limit", "answers go without a limit, after a second or so", &[&["go"]], |trial| {
        limited(trial, &[("go", 1000)])
    }),
    Step::new("search.searchmoves", "chooses from the moves that go names", &[&["go"], &["position"]], searchmoves),
    Step::new("search.in-turn", "answers what comes during a search in its turn", &[&["go"]], in_turn),
];

/// The answer to a search.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// The text behind every `bestmove`.
    pub(super) best: Vec<String>,
    infos: Vec<SearchInfo>,
}

impl Trial<'_> {
    /// Sends a search and receives its answer. What can't be read is left out.
    pub(super) fn search(&mut self, line: &str) -> Result<Answer, Failure> {
        self.send(line)?;
        self.found()
    }

    /// Receives the answer to a search.
    pub(super) fn found(&mut self) -> Result<Answer, Failure> {
        let text = self.success()?;
        let mut answer = Answer::default();
        for line in text.lines() {
            match line.parse() {
                Ok(SearchLine::BestMove(best)) => answer.best.push(best.0),
                Ok(SearchLine::Info(info)) => answer.infos.push(info),
                Err(_) => {}
            }
        }
        Ok(answer)
    }

    /// The move of an answer, which must be one and legal.
    pub(super) fn ensure_best(&self, answer: &Answer, game: &Game) -> Result<MovePath, Failure> {
        match &answer.best[..] {
            [best] => game.parse_move(None, best).map_err(|error| {
                let expected = format!("bestmove and one of {}; {best} can't be played: {error}", legal_text(game));
                self.fail(&expected)
            }),
            _ => Err(self.fail("one line bestmove MOVE, at the end")),
        }
    }
}

/// Positions in which there is something to look for.
fn positions(trial: &mut Trial<'_>, check: fn(&mut Trial<'_>, &Game) -> Result<(), Failure>) -> Result<(), Failure> {
    for variant in trial.variants() {
        for seed in 0..4 {
            let game = random_game(variant, seed + 20, 7 * seed as usize);
            if game.outcome().is_none() {
                trial.set_up(&game)?;
                check(trial, &game)?;
            }
        }
    }
    Ok(())
}

fn bestmove(trial: &mut Trial<'_>) -> Result<(), Failure> {
    positions(trial, |trial, game| {
        let answer = trial.search("go time 1000 nodes 200")?;
        trial.ensure_best(&answer, game).map(drop)
    })
}

fn canonical(trial: &mut Trial<'_>) -> Result<(), Failure> {
    positions(trial, |trial, game| {
        let answer = trial.search("go time 1000 nodes 200")?;
        let moves = answer.best.iter().chain(answer.infos.iter().filter_map(|info| info.pv.first()));
        for text in moves {
            if let Ok(move_) = game.parse_move(None, text) {
                let canonical = game.move_text(&move_);
                trial.ensure(*text == canonical, &format!("{canonical}, not {text}"))?;
            }
        }
        Ok(())
    })
}

fn lines(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send("go time 1000 depth 5")?;
    let text = trial.success()?;
    for line in text.lines() {
        if let Err(error) = line.parse::<SearchLine>() {
            return Err(trial.fail_with(line, &format!("a line info … or bestmove MOVE: {error}")));
        }
    }
    let last = text.lines().last().unwrap_or_default();
    trial.ensure(last.starts_with("bestmove "), "bestmove in the last line")
}

fn pv(trial: &mut Trial<'_>) -> Result<(), Failure> {
    positions(trial, |trial, game| {
        let answer = trial.search("go time 1000 nodes 3000")?;
        for info in &answer.infos {
            let mut line = game.clone();
            for text in &info.pv {
                match line.parse_move(None, text) {
                    Ok(move_) => line.play(move_),
                    // A line may go on behind a repetition, which the engine need not see so far ahead.
                    Err(_) if line.outcome().is_some() => break,
                    Err(error) => {
                        let expected = format!("a pv that can be played; {text} can't: {error}");
                        return Err(trial.fail_with(format!("pv {}", info.pv.join(" ")), &expected));
                    }
                }
            }
        }
        Ok(())
    })
}

/// Where a depth is the only limit, nothing is searched behind the last report.
fn pv_of_best(trial: &mut Trial<'_>) -> Result<(), Failure> {
    positions(trial, |trial, game| {
        let answer = trial.search("go depth 2")?;
        trial.ensure_best(&answer, game)?;
        let last = answer.infos.iter().rfind(|info| info.multipv == 1).and_then(|info| info.pv.first());
        trial.ensure(
            last.is_none_or(|first| answer.best == [first.as_str()]),
            "the first move of the last pv as bestmove",
        )
    })
}

fn does_not_play(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let before = trial.state()?;
    trial.search("go time 100 depth 3")?;
    let after = trial.state()?;
    if after == before { Ok(()) } else { Err(trial.fail_with(after.join("\n"), &before.join("\n"))) }
}

/// Searches that must answer within their time.
fn limited(trial: &mut Trial<'_>, lines: &[(&str, u64)]) -> Result<(), Failure> {
    for (line, ms) in lines {
        trial.search(line)?;
        let allowed = Duration::from_millis(*ms) + trial.margin();
        in_time(trial, allowed)?;
    }
    Ok(())
}

/// The last answer must have come within a time.
pub(super) fn in_time(trial: &Trial<'_>, allowed: Duration) -> Result<(), Failure> {
    if trial.took() <= allowed {
        return Ok(());
    }
    let took = format!("an answer after {} ms", trial.took().as_millis());
    Err(trial.fail_with(took, &format!("an answer within {} ms", allowed.as_millis())))
}

fn depth(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for line in ["go depth 1", "go depth 2", "go nodes 1", "go nodes 500"] {
        let answer = trial.search(line)?;
        trial.ensure(answer.best.len() == 1, "a line bestmove MOVE")?;
    }
    Ok(())
}

/// No margin is granted here, since who oversteps has lost. But the clocks are as long as three margins.
fn clock(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let clock = 3 * trial.margin();
    let ms = clock.as_millis();
    for line in [format!("go clock {ms}"), format!("go clock {ms} inc 100"), format!("go clock {ms} moves 2")] {
        trial.search(&line)?;
        in_time(trial, clock)?;
    }
    Ok(())
}

fn searchmoves(trial: &mut Trial<'_>) -> Result<(), Failure> {
    positions(trial, |trial, game| {
        let text = legal_text(game);
        let legal: Vec<&str> = text.split(' ').collect();
        for one in [legal.first(), legal.last()].into_iter().flatten() {
            let answer = trial.search(&format!("go time 1000 nodes 100 searchmoves {one}"))?;
            trial.ensure(answer.best == [*one], &format!("bestmove {one}"))?;
        }
        Ok(())
    })
}

fn in_turn(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send_bytes(b"31 go time 300\n32 name\n33 no_such_command\n", 3)?;
    for id in 31..=33 {
        let reply = trial.answer()?;
        trial.ensure(reply.id() == Some(id), &format!("the answer to command {id}"))?;
    }
    Ok(())
}
