//! `privy prove` and `privy check-proof`: openings proved, and proofs checked.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;

use crate::atomic_file::AtomicFile;
use crate::message::{counted, sanitized};
use crate::proofs::{Claim, Proof};
use crate::prove::{
    ImportError, Judges, ProveError, ProveProgress, ProveRequest, WorkerCommand, import, open_jobs, prove,
};
use crate::rules::{Game, Side, Variant};
use crate::search::{MAX_DEPTH, Stop};
use crate::tournament::command_words;

use super::common::{
    PositionArguments, TablesArgument, adopt_orphans, cores, find_variant, interrupt_stop, progress_bar, read_text,
};
use super::error::CliError;

/// What to prove: one claim, or for a draw that neither side loses.
type Goal = Vec<Claim>;

fn read_goal(text: &str) -> Result<Goal, &'static str> {
    if text == "draw" {
        return Ok(vec![Claim::Holds(Side::Rebels), Claim::Holds(Side::General)]);
    }
    let claim = text.parse().map_err(|_| "expected rebels, general, draw, draw-for-rebels or draw-for-general")?;
    Ok(vec![claim])
}

/// Prove that a side wins an opening or a position, or does not lose it, without a table
///
/// A best-first search over all replies of the other side and the good moves of the one that is to win. The strategy that it finds is written as a
/// file beside the tables; the engine plays by it, and `privy check-proof` checks it by the rules alone. Ctrl-C ends the work; with
/// --store the same command goes on where it ended.
///
/// Other processes can do the searches: programs that are started with --worker, or machines that do the jobs of --export-jobs with `privy
/// go --batch`; --import brings their results back.
#[derive(Args)]
pub(super) struct ProveArguments {
    #[command(flatten)]
    position: PositionArguments,
    /// The side that is to win, rebels or general; draw-for-SIDE: it is not to lose; draw: neither is
    #[arg(long = "for", value_name = "SIDE", default_value = "rebels", value_parser = read_goal)]
    goal: Goal,
    /// The side wins within at most N plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    plies: Option<u16>,
    /// When it is proved, go on to prove a win in fewer plies, again and again, until an interrupt or until none is found
    #[arg(long)]
    shorter: bool,
    /// Positions that the engine looks at to judge a leaf
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1_000..))]
    nodes: u64,
    /// Leaves at a time; as many as there are cores without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    /// Size of the transposition table of each thread
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// Keep all judgements in a file, and take those that are there
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Where to write the proof instead of the tables' folder; .zst is compressed
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A program that judges leaves in place of the threads, such as "ssh host privy go --batch"; for each one more at a time
    #[arg(long = "worker", value_name = "COMMAND", value_parser = read_worker, conflicts_with = "threads")]
    workers: Vec<WorkerCommand>,
    /// How long a worker may take for a job, in milliseconds: after that it is let go, and another gets the job
    #[arg(long, value_name = "MS", default_value_t = 300_000, requires = "workers")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    patience: u64,
    /// Write the searches that would come next to a file, a line each, instead of making them
    #[arg(long, value_name = "FILE", requires = "store", conflicts_with_all = ["workers", "shorter"])]
    export_jobs: Option<PathBuf>,
    /// How many searches to write, at most
    #[arg(long, value_name = "N", default_value_t = 64, requires = "export_jobs")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    jobs: u64,
    /// Take results of `privy go --batch` into the store, - for standard input
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "store")]
    #[arg(conflicts_with_all = ["export_jobs", "workers", "shorter"])]
    import: Vec<PathBuf>,
}

fn read_worker(text: &str) -> Result<WorkerCommand, &'static str> {
    let words = command_words(text).ok_or("a quotation mark is not closed")?;
    WorkerCommand::of_words(words).ok_or("expected a program and its arguments")
}

