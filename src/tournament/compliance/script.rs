//! The interpreter of the scripts of steps. `steps.txt` describes their language.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use privy_protocol::{LINE_LIMIT, Reply, SearchInfo, SearchLine};

use super::hand_written;
use super::report::Failure;
use super::trial::{Trial, id_or_file, legal_text, plain_step, random_game, random_move};
use crate::rules::{Game, MovePath, Side, Variant};
use crate::tournament::player::status_text;

pub(super) fn run(trial: &mut Trial<'_>, script: &[&str]) -> Result<(), Failure> {
    let game = trial.variant()?.start();
    let mut script_run = Script { trial, game, command: "", picked: None, saved: String::new(), noted: None };
    script_run.run(script)
}

/// A running script.
struct Script<'s, 't, 'a> {
    trial: &'t mut Trial<'a>,
    game: Game,
    /// The current command of `each command`.
    command: &'s str,
    /// The picked move, and its text.
    picked: Option<(MovePath, String)>,
    saved: String,
    noted: Option<Vec<String>>,
}

impl<'s> Script<'s, '_, '_> {
    fn run(&mut self, script: &[&'s str]) -> Result<(), Failure> {
        for (number, line) in (1..).zip(script) {
            let mut line = *line;
            if let Some((command, rest)) = line.strip_prefix('[').and_then(|line| line.split_once("] ")) {
                if !self.trial.has(command) {
                    continue;
                }
                line = rest;
            }
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let (text, checks) = rest.split_once(" -> ").map_or((rest, None), |(text, checks)| (text, Some(checks)));
            let below = script.get(number..).unwrap_or_default();
            match word {
                ">" => {
                    self.trial.send(&self.filled(text), 1)?;
                    checks.map_or(Ok(()), |checks| self.receive(checks))?;
                }
                ">>" => self.trial.send(text, 0)?,
                "bytes" => {
                    let (answers, text) = text.split_once(' ').unwrap_or_default();
                    self.trial.send_bytes(&unescaped(&self.filled(text)), answers.parse().unwrap_or(0))?;
                    checks.map_or(Ok(()), |checks| self.receive(checks))?;
                }
                "<" => self.receive(rest)?,
                "!" => self.refused(&self.filled(text), checks.unwrap_or_default())?,
                "quiet" => self.trial.quiet()?,
                "wait" => thread::sleep(Duration::from_millis(rest.parse().unwrap_or(0))),
                "close" => self.trial.close_input(),
                "ended" => self.trial.ended()?,
                "set" => self.trial.set_up(&self.game)?,
                "variant" => self.trial.choose_variant(&self.game)?,
                "game" => {
                    let (seed, plies) = rest.split_once(' ').unwrap_or_default();
                    let variant = self.trial.variant()?;
                    self.game = random_game(variant, seed.parse().unwrap_or(0), plies.parse().unwrap_or(0));
                }
                "first" => self.game = self.game.beginning(),
                "here" => self.game = self.game.without_history(),
                "unless" if self.game.outcome().is_some() => return Ok(()),
                "unless" => {}
                "pick" => {
                    self.picked = match rest.parse() {
                        Ok(seed) => random_move(&self.game, seed, self.game.moves().len())
                            .map(|move_| (move_.clone(), self.game.move_text(&move_))),
                        Err(_) => plain_step(&self.game),
                    };
                    if self.picked.is_none() {
                        return Ok(());
                    }
                }
                "state" => self.trial.ensure_state(&self.game)?,
                "note" => self.noted = Some(self.trial.state()?),
                "same" => self.trial.ensure_same_state(&self.noted.take().unwrap_or_default())?,
                "each" => {
                    for (game, command) in self.each(rest)? {
                        (self.game, self.command) = (game, command);
                        self.run(below)?;
                    }
                    return Ok(());
                }
                "repeat" => {
                    for _ in 0..rest.parse().unwrap_or(0) {
                        self.run(below)?;
                    }
                    return Ok(());
                }
                "do" => match hand_written::find(rest) {
                    Some(part) => part(self.trial, &self.game)?,
                    None => return Err(self.unknown_word(line)),
                },
                _ => return Err(self.unknown_word(line)),
            }
        }
        Ok(())
    }

    /// The failure of a script with an unknown word.
    fn unknown_word(&self, text: &str) -> Failure {
        self.trial.fail_with(format!("the step says {text:?}"), "a step that has a meaning")
    }

    /// The games, or the commands with the current game, for which `each` repeats the rest of a script.
    fn each(&self, of: &'s str) -> Result<Vec<(Game, &'s str)>, Failure> {
        if let Some(commands) = of.strip_prefix("command ") {
            let has = commands.split('|').filter(|command| self.trial.has(command));
            return Ok(has.map(|command| (self.game.clone(), command)).collect());
        }
        let games: fn(&Arc<Variant>) -> Vec<Game> = match of {
            "variant" => |variant| vec![variant.start()],
            "game" => |variant| (0..3).map(|seed| random_game(variant, seed, 30 / (seed as usize + 1))).collect(),
            "short game" => |variant| vec![random_game(variant, 30, 4)],
            "position" => |variant| {
                let games = (0..4).map(|seed| random_game(variant, seed + 20, 7 * seed as usize));
                games.filter(|game| game.outcome().is_none()).collect()
            },
            "finished game" => |variant| {
                let mut games = (0..40).map(|seed| random_game(variant, seed, 400));
                games.find(|game| game.outcome().is_some()).into_iter().collect()
            },
            _ => return Err(self.unknown_word(of)),
        };
        let variants = self.trial.abilities.variants.iter().take(if of == "short game" { 3 } else { usize::MAX });
        Ok(variants.flat_map(games).map(|game| (game, "")).collect())
    }

    /// Sends a line that must fail and keep the state.
    fn refused(&mut self, line: &str, phrases: &str) -> Result<(), Failure> {
        let before = match self.noted.take() {
            Some(noted) => noted,
            None => self.trial.state()?,
        };
        let reply = self.trial.ask(line)?;
        self.trial.ensure_refusal(&reply, &phrases.split('|').collect::<Vec<_>>())?;
        let after = self.trial.state()?;
        if let Some((after, before)) = after.iter().zip(&before).find(|(after, before)| after != before) {
            let expected = format!("what it was before {line:?} had failed: {before}");
            return Err(self.trial.fail_with(after, &expected));
        }
        self.noted = Some(before);
        Ok(())
    }

    /// Receives an answer, which must pass all checks.
    fn receive(&mut self, checks: &str) -> Result<(), Failure> {
        let reply = self.trial.answer()?;
        checks.split("; ").try_for_each(|check| {
            let (check, expected) = check.split_once(" (").unwrap_or((check, ""));
            let (word, rest) = check.split_once(' ').unwrap_or((check, ""));
            let (rest, expected) = (self.filled(rest), self.filled(expected.trim_end_matches(')')));
            self.check(&reply, word, &rest, Some(expected.as_str()).filter(|text| !text.is_empty()))
        })
    }

    fn check(&mut self, reply: &Reply, word: &str, rest: &str, expected: Option<&str>) -> Result<(), Failure> {
        let trial = &mut *self.trial;
        let ensure = |holds, usual: &str| trial.ensure(holds, expected.unwrap_or(usual));
        let text = reply.text();
        match (word, rest) {
            ("any", _) => return Ok(()),
            ("success" | "failure", id) if word == "failure" || !id.is_empty() || expected.is_some() => {
                let fits = id.is_empty() || reply.id().map(|id| id.to_string()).as_deref() == Some(id);
                return ensure(fits && reply.is_success() == (word == "success"), "the other sign, or another id");
            }
            ("id", id) => {
                let id = id.parse().ok();
                let shown = id.map(|id: u32| id.to_string()).unwrap_or_default();
                let usual = format!("an answer that begins with ={shown} or ?{shown}, and a space");
                return ensure(reply.id() == id, &usual);
            }
            ("refuse", phrases) => return trial.ensure_refusal(reply, &phrases.split('|').collect::<Vec<_>>()),
            ("?", phrase) => return ensure(!reply.is_success() && text == phrase, &format!("? {phrase}")),
            ("quiet", _) => return trial.quiet(),
            ("within", ms) => {
                let allowed = Duration::from_millis(ms.parse().unwrap_or(0));
                if trial.took() <= allowed {
                    return Ok(());
                }
                let came = format!("an answer after {} ms", trial.took().as_millis());
                return Err(trial.fail_with(came, &format!("an answer within {} ms", allowed.as_millis())));
            }
            // All other checks are of successes.
            _ => trial.ensure_success(reply)?,
        }
        let ensure = |holds, usual: &str| self.trial.ensure(holds, expected.unwrap_or(usual));
        match (word, rest) {
            ("success", _) => Ok(()),
            ("=", due) => ensure(text == due, &format!("= {due}")),
            ("saved", _) => ensure(text == self.saved, &format!("= {}, as to the line name", self.saved)),
            ("one", _) => ensure(text.lines().count() == 1, "one line"),
            ("best", _) => ensure(Answer::read(reply).best.len() == 1, "a line bestmove MOVE"),
            ("bestmove", due) => ensure(Answer::read(reply).best == [due], &format!("bestmove {due}")),
            ("legal", _) => self.legal_best(&Answer::read(reply)),
            ("canonical", _) => self.canonical(&Answer::read(reply)),
            ("pv", "") => self.playable_lines(&Answer::read(reply)),
            ("pv", _) => {
                let Answer { best, infos } = Answer::read(reply);
                let last = infos.iter().rfind(|info| info.multipv == 1).and_then(|info| info.pv.first());
                ensure(last.is_none_or(|first| best == [first.as_str()]), "the first move of the last pv as bestmove")
            }
            ("search", _) => self.search_lines(reply),
            ("analysis", _) => self.analysis(reply),
            ("save", _) => {
                text.clone_into(&mut self.saved);
                Ok(())
            }
            ("move" | "plays", _) => {
                let move_ = self.game.parse_move(None, text).map_err(|error| {
                    let legal = legal_text(&self.game);
                    self.trial.fail(&format!("= and one of {legal}; {text} can't be played: {error}"))
                })?;
                if word == "move" { Ok(()) } else { self.play(Some(move_)) }
            }
            ("made", _) => {
                let picked = self.picked.take().map(|(move_, _)| move_);
                self.play(picked)
            }
            _ => Err(self.unknown_word(word)),
        }
    }

    /// Plays a move in the game, which the engine must have played, too.
    fn play(&mut self, move_: Option<MovePath>) -> Result<(), Failure> {
        move_.into_iter().for_each(|move_| self.game.play(move_));
        self.trial.ensure_state(&self.game)
    }

    /// A search must give one legal move.
    fn legal_best(&self, answer: &Answer) -> Result<(), Failure> {
        let [best] = &answer.best[..] else { return Err(self.trial.fail("one line bestmove MOVE, at the end")) };
        self.game.parse_move(None, best).map(drop).map_err(|error| {
            let legal = legal_text(&self.game);
            self.trial.fail(&format!("bestmove and one of {legal}; {best} can't be played: {error}"))
        })
    }

    /// The moves of a search must be in canonical form.
    fn canonical(&self, answer: &Answer) -> Result<(), Failure> {
        let moves = answer.best.iter().chain(answer.infos.iter().filter_map(|info| info.pv.first()));
        for text in moves {
            if let Ok(move_) = self.game.parse_move(None, text) {
                let canonical = self.game.move_text(&move_);
                self.trial.ensure(*text == canonical, &format!("{canonical}, not {text}"))?;
            }
        }
        Ok(())
    }

    /// The principal variations of a search must be legal.
    fn playable_lines(&self, answer: &Answer) -> Result<(), Failure> {
        for info in &answer.infos {
            let mut line = self.game.clone();
            for text in &info.pv {
                match line.parse_move(None, text) {
                    Ok(move_) => line.play(move_),
                    // A line may go on after the game has ended by repetition, which an engine need not foresee.
                    Err(_) if line.outcome().is_some() => break,
                    Err(error) => {
                        let expected = format!("a pv that can be played; {text} can't: {error}");
                        return Err(self.trial.fail_with(format!("pv {}", info.pv.join(" ")), &expected));
                    }
                }
            }
        }
        Ok(())
    }

    /// Every line of a search must be readable, and the last one must give the move.
    fn search_lines(&self, reply: &Reply) -> Result<(), Failure> {
        for line in reply.lines() {
            if let Err(error) = line.parse::<SearchLine>() {
                return Err(self.trial.fail_with(line, &format!("a line info … or bestmove MOVE: {error}")));
            }
        }
        let last = reply.lines().last().unwrap_or_default();
        self.trial.ensure(last.starts_with("bestmove "), "bestmove in the last line")
    }

    /// An analysis must list legal moves.
    fn analysis(&self, reply: &Reply) -> Result<(), Failure> {
        let mut moves = reply.lines().filter_map(|line| line.strip_prefix("info move ")?.split(' ').next()).peekable();
        self.trial.ensure(moves.peek().is_some(), "at least one line that begins with info move MOVE")?;
        for text in moves {
            if let Err(error) = self.game.parse_move(None, text) {
                return Err(self.trial.fail(&format!("moves that can be played; {text} can't: {error}")));
            }
        }
        Ok(())
    }

    /// A text with its words in braces replaced.
    fn filled(&self, text: &str) -> String {
        let mut parts = text.split('{');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (word, rest) = part.split_once('}').unwrap_or((part, ""));
            filled += &self.value_of(word);
            filled += rest;
        }
        filled
    }

