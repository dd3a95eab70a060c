//! `privy match`: matches between engines, played or resumed, and match files added up.

mod ledger;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand};
use privy_program::{CliError, TablesArgument, VariantWord, find_variant, interrupt_stop, within};
use privy_protocol::{Clock, Limits, Stop};

use privy_base::message::{sanitized, shown};
use privy_base::path_choice::PathChoice;
use privy_referee::part::Part;
use privy_referee::{
    Adjudication, Agreement, Conduct, EngineSpec, GameEntry, LONGEST_WAIT_MS, MOST_DEPTH, MOST_GAMES, MOST_NODES,
    MOST_PLIES, Match, MatchError, MatchEvent, MatchFile, MatchFormat, OpeningsChoice, OpeningsError, OpeningsRequest,
    Settings, name_engines, read_clock,
};
use privy_rules::{DEFAULT_VARIANT, Variant};
use privy_tables::{Table, TableError, Tables};

use super::common::adopt_orphans;

use ledger::Ledger;

const EXAMPLES: &str = "Examples:
  privy match --engine cmd=privy,name=new --engine cmd=./privy-old,name=old --time 100 --games 200 --file match.jsonl
  privy match --engine cmd=privy --engine 'cmd=\"python3 weak.py\",name=weak' --variant monk-and-water --tc 10+0.1
  privy match --each 'cmd=privy,nodes=10000' --engine name=a --engine name=b,option.hash=1 --games 20
  privy match --resume match.jsonl --trust
  privy match merge part-1.jsonl part-2.jsonl
docs/MATCHES.md says more.";

/// Let engines play matches against each other
///
/// Everybody plays everybody, in pairs of games from the same opening with the sides swapped. Every move is checked: an
/// engine that plays an illegal move, names a wrong result, exceeds its time, hangs, crashes or talks nonsense loses
/// the game, with the reason, and the match continues. An engine needs the commands name, variant, position, go and
/// quit; or clear_board, play and genmove.
///
/// Ctrl-C ends the match and saves it. With nodes or depth as limits the same
/// command line and seed give the same games.
#[derive(Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct MatchArguments {
    #[command(subcommand)]
    command: Option<MatchCommand>,
    #[command(flatten)]
    settings: SettingsArguments,
    #[command(flatten)]
    conduct: ConductArguments,
}

#[derive(Subcommand)]
enum MatchCommand {
    Merge(MergeArguments),
}

/// Add up match files: the figures and records of all their games
///
/// The files are parts of a match, or whole matches. Games count in the order of their numbers, up to the one with
/// which the test of the first file finds its answer. A match that is still being played may be looked at.
#[derive(Args)]
struct MergeArguments {
    /// Match files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the records of all games, as text, into a new file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// File of the variant of the match, if it is not where it was
    #[arg(long, value_name = "FILE")]
    variant: Option<PathBuf>,
    /// Write the figures as JSON
    #[arg(long)]
    json: bool,
}