impl ProveArguments {
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        let game = self.position.game()?;
        let usage = |advice: &str| Err(CliError::Usage(advice.to_owned()));
        if let (Some(store), [_, ..]) = (&self.store, &*self.import) {
            return self.import(&game, store, output);
        }
        let stop = Stop::from(interrupt_stop());
        if self.goal.len() > 1 && self.output.is_some() {
            return usage("--output: a draw takes two files; prove it for one side, then for the other");
        }
        let is_win = self.goal.iter().all(|claim| matches!(claim, Claim::Wins(_)));
        if !is_win && (self.shorter || self.plies.is_some()) {
            return usage("--plies, --shorter: a draw has no number of plies");
        }
        if self.output.is_none() && game.position() != game.variant().opening() {
            return usage("--output: the tables' folder holds proofs of openings; name a file for that of a position");
        }
        if !self.workers.is_empty() {
            adopt_orphans("what workers start may outlive them");
        }
        match (&self.export_jobs, &*self.goal) {
            (Some(file), [claim]) => self.export(file, self.request(*claim, &game), tables, &stop, output),
            (Some(_), _) => {
                usage("--export-jobs: a draw takes two proofs; write the jobs of one side, then of the other")
            }
            (None, claims) => {
                claims.iter().try_for_each(|claim| self.prove(self.request(*claim, &game), tables, &stop, output))
            }
        }
    }

    fn request(&self, claim: Claim, game: &Game) -> ProveRequest {
        let threads = self.threads.map_or_else(cores, |threads| threads as usize);
        let (commands, patience) = (self.workers.clone(), Duration::from_millis(self.patience));
        ProveRequest {
            root: *game.position(),
            plies: self.plies.unwrap_or(MAX_DEPTH as u16),
            nodes: self.nodes,
            judges: match commands.is_empty() {
                true => Judges::Threads(threads),
                false => Judges::Workers { commands, patience },
            },
            mebibytes: self.hash as usize,
            store: self.store.clone(),
            ..ProveRequest::of_opening(game.variant(), claim)
        }
    }

    /// Writes the next jobs. Without any it writes the proof, or the reason why there is none.
    fn export(
        &self,
        file: &Path,
        request: ProveRequest,
        tables: &TablesArgument,
        stop: &Stop,
        output: &mut impl Write,
    ) -> Result<(), CliError> {
        let (jobs, progress) =
            open_jobs(&request, self.jobs as usize, stop).map_err(|error| self.failure(Some(error), &request))?;
        let id = request.variant.id().to_owned();
        if jobs.is_empty() {
            self.prove(request, tables, stop, output)?;
        }
        let written = AtomicFile::create(file).and_then(|mut file| {
            jobs.iter().try_for_each(|job| writeln!(file, "{job}"))?;
            file.commit()
        });
        written.map_err(CliError::cannot_save(file))?;
        let ProveProgress { positions, proved, effort, .. } = progress;
        let (jobs, file) = (jobs.len(), file.display());
        if jobs > 0 {
            writeln!(
                output,
                "{id}: {jobs} jobs in {file}; {positions} positions, {proved} proved, expected effort {effort}"
            )?;
        }
        Ok(())
    }

    /// Puts results of jobs into the store.
    fn import(&self, game: &Game, store: &Path, output: &mut impl Write) -> Result<(), CliError> {
        let failed = |error: ImportError| match error {
            ImportError::Interrupted => CliError::Interrupted("nothing was taken".to_owned()),
            ImportError::Store(error) => CliError::cannot_load(store)(error),
            error @ ImportError::Line { .. } => CliError::File(error.to_string()),
        };
        // The interrupt flag comes after the reading: until then an interrupt ends the program at once, even one that waits for a pipe.
        let texts = self.import.iter().map(|file| Ok((file.display().to_string(), read_text(file)?)));
        let texts = texts.collect::<Result<Vec<_>, CliError>>()?;
        let stop = Stop::from(interrupt_stop());
        let (new, known) = import(game.variant(), &texts, store, &stop).map_err(failed)?;
        Ok(writeln!(output, "{}: {new} results taken, {known} known already", game.variant().id())?)
    }

    /// Proves a claim; with `--shorter` then a win in fewer plies, again and again.
    fn prove(
        &self,
        mut request: ProveRequest,
        tables: &TablesArgument,
        stop: &Stop,
        output: &mut impl Write,
    ) -> Result<(), CliError> {
        let (variant, claim) = (request.variant.clone(), request.claim);
        let id = variant.id();
        let path = match (&self.output, claim) {
            (Some(path), _) => path.clone(),
            (None, Claim::Wins(_)) => Proof::path(&tables.folder()?, &variant),
            (None, Claim::Holds(side)) => Proof::draw_path(&tables.folder()?, &variant, side),
        };
        let mut is_written = false;
        loop {
            let bar = progress_bar(ProgressBar::new_spinner(), "{spinner} {prefix}: {msg} [{elapsed}]", &variant);
            let mut last = None;
            let mut report = |progress: &ProveProgress| {
                last = Some(*progress);
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
            let statement = statement(claim.side(), plies_of_win(&proof));
            let written = write_proof(&proof, &path, is_written)?;
            if let Some(ProveProgress { leaves, searches, time, .. }) = last {
                let positions = counted(proof.len(), "position");
                let (leaves, searches) = (counted(leaves, "leaf"), counted(searches, "search"));
                let seconds = time.as_secs_f64();
                writeln!(output, "{id}: {statement}; {positions}, {leaves}, {searches} in {seconds:.1} s, {written}")?;
                output.flush()?;
            }
            is_written = true;
            match proof.root_plies().and_then(|plies| u16::try_from(plies.saturating_sub(1)).ok()) {
                Some(plies) if self.shorter && plies > 0 => request.plies = plies,
                _ => return Ok(()),
            }
        }
    }

    /// The error of a search that failed, or of one that ended without a proof.
    fn failure(&self, error: Option<ProveError>, request: &ProveRequest) -> CliError {
        let (id, side, plies) = (request.variant.id(), request.claim.side(), request.plies);
        let Some(error) = error else {
            return CliError::Unproved(match request.claim {
                Claim::Wins(_) => {
                    format!("{id}: no line of the engine's moves wins for the {side} within {plies} plies")
                }
                Claim::Holds(_) => format!("{id}: the engine's moves do not keep the {side} from losing"),
            });
        };
        match (error, &self.store) {
            (ProveError::Interrupted, Some(_)) => {
                CliError::Interrupted("the same command goes on from here".to_owned())
            }
            (ProveError::Interrupted, None) => {
                CliError::Interrupted("with --store FILE a later run would go on from here".to_owned())
            }
            (ProveError::Store(error), Some(path)) => CliError::cannot_load(path)(error),
            (error @ ProveError::NoWorkers(_), Some(_)) => {
                CliError::Unproved(format!("{error}; the same command goes on from here"))
            }
            (error, _) => CliError::Unproved(error.to_string()),
        }
    }
}

