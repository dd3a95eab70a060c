//! The command line: clap, and the choice between the protocol loop and a tool.

mod cli;

use std::io::{self, LineWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use privy::tools::ToolError;

use cli::{Cli, run_loop, run_tool, start_log};

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Err(error) = start_log(cli.log.as_ref()) {
        log::error!("cannot write the log: {error}");
        return ExitCode::from(2);
    }
    let result = match cli.tool {
        Some(_) if cli.protocol_loop.is_given() => {
            Err(ToolError::Usage("--variant and --hash before a command are for the protocol loop alone".to_owned()))
        }
        None => run_loop(&cli.protocol_loop, cli.tables.as_deref()),
        Some(tool) => {
            let mut output = LineWriter::new(io::stdout().lock());
            run_tool(tool, cli.tables.as_deref(), &mut output).and_then(|()| Ok(output.flush()?))
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader had enough: that is no failure of ours.
        Err(ToolError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed; there is nobody left to tell then.
            let _ = writeln!(io::stderr(), "privy: {error}");
            ExitCode::from(error.exit_status())
        }
    }
}