// What the games depend on. clap makes a group of these, with the name of the type.
#[derive(Args)]
struct SettingsArguments {
    /// An engine: cmd=PROGRAM and further keys; give at least two
    ///
    /// KEY=VALUE with commas in between; a value with a comma in it stands in quotation marks. Keys:
    ///   cmd=PROGRAM         the program, with arguments as in a shell: cmd="python3 engine.py --level 2"
    ///   args=ARGUMENTS      more arguments
    ///   name=NAME           what it is called; the name of the program without it
    ///   dir=FOLDER          the folder it works in
    ///   option.NAME=VALUE   an option of the engine, set before the first game
    ///   tc=, time=, nodes=, depth=   its own limits, instead of those of the match, in the same ranges
    ///   restart=on|off      start a new process for every game, or keep it
    ///   proto=position|genmove       how it is driven; found out by asking it without
    #[arg(long = "engine", value_name = "SPEC", required_unless_present = "resume", verbatim_doc_comment)]
    engines: Vec<String>,
    /// Settings of all engines that have no others: keys and values as in --engine
    #[arg(long, value_name = "SPEC", default_value = "", hide_default_value = true)]
    each: String,
    /// Id or file of the variant
    #[arg(long, value_name = "VARIANT", default_value = DEFAULT_VARIANT)]
    #[arg(value_parser = VariantWord, hide_possible_values = true)]
    variant: OsString,
    /// Games of each two engines: an even number, since pairs of games are played with the sides swapped
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = within(2..=MOST_GAMES))]
    games: u64,
    /// The first engine against all others, instead of everybody against everybody
    #[arg(long)]
    gauntlet: bool,
    /// A clock for the game: [MOVES/]SECONDS[+SECONDS], such as 60+0.5 or 40/300; at most 3600000 seconds
    #[arg(long, visible_alias = "clock", value_name = "CLOCK", value_parser = read_clock, conflicts_with = "time")]
    tc: Option<Clock>,
    /// Milliseconds for every move; 100 where nothing else limits it
    #[arg(long, value_name = "MS", value_parser = within(1..=LONGEST_WAIT_MS))]
    time: Option<u64>,
    /// Nodes for every move
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_NODES))]
    nodes: Option<u64>,
    /// Plies of depth for every move
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_DEPTH))]
    depth: Option<u32>,
    /// How far an engine may exceed its time before its flag falls: milliseconds
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = within(0..=LONGEST_WAIT_MS))]
    margin: u64,
    /// How long an engine may be silent beyond its time, where it has one, before it hangs: milliseconds
    #[arg(long, value_name = "MS", default_value_t = 30_000, value_parser = within(1..=LONGEST_WAIT_MS))]
    patience: u64,
    /// Plies after which a game is a draw, those of the opening counted; 0: no limit
    #[arg(long, value_name = "PLIES", default_value_t = 400, value_parser = within(0..=MOST_PLIES))]
    move_limit: u32,
    /// Where games begin: opening (that of the variant), random:PLIES, random:LEAST-MOST, balanced, or a file
    ///
    /// Without this, balanced where the variant has a table, else random:6. Both games of a pair begin alike.
    /// `balanced` looks for positions in which much depends on the next moves, by the table of the variant or, without
    /// one, by searches: from most other openings one side wins whatever the other does. A file holds position texts,
    /// one a line, or game records.
    #[arg(long, value_name = "CHOICE")]
    openings: Option<OpeningsChoice>,
    /// Random seed of openings and of the engines' option `seed`
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(0..=u64::MAX))]
    seed: u64,
    /// Start engines anew for every game: on, off, or auto: when only nodes or depth limit their moves
    ///
    /// Then a game depends on its number alone, so that a match can be repeated, and resumed, to the same result.
    #[arg(long, value_name = "WHEN", value_parser = ["auto", "on", "off"], default_value = "auto")]
    restart: String,
    /// Restart an engine that has failed (crashed, hung, sent garbage), and continue the match; off:
    /// the match ends with the first such game
    #[arg(long, value_name = "WHETHER", value_parser = ["on", "off"])]
    #[arg(default_value = "on", default_missing_value = "on")]
    #[arg(num_args = 0..=1)]
    recover: String,
    /// End games from this ply on by the table of the variant, when it knows the position
    #[arg(long, value_name = "PLY", value_parser = within(0..=MOST_PLIES))]
    adjudicate_table: Option<u32>,
    /// End games that both engines see won by the same side: score=SCORE,plies=N[,from=PLY], such as score=6,plies=4
    ///
    /// SCORE is 0 to 1000, N is 2 to 1000000, PLY is at most 1000000.
    #[arg(long, value_name = "RULE")]
    adjudicate_win: Option<Agreement>,
    /// End games that both engines see drawn: score=SCORE,plies=N[,from=PLY], such as score=0,plies=4
    ///
    /// The numbers have the same ranges.
    #[arg(long, value_name = "RULE")]
    adjudicate_draw: Option<Agreement>,
    /// End the match when it is clear whether the first engine is stronger: elo0=0,elo1=10[,alpha=0.05][,beta=0.05]
    /// [,model=logistic|normalized]
    ///
    /// Elo is -1000 to 1000, normalized Elo -200 to 200; alpha and beta are above 0 and below 0.5.
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,
    /// Play only these pairs of games of the match into a file, or continue it; `privy match merge` adds the files up
    #[arg(long, value_name = "FROM-TO", requires = "file")]
    part: Option<Part>,
}

