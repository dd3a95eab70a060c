//! The tags that are fields of a record, as its texts have them.

use std::fmt::Display;
use std::str::FromStr;

use crate::record::Record;

/// A tag that is a field of a record: its name, its value as text, and the field set from a text.
pub(crate) type TagField = (&'static str, fn(&Record) -> String, fn(&mut Record, String) -> Result<(), String>);

/// In the order of the text. Empty values are not written.
pub(crate) const FIELDS: [TagField; 14] = [
    ("Event", |record| record.event.clone(), |record, text| set(&mut record.event, text)),
    ("Site", |record| record.site.clone(), |record, text| set(&mut record.site, text)),
    ("Date", |record| record.date.clone(), |record, text| set(&mut record.date, text)),
    ("Round", |record| record.round.clone(), |record, text| set(&mut record.round, text)),
    ("General", |record| record.general.clone(), |record, text| set(&mut record.general, text)),
    ("Rebels", |record| record.rebels.clone(), |record, text| set(&mut record.rebels, text)),
    ("Variant", |record| record.variant.clone(), |record, text| set(&mut record.variant, text)),
    ("Fingerprint", |record| record.fingerprint.clone(), |record, text| set(&mut record.fingerprint, text)),
    ("Opening", |record| record.opening.clone(), |record, text| set(&mut record.opening, text)),
    ("TimeControl", |record| record.time_control.clone(), |record, text| set(&mut record.time_control, text)),
    ("MoveLimit", |record| number_text(record.move_limit), |record, text| set_number(&mut record.move_limit, &text)),
    ("Seed", |record| number_text(record.seed), |record, text| set_number(&mut record.seed, &text)),
    ("Result", |record| record.result.to_string(), |record, text| set(&mut record.result, text.parse()?)),
    ("Termination", |record| record.termination.clone(), |record, text| set(&mut record.termination, text)),
];

fn set<T>(field: &mut T, value: T) -> Result<(), String> {
    *field = value;
    Ok(())
}

fn set_number<T: FromStr>(field: &mut Option<T>, text: &str) -> Result<(), String> {
    set(field, Some(text.parse().map_err(|_| format!("expected a whole number, found \"{text}\""))?))
}

fn number_text(number: Option<impl Display>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// True if a tag is a field of a record.
pub(crate) fn is_field(name: &str) -> bool {
    FIELDS.iter().any(|(field, ..)| *field == name)
}

pub(crate) fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
