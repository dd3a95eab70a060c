//! `privy prove` and `privy check-proof`: openings proved, and proofs checked.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;

use privy_base::atomic_file::AtomicFile;
use privy_base::message::{counted, sanitized, shown};
use privy_base::threads::cores;
use privy_program::{CliError, MOST_NODES, TablesArgument, find_variant, interrupt_stop, progress_bar, within};
use privy_rules::{Side, Variant};
use privy_search::proof::{Proof, ProveError, ProveProgress, ProveRequest, prove};
use privy_search::{MAX_DEPTH, Stop};

use super::common::PositionArguments;

/// Prove that a side wins an opening or a position, without a table
///
/// A best-first search over all replies of the other side and the good moves of the one that is to win. The strategy
/// that it finds is written as a file beside the tables; the engine plays by it, and `privy check-proof` checks it by
/// the rules alone. Ctrl-C ends the work, and no progress is saved.
#[derive(Args)]
pub(super) struct ProveArguments {
    #[command(flatten)]
    position: PositionArguments,
    /// The side that is to win, rebels or general
    #[arg(long = "for", value_name = "SIDE", default_value = "rebels")]
    winner: Side,
    /// The side wins within at most N plies
    #[arg(long, value_name = "N", default_value_t = MAX_DEPTH as u16, value_parser = within(1_u16..=1000))]
    plies: u16,
    /// Nodes of the search at each leaf
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = within(1_000..=MOST_NODES))]
    nodes: u64,
    /// Leaves searched in parallel; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = within(1_u64..=1024))]
    threads: Option<u64>,
    /// Size of the transposition table of each thread
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = within(1_u64..=65_536))]
    hash: u64,
    /// Where to write the proof instead of the tables' folder; .zst is compressed
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ProveArguments {
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let game = self.position.game()?;
        let stop = interrupt_stop();
        let variant = game.variant();
        let id = variant.id();
        let path = match &self.output {
            Some(path) => path.clone(),
            _ if game.position() == variant.opening() => Proof::path(&tables.folder()?, variant),
            _ => {
                let advice =
                    "--output: the tables' folder holds proofs of openings; name a file for that of a position";
                return Err(CliError::Usage(advice.to_owned()));
            }
        };
        // Hours of work should not end with a file that can't be written. A missing folder is made then.
        if let Err(error) = AtomicFile::create(&path)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(CliError::cannot_save(&path)(error));
        }
        let request = ProveRequest {
            root: *game.position(),
            plies: self.plies,
            nodes: self.nodes,
            threads: self.threads.map_or_else(cores, |threads| threads as usize),
            mebibytes: self.hash as usize,
            ..ProveRequest::of_opening(variant, self.winner)
        };
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
        let proved = prove(&request, &mut report, &stop);
        bar.finish_and_clear();
        let (winner, plies) = (self.winner, self.plies);
        let proof = match proved {
            Ok(Some(proof)) => proof,
            Ok(None) => {
                let text = format!("{id}: no line of the engine's moves wins for the {winner} within {plies} plies");
                return Err(CliError::Unproved(text));
            }
            Err(ProveError::Interrupted) => return Err(CliError::Interrupted("no progress saved".to_owned())),
            Err(error) => return Err(CliError::Unproved(error.to_string())),
        };
        // A proof may leave out its root.
        let found = || proof.check(&Stop::default()).map(|checked| checked.plies).unwrap_or_default();
        let statement = statement(winner, proof.root_plies().unwrap_or_else(found));
        let written = write_proof(&proof, &path)?;
        let positions = counted(proof.positions(), "position");
        let (leaves, searches) = (counted(last.leaves, "leaf"), counted(last.searches, "search"));
        let seconds = last.time.as_secs_f64();
        Ok(writeln!(output, "{id}: {statement}; {positions}, {leaves}, {searches} in {seconds:.1} s, {written}")?)
    }
}

/// What a proof proves, in words.
fn statement(side: Side, plies: u32) -> String {
    let wins = if side == Side::General { "wins" } else { "win" };
    format!("the {side} {wins} within {}", counted(plies, "ply"))
}

/// Writes a proof, unless the file holds one of an earlier run that is as short. Returns the place of the proof in
/// words.
fn write_proof(proof: &Proof, path: &Path) -> Result<String, CliError> {
    let shown = shown(path);
    if path.exists() {
        // The work of hours is not lost by an interrupt now.
        let endless = &Stop::default();
        let known = Proof::read(path, proof.variant(), endless).ok().filter(|known| known.check(endless).is_ok());
        let same = known.filter(|known| known.winner() == proof.winner() && known.root() == proof.root());
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
/// For every position of the file the move must be legal, and every reply must lead to a position of the file that is
/// won sooner. Neither the search nor a table is asked.
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
        let (id, statement) = (variant.id(), statement(proof.winner(), checked.plies));
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
        let statements = [Side::General, Side::Rebels].map(|side| statement(side, 7));
        assert_eq!(statements, ["the general wins within 7 plies", "the rebels win within 7 plies"]);
    }
}
