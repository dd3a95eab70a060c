//! A writer of XML and of the shapes of SVG.

use std::fmt::Write as _;

use super::geometry::Place;

/// An XML text with each element on its own line.
#[derive(Default)]
pub(super) struct Canvas {
    text: String,
    open: Vec<&'static str>,
}

impl Canvas {
    pub(super) fn open(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes);
        self.text.push_str(">\n");
        self.open.push(name);
    }

    /// Closes the last open element.
    pub(super) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            // Writing to a string does not fail.
            let _ = writeln!(self.text, "{}</{name}>", "  ".repeat(self.open.len()));
        }
    }

    /// An element without content.
    pub(super) fn element(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes);
        self.text.push_str("/>\n");
    }

    /// An element with text.
    pub(super) fn words(&mut self, name: &str, attributes: &[(&str, &str)], words: &str) {
        self.tag(name, attributes);
        let _ = writeln!(self.text, ">{}</{name}>", escaped(words));
    }

    pub(super) fn circle(&mut self, centre: Place, radius: f64, attributes: &[(&str, &str)]) {
        let [x, y, radius] = [centre.x, centre.y, radius].map(number);
        self.element("circle", &[&[("cx", &*x), ("cy", &y), ("r", &radius)], attributes].concat());
    }

    pub(super) fn line(&mut self, a: Place, b: Place, attributes: &[(&str, &str)]) {
        let [x1, y1, x2, y2] = [a.x, a.y, b.x, b.y].map(number);
        self.element("line", &[&[("x1", &*x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)], attributes].concat());
    }

    pub(super) fn polygon(&mut self, corners: &[Place], attributes: &[(&str, &str)]) {
        let points: Vec<String> = corners.iter().map(|c| format!("{},{}", number(c.x), number(c.y))).collect();
        self.element("polygon", &[&[("points", &*points.join(" "))], attributes].concat());
    }

    /// Text centred on a place.
    pub(super) fn label(&mut self, centre: Place, size: f64, attributes: &[(&str, &str)], words: &str) {
        // Digits and capitals are about 0.7 of the size high.
        let [x, y, size] = [centre.x, centre.y + 0.35 * size, size].map(number);
        self.words("text", &[&[("x", &*x), ("y", &y), ("font-size", &size)], attributes].concat(), words);
    }

    /// Closes all elements, and gives the text.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let _ = write!(self.text, "{}<{name}", "  ".repeat(self.open.len()));
        for (key, value) in attributes {
            let _ = write!(self.text, " {key}=\"{}\"", escaped(value));
        }
    }
}

/// A number with at most one decimal, a thousandth of a file: enough for the eye, and equal on all machines.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text for an element or an attribute. Characters that XML forbids become spaces.
fn escaped(text: &str) -> String {
    let allowed = |c: char| if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') { ' ' } else { c };
    let text: String = text.chars().map(allowed).collect();
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([1.0, -0.01, 0.25, 12.34, -3.0].map(number), ["1", "0", "0.2", "12.3", "-3"]);
    }

    #[test]
    fn text_is_escaped_and_elements_are_closed() {
        let mut canvas = Canvas::default();
        canvas.open("g", &[("id", "a\"b")]);
        canvas.words("text", &[], "<King's> & \u{1}Co");
        let text = "<g id=\"a&quot;b\">\n  <text>&lt;King&#39;s&gt; &amp;  Co</text>\n</g>\n";
        assert_eq!(canvas.finish(), text);
    }
}
