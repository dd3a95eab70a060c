//! `privy review`: a recorded game judged move by move.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;

use privy_base::atomic_file::AtomicFile;
use privy_base::message::counted;
use privy_engine::{Engine, GameReview, Judgement, MoveReview, TIME_PER_POSITION};
use privy_program::{
    CliError, MOST_MS, TablesArgument, VariantWord, find_variant, interrupt_stop, progress_bar, within,
};
use privy_protocol::clock::milliseconds;
use privy_protocol::{Limits, Score, Stop};
use privy_referee::statistics::LinePlot;
use privy_rules::{Game, MovePath, Side};

use super::common::set_tables;
use super::replay::{headline, invalid_game, read_game};

/// Rows of the curve above 0 %, and the most columns.
const CURVE_ROWS: usize = 8;
const CURVE_COLUMNS: usize = 72;

/// Judge every move of a recorded game, and say where it was decided
///
/// Writes a line for each move: exactly what it was worth where a table or a proof knows the position, else its chance
/// of winning by a search. Then the moves that decided the game, with what would have been right and why, how much of
/// its chances each side has kept, and the chance of the General after every ply as a curve. Ends with status 1 when
/// the record is invalid.
#[derive(Args)]
pub(super) struct ReviewArguments {
    /// File with records, as text, as lines of JSON, or as SGF, as `privy replay` reads it; - for standard input
    file: PathBuf,
    /// Which game of the file, counted from 1
    #[arg(long, value_name = "N", value_parser = within(1_u64..=10_000_000))]
    game: Option<u64>,
    /// Time for each position that neither table nor proof knows, in milliseconds
    #[arg(long, value_name = "MS", value_parser = within(0..=MOST_MS))]
    #[arg(default_value_t = milliseconds(TIME_PER_POSITION))]
    time: u64,
    /// Print the lines of JSON that the command `review` of the protocol answers
    #[arg(long)]
    json: bool,
    /// Write the curve as a picture, the turning points marked
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// File of the variant of the record, if it is not built in; of an SGF file, its variant
    #[arg(long, value_name = "VARIANT", value_parser = VariantWord, hide_possible_values = true)]
    variant: Option<OsString>,
}

impl ReviewArguments {
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let variant = self.variant.as_deref().map(find_variant).transpose()?;
        let (number, record) = read_game(&self.file, self.game, variant.as_ref())?;
        let game = record.replay(variant.as_ref()).map_err(invalid_game(&self.file, number))?;
        // A picture that cannot be written is an error now, not after the work.
        let picture = self.svg.as_ref().map(|path| AtomicFile::create(path).map_err(CliError::cannot_save(path)));
        let picture = picture.transpose()?;
        let stop = interrupt_stop();
        let mut engine = Engine::at(game.clone());
        engine.configure(|options| set_tables(options, tables))?;
        if !self.json {
            writeln!(output, "{}\n", headline(&record, game.outcome()))?;
        }
        let (moves, review) = self.judge(&mut engine, &stop, output)?;
        if self.json {
            writeln!(output, "{}", json(&review)?)?;
        } else {
            for ply in &review.turning_points {
                self.explain(&game, &moves[ply - 1], &mut engine, &stop, output)?;
            }
            let percent = |accuracy: f64| format!("{:.0} %", 100.0 * accuracy);
            let (general, rebels) = (percent(review.general_accuracy), percent(review.rebels_accuracy));
            writeln!(output, "\nOf their chances the General has kept {general}, the Rebels {rebels}.\n")?;
            write!(output, "{}", curve(&moves, &review))?;
        }
        if let (Some(mut picture), Some(path)) = (picture, &self.svg) {
            let text = plot(&moves, &review, &game).svg();
            let written = picture.write_all(text.as_bytes()).and_then(|()| picture.commit());
            written.map_err(CliError::cannot_save(path))?;
        }
        Ok(())
    }

    /// Judges the moves, and writes a line for each as it comes.
    fn judge(
        &self,
        engine: &mut Engine,
        stop: &Stop,
        output: &mut impl Write,
    ) -> Result<(Vec<MoveReview>, GameReview), CliError> {
        let played: Vec<String> = with_captures(engine.game());
        let template = "{prefix}: {wide_bar} {pos}/{len} moves [{elapsed}, {eta} left]";
        let bar = progress_bar(ProgressBar::new(played.len() as u64), template, engine.variant());
        let limits = Limits::of_time(Duration::from_millis(self.time));
        let (mut moves, mut written): (Vec<MoveReview>, io::Result<()>) = (Vec::new(), Ok(()));
        let widest = played.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let reviewed = engine.review(&limits, stop, &mut |review| {
            let line = || match self.json {
                true => json(review),
                false => {
                    let (ply, text) = (review.ply, &played[review.ply - 1]);
                    let side = capital(review.side);
                    let line = format!("{ply:>4}  {side:7}  {text:widest$}  {:30}  {}", judged(review), value(review));
                    Ok(line)
                }
            };
            if written.is_ok() {
                written = bar.suspend(|| line().and_then(|line| writeln!(output, "{line}")));
            }
            if written.is_err() {
                stop.set();
            }
            moves.push(review.clone());
            bar.set_position(moves.len() as u64);
        });
        bar.finish_and_clear();
        written?;
        let review = reviewed.map_err(|error| CliError::Failed(error.to_string()))?;
        if moves.len() < played.len() {
            let (done, all) = (moves.len(), played.len());
            return Err(CliError::Interrupted(format!("{done} of {all} moves are judged")));
        }
        Ok((moves, review))
    }

    /// A turning point: what would have been right, and why.
    fn explain(
        &self,
        game: &Game,
        review: &MoveReview,
        engine: &mut Engine,
        stop: &Stop,
        output: &mut impl Write,
    ) -> Result<(), CliError> {
        let MoveReview { ply, best, line, .. } = review;
        let before: Vec<String> = game.line_texts(&game.moves().take(ply - 1).cloned().collect::<Vec<MovePath>>());
        engine.set_position(Some(&game.beginning().to_string()), &before)?;
        let (side, text) = (capital(review.side), &review.text);
        let would = result_text(review.best_score, review.best_winrate);
        let line = line.iter().take(LINE_SHOWN).cloned().collect::<Vec<_>>().join(" ");
        writeln!(
            output,
            "\n{ply}. {side} {text}: {}. Right was {best}: {would}.",
            result_text(review.score, review.winrate)
        )?;
        writeln!(output, "    {line}{}", if review.line.len() > LINE_SHOWN { " …" } else { "" })?;
        let words = engine.explain(stop)?;
        if stop.is_set() {
            return Err(CliError::Interrupted(format!("the turning point of ply {ply} is not explained")));
        }
        // Who wins, what keeps that, and the plan; the line stands above.
        let is_told = |(place, sentence): &(usize, &str)| {
            *place < 2 && !sentence.starts_with("Best play: ") || sentence.starts_with("The plan: ")
        };
        for (_, sentence) in words.lines().enumerate().filter(is_told) {
            writeln!(output, "    {sentence}")?;
        }
        Ok(())
    }
}