/// The plies within which a proof wins; none for one of not losing. A proof may leave out its root.
fn plies_of_win(proof: &Proof) -> Option<u32> {
    let found = || proof.check().ok()?.plies;
    proof.root_plies().or_else(|| matches!(proof.claim(), Claim::Wins(_)).then(found)?)
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

/// Writes a proof, unless the file holds one of an earlier run that is as short. Gives the place of the proof in words.
fn write_proof(proof: &Proof, path: &Path, is_own: bool) -> Result<String, CliError> {
    let shown = path.display();
    if !is_own && path.exists() {
        let known = Proof::read(path, proof.variant()).ok().filter(|known| known.check().is_ok());
        let same = known.filter(|known| known.claim() == proof.claim() && known.root() == proof.root());
        if let Some(plies) = same.and_then(|known| known.root_plies())
            && Some(plies) <= proof.root_plies()
        {
            return Ok(format!("{shown} proves {plies} already"));
        }
    }
    proof.save(path).map_err(CliError::cannot_save(path))?;
    Ok(shown.to_string())
}

/// Check a proof by the rules alone
///
/// Looks at every position of the file: is the move legal, and does every reply lead to a position of the file that is won sooner? Neither
/// the search nor a table is asked.
#[derive(Args)]
pub(super) struct CheckProofArguments {
    /// The file, compressed or not
    file: PathBuf,
    /// The variant, where it is not a built-in one: the path of its file
    #[arg(long, value_name = "FILE")]
    variant: Option<String>,
}

impl CheckProofArguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let heading = Proof::heading(&self.file).map_err(CliError::cannot_load(&self.file))?;
        let variant = match &self.variant {
            Some(named) => find_variant(named)?,
            None => Variant::builtin(&heading.variant).ok_or_else(|| {
                let id = sanitized(&heading.variant, 80);
                CliError::Usage(format!(
                    "unknown variant: \"{id}\": the game of the proof; expected its file, as --variant FILE"
                ))
            })?,
        };
        let proof = Proof::read(&self.file, &variant).map_err(CliError::cannot_load(&self.file))?;
        let checked = proof.check().map_err(|fault| CliError::Unsound(fault.to_string()))?;
        let (id, statement) = (variant.id(), statement(proof.claim().side(), checked.plies));
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
