//! The words of the command line; their comments are the help texts.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::compliance::ComplianceArguments;
use super::fit::FitArguments;
use super::matches::MatchArguments;
use super::replay::ReplayArguments;

/// Engine for the hunt games of one General against many Rebels.
///
/// Without a command it is the protocol loop: it reads requests on standard input and answers on standard output, in
/// the framing of the Go Text Protocol. Type `help` there for its commands. With a command it does one thing and ends.
///
/// A VARIANT is an id that `privy variants list` shows, or the path of a variant file: a text with / or ending in .toml.
#[derive(Parser)]
#[command(
    version,
    after_help = "Examples:
  printf 'variant monk-and-water\\ngo time 500\\nquit\\n' | privy
  privy go sixteen-rebels --time 2000
  privy board kings-gonu --svg > board.svg
Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted."
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) tool: Option<Tool>,
    #[command(flatten)]
    pub(super) protocol_loop: LoopArguments,
    /// Write diagnostics to a file instead of standard error, in detail
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) log: Option<PathBuf>,
    /// Where tables of perfect play are kept: a folder, auto for the user's cache folder, or off
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) tables: Option<String>,
}

const MATCH_EXAMPLES: &str = "Examples:
  privy match --engine cmd=privy,name=new --engine cmd=./privy-old,name=old --time 100 --games 200 --file match.jsonl
  privy match --engine cmd=privy --engine 'cmd=\"python3 weak.py\",name=weak' --variant monk-and-water --tc 10+0.1
  privy match --each 'cmd=privy,nodes=10000' --engine name=a --engine name=b,option.hash=1 --games 20
  privy match --resume match.jsonl
docs/MATCHES.md says more.";

#[derive(Args)]
pub(super) struct LoopArguments {
    /// Begin with this variant instead of sixteen-rebels
    #[arg(long, value_name = "VARIANT")]
    pub(super) variant: Option<String>,
    /// Threads of a search
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<u64>,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB")]
    pub(super) hash: Option<u64>,
}

impl LoopArguments {
    /// Has the user said anything to it?
    pub(super) fn is_given(&self) -> bool {
        self.variant.is_some() || self.threads.is_some() || self.hash.is_some()
    }
}

