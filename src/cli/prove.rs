//! `privy prove` and `privy check-proof`: openings proved, and proofs checked.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;

use privy_base::atomic_file::AtomicFile;
use privy_base::message::{counted, sanitized, shown};
use privy_base::threads::cores;
use privy_rules::{Game, Side, Variant};
use privy_search::proof::{Proof, ProofGoal, ProveError, ProveProgress, ProveRequest, prove};
use privy_search::{MAX_DEPTH, Stop};

use super::common::{
    MOST_NODES, PositionArguments, TablesArgument, find_variant, interrupt_stop, progress_bar, within,
};
use super::error::CliError;

/// What to prove: one goal, or for a draw that neither side loses.
type Goals = Vec<ProofGoal>;

fn read_goals(text: &str) -> Result<Goals, &'static str> {
    if text == "draw" {
        return Ok(vec![ProofGoal::NotLose(Side::Rebels), ProofGoal::NotLose(Side::General)]);
    }
    let goal = text.parse().map_err(|_| "expected rebels, general, draw, draw-for-rebels or draw-for-general")?;
    Ok(vec![goal])
}

/// Prove that a side wins an opening or a position, or does not lose it, without a table
///
/// A best-first search over all replies of the other side and the good moves of the one that is to win. The strategy that it finds is written as a
/// file beside the tables; the engine plays by it, and `privy check-proof` checks it by the rules alone. Ctrl-C ends the work; with
/// --store the same command continues where it ended.
#[derive(Args)]
pub(super) struct ProveArguments {
    #[command(flatten)]
    position: PositionArguments,
    /// The side that is to win, rebels or general; draw-for-SIDE: it is not to lose; draw: neither is
    #[arg(long = "for", value_name = "SIDE", default_value = "rebels", value_parser = read_goals)]
    goals: Goals,
    /// The side wins within at most N plies
    #[arg(long, value_name = "N", value_parser = within(1_u16..=1000))]
    plies: Option<u16>,
    /// When it is proved, go on to prove a win in fewer plies, again and again, until an interrupt or until none is found
    #[arg(long)]
    shorter: bool,
    /// Positions that the engine looks at in the search of a leaf
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = within(1_000..=MOST_NODES))]
    nodes: u64,
    /// Leaves at a time; as many as there are cores without it
    #[arg(long, value_name = "N", value_parser = within(1_u64..=1024))]
    threads: Option<u64>,
    /// Size of the transposition table of each thread
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = within(1_u64..=65_536))]
    hash: u64,
    /// Keep all search results in a file, and take those that are there; they hold for the same nodes and hash
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Where to write the proof instead of the tables' folder; .zst is compressed
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ProveArguments {
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let game = self.position.game()?;
        let stop = interrupt_stop();
        let is_win = self.goals.iter().all(|goal| matches!(goal, ProofGoal::Win(_)));
        let is_opening = game.position() == game.variant().opening();
        let wrong = if self.goals.len() > 1 && self.output.is_some() {
            Some("--output: a draw takes two files; prove it for one side, then for the other")
        } else if !is_win && (self.shorter || self.plies.is_some()) {
            Some("--plies, --shorter: a draw has no number of plies")
        } else if self.output.is_none() && !is_opening {
            Some("--output: the tables' folder holds proofs of openings; name a file for that of a position")
        } else {
            None
        };
        if let Some(advice) = wrong {
            return Err(CliError::Usage(advice.to_owned()));
        }
        self.goals.iter().try_for_each(|goal| self.prove(*goal, &game, tables, &stop, output))
    }

    /// Proves a goal; with `--shorter` then a win in fewer plies, again and again.
    fn prove(
        &self,
        goal: ProofGoal,
        game: &Game,
        tables: &TablesArgument,
        stop: &Stop,
        output: &mut impl Write,
    ) -> Result<(), CliError> {
        let variant = game.variant();
        let id = variant.id();
        let path = match &self.output {
            Some(path) => path.clone(),
            None => Proof::path(&tables.folder()?, variant, goal),
        };
        // Hours of work should not end with a file that can't be written. A missing folder is made then.
        if let Err(error) = AtomicFile::create(&path)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(CliError::cannot_save(&path)(error));
        }
        let mut request = ProveRequest {
            root: *game.position(),
            plies: self.plies.unwrap_or(MAX_DEPTH as u16),
            nodes: self.nodes,
            threads: self.threads.map_or_else(cores, |threads| threads as usize),
            mebibytes: self.hash as usize,
            store: self.store.clone(),
            ..ProveRequest::of_opening(variant, goal)
        };
        let mut is_written = false;
        loop {
            let bar = progress_bar(ProgressBar::new_spinner(), "{spinner} {prefix}: {msg} [{elapsed}]", variant);
            let mut last = ProveProgress::default();
            let mut report = |progress: &ProveProgress| {
                last = *progress;
                let ProveProgress { searches, positions, proved, effort, .. } = progress;
                bar.set_message(format!(
                    "{searches} searches, {positions} positions, {proved} proved, expected effort {effort}"
                ));
                bar.tick();
            };
            let proved = prove(&request, &mut report, stop);
            bar.finish_and_clear();
            let plies = request.plies;
            let proof = match proved {
                Ok(Some(proof)) => proof,
                Ok(None) if is_written => return Ok(writeln!(output, "{id}: no proof within {plies} plies found")?),
                Err(ProveError::Interrupted) if is_written => return Ok(()),
                failed => return Err(self.failure(failed.err(), &request)),
            };
            // A proof may leave out its root.
            let found = || proof.check(&Stop::default()).ok()?.plies;
            let root_plies = proof.root_plies().or_else(|| matches!(goal, ProofGoal::Win(_)).then(found)?);
            let statement = statement(goal.side(), root_plies);
            let written = write_proof(&proof, &path, is_written)?;
            let positions = counted(proof.positions(), "position");
            let (leaves, searches) = (counted(last.leaves, "leaf"), counted(last.searches, "search"));
            let seconds = last.time.as_secs_f64();
            writeln!(output, "{id}: {statement}; {positions}, {leaves}, {searches} in {seconds:.1} s, {written}")?;
            output.flush()?;
            is_written = true;
            match proof.root_plies().and_then(|plies| u16::try_from(plies.saturating_sub(1)).ok()) {
                Some(plies) if self.shorter && plies > 0 => request.plies = plies,
                _ => return Ok(()),
            }
        }
    }

    /// The error of a search that failed, or of one that ended without a proof.
    fn failure(&self, error: Option<ProveError>, request: &ProveRequest) -> CliError {
        let (id, plies) = (request.variant.id(), request.plies);
        let text = match (error, request.goal) {
            (None, ProofGoal::Win(side)) => {
                format!("{id}: no line of the engine's moves wins for the {side} within {plies} plies")
            }
            (None, ProofGoal::NotLose(side)) => format!("{id}: the engine's moves do not keep the {side} from losing"),
            (Some(ProveError::Interrupted), _) => {
                return CliError::Interrupted(match self.store {
                    Some(_) => "the same command goes on from here".to_owned(),
                    None => "with --store FILE a later run would go on from here".to_owned(),
                });
            }
            (Some(ProveError::Store(error)), _) => return CliError::File(error),
            (Some(error), _) => error.to_string(),
        };
        CliError::Unproved(text)
    }
}

