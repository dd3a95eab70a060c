//! Protocol sessions as a client drives them: transcripts, robustness, streams, GoGui.

mod analysis;
mod analysis_lines;
mod games;
mod go;
mod gogui_analysis;
mod gogui_drawing;
mod gogui_half_moves;
mod gogui_referees;
mod gogui_session;
#[cfg(target_os = "linux")]
mod probing;
mod readme;
mod records;
mod reference;
mod robustness;
mod sabaki;
mod streams;
mod told;
mod transcripts;