    /// The value of a word in braces.
    fn value_of(&self, word: &str) -> String {
        let side = self.game.side();
        let fen = self.game.to_string();
        let rows = fen.split(' ').next().unwrap_or_default();
        let of_sides =
            |of_general: &str, of_rebels: &str| (if side == Side::General { of_general } else { of_rebels }).to_owned();
        let legal = legal_text(&self.game);
        let picked = self.picked.as_ref().map_or("", |(_, text)| text);
        let (name, numbers) = word.split_once(' ').unwrap_or((word, ""));
        let (number, more) = numbers.split_once(' ').unwrap_or((numbers, "0"));
        let number: f64 = number.parse().unwrap_or(0.0);
        let margins = self.trial.examination.margin.mul_f64(number);
        match (word, name) {
            ("saved", _) => self.saved.clone(),
            ("command", _) => self.command.to_owned(),
            ("variant", _) => self.game.variant().id().to_owned(),
            ("id or file", _) => id_or_file(self.game.variant()),
            ("side", _) => side.to_string(),
            ("other", _) => (!side).to_string(),
            ("g or r", _) => of_sides("g", "r"),
            ("w or b", _) => of_sides("w", "b"),
            ("W or black", _) => of_sides("W", "black"),
            ("WHITE or BLACK", _) => of_sides("WHITE", "BLACK"),
            ("status", _) => status_text(&self.game),
            ("fen", _) => fen,
            ("rows", _) => rows.to_owned(),
            ("rows without general", _) => rows.replace('G', "1"),
            ("rows with two generals", _) => rows.replacen('r', "G", 1),
            ("rows but the first", _) => rows.split_once('/').unwrap_or_default().1.to_owned(),
            ("first", _) => legal.split(' ').next().unwrap_or_default().to_owned(),
            ("last", _) => legal.rsplit(' ').next().unwrap_or_default().to_owned(),
            ("move", _) => picked.to_owned(),
            ("MOVE", _) => picked.to_uppercase(),
            ("two points", _) => picked.replace('-', ""),
            (_, "long") => "x".repeat(number as usize * LINE_LIMIT),
            (_, "ms") => (margins + Duration::from_millis(more.parse().unwrap_or(0))).as_millis().to_string(),
            (_, "s") => margins.as_secs_f64().to_string(),
            _ => format!("{{{word}}}"),
        }
    }
}