#[derive(Subcommand)]
pub(super) enum Tool {
    /// The protocol loop for GoGui, in which a move is entered point by point
    ///
    /// Reads and answers requests like the protocol loop, but a move is two half moves or more, each a single point, so that
    /// GoGui and the referees that come with it and with GNU Go can play. In GoGui: Program, New Program, and as the
    /// command the full path of this program and `gogui`.
    Gogui(LoopArguments),
    /// Search one position and print the best move
    ///
    /// Prints the lines that `go` answers in the protocol, the last one being `bestmove MOVE`; or one JSON object. The
    /// first limit reached ends the search; without any it takes one second.
    Go {
        /// Id or file of the variant
        variant: String,
        /// Position text; the opening without it
        #[arg(long, value_name = "TEXT")]
        fen: Option<String>,
        /// Wall time in milliseconds
        #[arg(long, value_name = "MS")]
        time: Option<u64>,
        /// Depth in plies
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        depth: Option<u32>,
        /// Positions reached by making a move
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        nodes: Option<u64>,
        /// How many best lines to report
        #[arg(long, value_name = "N")]
        multi_pv: Option<u64>,
        /// Threads of the search
        #[arg(long, value_name = "N")]
        threads: Option<u64>,
        /// Size of the transposition table
        #[arg(long, value_name = "MIB")]
        hash: Option<u64>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Count the sequences of legal moves of a length
    ///
    /// A check and a measure of move generation: without hashing, the last ply counted in bulk. Ends with a line
    /// `nodes N time MS nps N`.
    Perft {
        /// Id or file of the variant
        variant: String,
        /// Length in plies
        depth: u32,
        /// Position text; the opening without it
        #[arg(long, value_name = "TEXT")]
        fen: Option<String>,
        /// Count for each first move
        #[arg(long)]
        divide: bool,
    },
    /// Solve variants and keep their tables of perfect play
    ///
    /// Solves every position of a variant whose Rebels stand on at most 25 points, exactly, with the number of plies to the
    /// end, and writes a table file. The engine finds it and plays perfectly from then on. What is solved already is left
    /// alone.
    Solve {
        /// Ids or files of variants
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        variants: Vec<String>,
        /// All built-in variants that can be solved
        #[arg(long)]
        all: bool,
        /// Threads; all cores without it
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
        threads: Option<u64>,
        /// Memory that may be taken, in MiB
        #[arg(long, value_name = "MIB")]
        memory: Option<u64>,
        /// Solve only the positions with at most so many Rebels
        #[arg(long, value_name = "N")]
        rebels: Option<u32>,
        /// Solve again what is solved already
        #[arg(long)]
        force: bool,
    },
    /// List, verify, describe or delete tables of perfect play
    Tables {
        #[command(subcommand)]
        action: TablesAction,
    },
    /// Print the value of a position, or of many, from a table
    ///
    /// The value is for the side to move: `win N`, `loss N` (plies to the end) or `draw`.
    Probe {
        /// Id or file of the variant
        variant: String,
        /// Position text; the opening without it
        #[arg(long, value_name = "TEXT")]
        fen: Option<String>,
        /// A file with a position a line, - for standard input; answers are a line each
        #[arg(long, value_name = "FILE", conflicts_with = "fen")]
        batch: Option<PathBuf>,
    },
    /// Search fixed positions of all variants: nodes, nodes per second, and the signature of the search
    ///
    /// The signature is the sum of all nodes. It depends on the program alone, so it tells whether two programs search
    /// alike; nodes per second are for comparison on one machine.
    Bench {
        /// Depth in plies
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        depth: Option<u32>,
    },
    /// Show the built-in variants, or check a variant file
    Variants {
        #[command(subcommand)]
        action: VariantsAction,
    },
    /// Draw a position as text or SVG
    Board {
        /// Id or file of the variant
        variant: String,
        /// Position text; the opening without it
        #[arg(long, value_name = "TEXT")]
        fen: Option<String>,
        /// Moves to play first; the last one is marked
        #[arg(long, value_name = "MOVE", num_args = 1..)]
        moves: Vec<String>,
        /// Draw in ASCII characters
        #[arg(long, conflicts_with = "svg")]
        ascii: bool,
        /// Draw an SVG picture
        #[arg(long)]
        svg: bool,
        /// Labels of the picture
        #[arg(long, value_enum, default_value = "edges", requires = "svg")]
        labels: LabelChoice,
        /// Longer side of the picture in pixels
        #[arg(long, value_name = "PX", default_value_t = 480, requires = "svg", value_parser = clap::value_parser!(u32).range(64..=8192))]
        size: u32,
    },
    /// Check records of games move by move, or show a position of one
    ///
    /// Writes a line about each game of the file; ends with status 1 when a record is not sound: a move is illegal, the
    /// rules are other ones, or the result is not what the rules say. With --ply, --text, --fen or --svg it shows one
    /// position of one game instead.
    Replay(ReplayArguments),
    /// Let engines play matches against each other
    ///
    /// Everybody plays everybody, in pairs of games from the same opening with the sides swapped. Every move is checked: an
    /// engine that plays an illegal move, names a wrong result, exceeds its time, hangs, crashes or talks nonsense loses
    /// the game, with the reason, and the match goes on. An engine needs the commands name, variant, position, go and quit; or
    /// clear_board, play and genmove.
    ///
    /// Ctrl-C ends the match and saves it, Ctrl-Z suspends it with its engines. With nodes or depth as limits the same
    /// command line and seed give the same games.
    #[command(after_help = MATCH_EXAMPLES)]
    Match(Box<MatchArguments>),
    /// Examine an engine: whether it keeps to the protocol, and what it does wrong
    ///
    /// Tries about eighty steps, each with a process of its own, and writes a line about each: ok, skip when the engine does
    /// not have the command, or FAIL with what was sent, what came and what was expected. Ends with status 1 when a step
    /// fails.
    Compliance(ComplianceArguments),
    /// Fit the weights of the evaluation to games of the engine against itself
    ///
    /// Plays games in which both sides err at rates of their own, labels their positions with the value under perfect play
    /// where the variant has a table, else with the result of the game, and writes the weights that tell these results
    /// best. Ctrl-C ends the work and leaves no file. The same command line gives the same weights.
    Fit(FitArguments),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Subcommand)]
pub(super) enum VariantsAction {
    /// A line per variant: id, fingerprint of its rules, title
    List,
    /// Print the file of a variant
    Show {
        /// Id or file of the variant
        variant: String,
    },
    /// Read variant files and say what is wrong with them
    Check {
        /// Variant files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

#[derive(Subcommand)]
pub(super) enum TablesAction {
    /// A line per table: variant, fingerprint, most plies, bytes, most Rebels, path
    List,
    /// Won, drawn and lost positions by number of Rebels
    Stat {
        /// Id or file of the variant
        variant: String,
    },
    /// Check every position of tables against its successors, and the counts against the known ones
    Verify {
        /// Ids or files of variants
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        variants: Vec<String>,
        /// All built-in variants that can be solved
        #[arg(long)]
        all: bool,
    },
    /// Delete the table of a variant
    Delete {
        /// Id or file of the variant
        variant: String,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum LabelChoice {
    /// No labels
    None,
    /// File letters and row numbers along the edges
    Edges,
    /// The name of every point
    Points,
}