/// Moves of the best line that are shown.
const LINE_SHOWN: usize = 10;

fn json<T: serde::Serialize>(review: &T) -> io::Result<String> {
    serde_json::to_string(review).map_err(io::Error::from)
}

fn capital(side: Side) -> &'static str {
    match side {
        Side::General => "General",
        Side::Rebels => "Rebels",
    }
}

/// The moves of a game with what they take.
fn with_captures(game: &Game) -> Vec<String> {
    let mut turn = game.beginning();
    let played = game.moves().map(|move_| {
        let text = turn.move_with_captures(move_);
        turn.play(move_.clone());
        text
    });
    played.collect()
}

/// The judgement in words.
fn judged(review: &MoveReview) -> String {
    let plies = counted(review.lost_plies, "ply");
    let is_win = review.best_score.is_decided() && review.best_score > Score::Draw;
    match review.judgement {
        Judgement::Best if review.only => "the only move".to_owned(),
        Judgement::Best => "best".to_owned(),
        Judgement::Slower if is_win => format!("wins {plies} later"),
        Judgement::Slower => format!("loses {plies} sooner"),
        Judgement::Good => "good".to_owned(),
        Judgement::Inaccuracy => "inaccuracy".to_owned(),
        Judgement::Mistake => "mistake".to_owned(),
        Judgement::Blunder if !review.exact => "blunder".to_owned(),
        Judgement::Blunder => format!("blunder: gives the {} away", if is_win { "win" } else { "draw" }),
    }
}

/// What the move is worth.
fn value(review: &MoveReview) -> String {
    result_text(review.score, review.winrate)
}

/// `wins in 7 plies`, `draws`, `a chance of 58 %`.
fn result_text(score: Score, chance: f64) -> String {
    match score {
        Score::Win(plies) => format!("wins in {}", counted(plies, "ply")),
        Score::Loss(plies) => format!("loses in {}", counted(plies, "ply")),
        Score::Draw => "draws".to_owned(),
        _ => format!("a chance of {:.0} %", 100.0 * chance),
    }
}

/// The chance of the General after a move.
fn general_chance(review: &MoveReview) -> f64 {
    match review.side {
        Side::General => review.winrate,
        Side::Rebels => 1.0 - review.winrate,
    }
}

/// The chance of the General after each ply, from the bottom to the top; of a long game after every second, third …
/// ply. `x` marks turning points.
fn curve(moves: &[MoveReview], review: &GameReview) -> String {
    let step = moves.len().div_ceil(CURVE_COLUMNS).max(1);
    let columns: Vec<(usize, char)> = moves
        .chunks(step)
        .filter_map(|plies| {
            let is_turning = plies.iter().any(|review_| review.turning_points.contains(&review_.ply));
            let row = (general_chance(plies.last()?) * CURVE_ROWS as f64).round() as usize;
            Some((row, if is_turning { 'x' } else { '*' }))
        })
        .collect();
    let mut text = "The General's chance in %, ply by ply (x: a turning point)\n".to_owned();
    for row in (0..=CURVE_ROWS).rev() {
        let label = if row % 2 == 0 { (100 * row / CURVE_ROWS).to_string() } else { String::new() };
        let points: String = columns.iter().map(|(at, mark)| if *at == row { *mark } else { ' ' }).collect();
        text += format!("{label:>4} | {points}").trim_end();
        text.push('\n');
    }
    text + &format!("      1{:>width$}\n", moves.len(), width = columns.len().max(2) - 1)
}

/// The same as a picture.
fn plot(moves: &[MoveReview], review: &GameReview, game: &Game) -> LinePlot {
    let point = |review: &MoveReview| (review.ply as f64, 100.0 * general_chance(review));
    let turning = review.turning_points.iter().map(|ply| point(&moves[ply - 1]));
    LinePlot {
        title: game.variant().id().to_owned(),
        across: "ply (a ring: a turning point)".to_owned(),
        dots: false,
        lines: vec![("the General's chance".to_owned(), moves.iter().map(point).collect())],
        marks: turning.collect(),
    }
}