// What makes no difference to the games.
#[derive(Args)]
struct ConductArguments {
    /// Games that are played at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1_u64..=1024))]
    concurrency: u64,
    /// Keep the match in a new file, from which it can be resumed
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    file: Option<PathBuf>,
    /// Continue the match of a file where it was interrupted, with the settings in the file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["SettingsArguments", "file"])]
    resume: Option<PathBuf>,
    /// Start the programs that the file of --resume names; without it they are shown
    #[arg(long, requires = "resume")]
    trust: bool,
    /// Write the records of all games, as text, into a new file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write the figures at the end as JSON
    #[arg(long)]
    json: bool,
}

/// Milliseconds for a move when the user names no limit.
const DEFAULT_TIME: u64 = 100;

impl SettingsArguments {
    /// The settings of a new match, and its variant.
    fn read(&self, tables: &TablesArgument, stop: &Stop) -> Result<(Settings, Arc<Variant>), CliError> {
        let variant = find_variant(&self.variant)?;
        let engines = self.engine_specs()?;
        if !self.games.is_multiple_of(2) {
            let expected = format!("an even number from 2 to {MOST_GAMES}");
            return Err(CliError::Usage(format!("--games: expected {expected}, found {}", self.games)));
        }
        let sprt = self.sprt.as_deref().map(str::parse).transpose();
        let sprt = sprt.map_err(|error| CliError::Usage(format!("--sprt: {error}")))?;
        let tables = tables.choice();
        let rounds = self.games / 2;
        let request = OpeningsRequest {
            variant: &variant,
            count: usize::try_from(rounds).unwrap_or(usize::MAX),
            seed: self.seed,
            tables: &Tables::new(tables.clone()),
            stop,
        };
        let choice = self.openings.clone().unwrap_or_else(|| OpeningsChoice::default_for(&request));
        let openings = choice.pick(&request).map_err(|error| match error {
            OpeningsError::Interrupted => CliError::Interrupted("no game has been played".to_owned()),
            OpeningsError::Table(error) => error.into(),
            error => CliError::Usage(format!("--openings {choice}: {error}")),
        })?;
        let settings = Settings {
            variant: lasting_name(&self.variant)?,
            fingerprint: variant.fingerprint().to_owned(),
            engines,
            format: if self.gauntlet { MatchFormat::Gauntlet } else { MatchFormat::RoundRobin },
            rounds,
            openings,
            margin_ms: self.margin,
            patience_ms: self.patience,
            move_limit: Some(self.move_limit).filter(|limit| *limit > 0),
            adjudication: Adjudication {
                table_from: self.adjudicate_table,
                win: self.adjudicate_win,
                draw: self.adjudicate_draw,
            },
            tables: match tables {
                PathChoice::Path(folder) => lasting_path(&folder)?,
                choice => choice.to_string(),
            },
            seed: self.seed,
            recover: self.recover == "on",
            sprt,
            part: self.part.clone(),
        };
        if settings.part.is_some() && settings.scheduled().next().is_none() {
            return Err(CliError::Usage(format!("--part: expected pairs up to {}", settings.games() / 2)));
        }
        Ok((settings, variant))
    }

    fn engine_specs(&self) -> Result<Vec<EngineSpec>, CliError> {
        let mut each: EngineSpec = self.each.parse().map_err(|error| CliError::Usage(format!("--each: {error}")))?;
        let control =
            Limits { clock: self.tc, time: self.time.map(Duration::from_millis), nodes: self.nodes, depth: self.depth };
        let default = Limits::of_time(Duration::from_millis(DEFAULT_TIME));
        each.time_control = each.time_control.or(control.or(default));
        each.restart = each.restart.or(match self.restart.as_str() {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        });
        let mut engines = Vec::new();
        for text in &self.engines {
            let spec = text.parse::<EngineSpec>();
            let mut engine = spec.map_err(|error| CliError::Usage(format!("--engine {text}: {error}")))?.or(&each);
            // A relative folder would mean another one when the match is resumed from elsewhere.
            engine.folder = Some(std::path::absolute(engine.folder.as_deref().unwrap_or(Path::new(".")))?);
            engines.push(engine);
        }
        if engines.len() < 2 {
            return Err(CliError::Usage(format!("--engine: expected at least two engines, found {}", engines.len())));
        }
        name_engines(&mut engines).map_err(|error| CliError::Usage(error.to_string()))?;
        Ok(engines)
    }
}