/// The answer to a search, without lines that are not readable.
#[derive(Debug, Default)]
struct Answer {
    /// The text behind every `bestmove`.
    best: Vec<String>,
    infos: Vec<SearchInfo>,
}

impl Answer {
    fn read(reply: &Reply) -> Answer {
        let mut answer = Answer::default();
        for line in reply.lines() {
            match line.parse() {
                Ok(SearchLine::BestMove(best)) => answer.best.push(best),
                Ok(SearchLine::Info(info)) => answer.infos.push(info),
                Err(_) => {}
            }
        }
        answer
    }
}

/// The bytes of a text with the escapes `\r`, `\n`, `\t`, `\0` and `\xHH`.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut parts = text.split('\\');
    bytes.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
    for part in parts {
        let (length, byte) = match part.as_bytes() {
            [b'r', ..] => (1, b'\r'),
            [b'n', ..] => (1, b'\n'),
            [b't', ..] => (1, b'\t'),
            [b'x', ..] => (3, part.get(1..3).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(b'x')),
            _ => (1, 0),
        };
        bytes.push(byte);
        bytes.extend_from_slice(part.get(length..).unwrap_or_default().as_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::unescaped;
    use crate::tournament::compliance::{STEPS, hand_written};

    #[test]
    fn escapes_are_those_of_c() {
        assert_eq!(unescaped("na\\0me\\r\\n"), b"na\0me\r\n");
        assert_eq!(unescaped("\\xff\\x1b 5\\t"), b"\xff\x1b 5\t");
    }

    /// A step with an unknown part would fail for every engine.
    #[test]
    fn all_parts_of_steps_are_known() {
        for line in STEPS.iter().flat_map(|step| &step.script) {
            if let Some(name) = line.strip_prefix("do ") {
                assert!(hand_written::find(name).is_some(), "{line}");
            }
        }
        assert!(STEPS.len() >= 79 && STEPS.iter().all(|step| !step.script.is_empty() && !step.title.is_empty()));
    }
}