/// What a proof proves, in words; with the plies of a win.
fn statement(side: Side, plies: Option<u32>) -> String {
    let is_general = side == Side::General;
    match plies {
        Some(plies) => {
            format!("the {side} {} within {}", if is_general { "wins" } else { "win" }, counted(plies, "ply"))
        }
        None => format!("the {side} {} not lose", if is_general { "does" } else { "do" }),
    }
}

/// Writes a proof, unless the file holds one of an earlier run that is as short. Returns the place of the proof in words.
fn write_proof(proof: &Proof, path: &Path, is_own: bool) -> Result<String, CliError> {
    let shown = shown(path);
    if !is_own && path.exists() {
        // The work of hours is not lost by an interrupt now.
        let endless = &Stop::default();
        let known = Proof::read(path, proof.variant(), endless).ok().filter(|known| known.check(endless).is_ok());
        let same = known.filter(|known| known.goal() == proof.goal() && known.root() == proof.root());
        if let Some(plies) = same.and_then(|known| known.root_plies())
            && Some(plies) <= proof.root_plies()
        {
            return Ok(format!("{shown} proves {plies} already"));
        }
    }
    proof.save(path).map_err(CliError::cannot_save(path))?;
    Ok(shown)
}

/// Check a proof by the rules alone
///
/// For every position of the file the move must be legal, and every reply must lead to a position of the file that is won sooner. Neither
/// the search nor a table is asked.
#[derive(Args)]
pub(super) struct CheckProofArguments {
    /// The file, compressed or not
    file: PathBuf,
    /// The variant, where it is not a built-in one: the path of its file
    #[arg(long, value_name = "FILE")]
    variant: Option<PathBuf>,
}

impl CheckProofArguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let named = Proof::variant_of_file(&self.file).map_err(CliError::cannot_load(&self.file))?;
        let variant = match &self.variant {
            Some(file) => find_variant(file)?,
            None => Variant::builtin(&named).ok_or_else(|| {
                let id = sanitized(&named, 80);
                CliError::Usage(format!(
                    "unknown variant: \"{id}\": the game of the proof; expected its file, as --variant FILE"
                ))
            })?,
        };
        let stop = &interrupt_stop();
        let proof = Proof::read(&self.file, &variant, stop).map_err(CliError::cannot_load(&self.file));
        let checked = proof.and_then(|proof| {
            let unsound = |fault| CliError::Unsound(format!("{}: {fault}", privy_base::message::shown(&self.file)));
            let checked = proof.check(stop).map_err(unsound)?;
            Ok((proof, checked))
        });
        if stop.is_set() {
            return Err(CliError::Interrupted("the proof has not been checked to its end".to_owned()));
        }
        let (proof, checked) = checked?;
        let (id, statement) = (variant.id(), statement(proof.goal().side(), checked.plies));
        let is_opening = proof.root() == variant.opening();
        let root = if is_opening { String::new() } else { format!(" from {}", variant.position_text(proof.root())) };
        let (positions, left_out) = (checked.positions, checked.left_out);
        Ok(writeln!(
            output,
            "{id}: sound: {statement}{root}; {positions} positions, {left_out} replies found by plain search"
        )?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_use_the_singular_for_the_general_and_the_plural_for_the_rebels() {
        let statements = [Side::General, Side::Rebels].map(|side| [statement(side, Some(7)), statement(side, None)]);
        assert_eq!(statements[0], ["the general wins within 7 plies", "the general does not lose"]);
        assert_eq!(statements[1], ["the rebels win within 7 plies", "the rebels do not lose"]);
    }
}