/// A variant's name on the command line as it can be used from any folder.
fn lasting_name(word: &OsStr) -> Result<String, CliError> {
    let id = word.to_str().filter(|id| Variant::builtin(id).is_some());
    id.map_or_else(|| lasting_path(Path::new(word)), |id| Ok(id.to_owned()))
}

/// A path as it can be used from any folder.
fn lasting_path(path: &Path) -> Result<String, CliError> {
    let absolute = std::path::absolute(path)?;
    absolute
        .to_str()
        .map(str::to_owned)
        .ok_or_else(|| CliError::Usage(format!("{}: expected a path in UTF-8", path.display())))
}

impl MatchArguments {
    /// Writes a line about every game, or, on a terminal, a growing table to standard error; at the end the figures.
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        if let Some(MatchCommand::Merge(merge)) = &self.command {
            return merge.run(output);
        }
        let interrupted = interrupt_stop();
        let live = io::stderr().is_terminal();
        let conduct = &self.conduct;
        let (game, file, played) = match &conduct.resume {
            Some(path) => {
                let (file, game, played) = MatchFile::open(path, prepared).map_err(failed)?;
                if !conduct.trust {
                    return Err(CliError::Untrusted(programs_of(path, &game.settings)));
                }
                (game, Some(file), played)
            }
            None => {
                let (settings, variant) = self.settings.read(tables, &interrupted)?;
                match &conduct.file {
                    Some(path) if settings.part.is_some() && has_text(path) => {
                        let (file, game, played) = resumed_part(path, &settings)?;
                        (game, Some(file), played)
                    }
                    _ => (with_table(settings, variant)?, None, Vec::new()),
                }
            }
        };
        // Before anything is written: a match that can't begin leaves no file.
        game.check().map_err(|error| CliError::Usage(error.to_string()))?;
        adopt_orphans("what engines start may outlive them");
        let conducted = Conduct { concurrency: usize::try_from(conduct.concurrency).unwrap_or(1), interrupted };
        let known: BTreeSet<u64> = played.iter().map(|entry| entry.report.number).collect();
        game.try_engines(&conducted, |number| known.contains(&number)).map_err(|error| match error {
            MatchError::<CliError>::Interrupted => {
                CliError::Interrupted("before the first game of this run".to_owned())
            }
            error => failed(error),
        })?;
        let new_file = conduct.file.as_ref().filter(|_| file.is_none());
        let file = match new_file {
            Some(path) => Some(MatchFile::create(path, &game.settings).map_err(failed)?),
            None => file,
        };
        let ledger = Ledger::new(&game.settings, file, conduct.record.as_deref(), live, conduct.json);
        let mut ledger = ledger.inspect_err(|_| {
            // The corrected command finds no file without a game.
            new_file.into_iter().for_each(|path| _ = fs::remove_file(path));
        })?;
        for entry in played {
            ledger.count(&entry)?;
        }
        let finish = if ledger.is_decided() {
            Ok(())
        } else {
            game.play(
                &conducted,
                |number| known.contains(&number),
                |event| match event {
                    MatchEvent::Game(entry) => ledger.add(*entry, output),
                    MatchEvent::Remark(remark) => {
                        ledger.remark(&remark);
                        Ok(ControlFlow::Continue(()))
                    }
                },
            )
        };
        ledger.end(output)?;
        match finish {
            Err(MatchError::Caller(error)) => Err(error),
            Err(MatchError::Interrupted) => Err(CliError::Interrupted(conduct.how_to_resume(&ledger))),
            Err(error) => Err(failed(error)),
            Ok(()) => ledger.verdict(),
        }
    }
}

impl ConductArguments {
    /// The match file, new or old.
    fn match_file(&self) -> Option<&Path> {
        self.file.as_deref().or(self.resume.as_deref())
    }

    fn how_to_resume(&self, ledger: &Ledger<'_>) -> String {
        let progress = ledger.progress();
        match self.match_file() {
            Some(path) => format!("{progress}; resume with privy match --resume {} --trust", path.display()),
            None => format!("{progress}; with --file the match could be resumed"),
        }
    }
}

fn has_text(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
}

/// The file, the match and the games of a part that an earlier run of the same command has begun.
fn resumed_part(path: &Path, settings: &Settings) -> Result<(MatchFile, Match, Vec<GameEntry>), CliError> {
    let prepare = |known: Settings| match settings.as_read().difference(&known) {
        None => prepared(known),
        Some(name) => {
            Err(CliError::Failed(format!("expected the match of this command, found another: {name} differs")))
        }
    };
    MatchFile::open(path, prepare).map_err(failed)
}

/// Characters of the name of an engine.
const LONGEST_TITLE: usize = 200;

/// The programs that a match file of unknown origin would start: the user has not named them on this command line.
fn programs_of(path: &Path, settings: &Settings) -> String {
    let mut text = format!("{} starts these programs; --trust lets it:", shown(path));
    for engine in &settings.engines {
        let folder = engine.folder.as_deref().unwrap_or(Path::new("."));
        text += &format!("\n  {}: {:?} in {}", sanitized(engine.title(), LONGEST_TITLE), engine.command, shown(folder));
    }
    text
}

/// The match of a file.
fn prepared(settings: Settings) -> Result<Match, CliError> {
    let variant = find_variant(&settings.variant)?;
    check_rules(&settings, &variant)?;
    with_table(settings, variant)
}

/// The rules of a match in a file must not have changed.
fn check_rules(settings: &Settings, variant: &Variant) -> Result<(), CliError> {
    let (expected, found, name) = (&settings.fingerprint, variant.fingerprint(), &settings.variant);
    if found == expected {
        return Ok(());
    }
    Err(CliError::File(format!("{name}: expected the rules {expected} of the match, found {found}")))
}

fn find_table(settings: &Settings, variant: &Arc<Variant>) -> Result<Arc<Table>, TableError> {
    Tables::new(PathChoice::from(settings.tables.as_str())).find(variant)
}

/// A match with the table of its variant. A missing one is an error only where it decides games.
fn with_table(settings: Settings, variant: Arc<Variant>) -> Result<Match, CliError> {
    let table = match find_table(&settings, &variant) {
        Ok(table) => Some(table),
        Err(error) if settings.adjudication.table_from.is_some() => return Err(error.into()),
        Err(error) => {
            log::debug!("games are not compared with perfect play: {error}");
            None
        }
    };
    Ok(Match { settings, variant, table })
}

impl MergeArguments {
    fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let (settings, games) = self.read()?;
        let mut ledger = Ledger::new(&settings, None, self.record.as_deref(), false, self.json)?;
        for entry in &games {
            ledger.count(entry)?;
            if ledger.is_over_with(entry) {
                break;
            }
        }
        ledger.end(output)?;
        ledger.verdict()
    }

    /// The settings of the first file, with the engines of all, and the games in the order of their numbers.
    fn read(&self) -> Result<(Settings, Vec<GameEntry>), CliError> {
        let (mut matches, mut games) = (Vec::<Settings>::new(), BTreeMap::new());
        let given = self.variant.as_ref().map(find_variant).transpose()?;
        for path in &self.files {
            let prepare = |settings: Settings| -> Result<Match, CliError> {
                let variant = given.clone().map_or_else(|| find_variant(&settings.variant), Ok)?;
                check_rules(&settings, &variant)?;
                // Games that a table has decided are checked by it if it is here.
                let table = find_table(&settings, &variant).ok();
                Ok(Match { settings, variant, table })
            };
            let (Match { settings, .. }, entries) = MatchFile::read(path, prepare).map_err(failed)?;
            let settings = settings.in_common();
            let known = matches.iter().position(|known| settings.difference(known).is_none());
            let at = known.unwrap_or(matches.len());
            if known.is_none() {
                matches.push(settings);
            }
            for entry in entries {
                let number = entry.report.number;
                if games.insert((number, at), entry).is_some() {
                    let fault = format!("game {number} of the match is in another file, too");
                    return Err(CliError::Failed(format!("{}: {fault}", path.display())));
                }
            }
        }
        let mut all = matches.into_iter();
        let mut first = all.next().ok_or_else(|| CliError::Usage("FILES: expected at least one".to_owned()))?;
        for engine in all.flat_map(|settings| settings.engines) {
            if first.engines.iter().all(|known| known.title() != engine.title()) {
                first.engines.push(engine);
            }
        }
        Ok((first, games.into_values().collect()))
    }
}

fn failed(error: impl std::error::Error) -> CliError {
    CliError::Failed(error.to_string())
}
