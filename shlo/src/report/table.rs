//! Tables for people: columns as wide as what stands in them.

use std::borrow::Cow;

use stablehlo::diag::render::sanitize;

/// How a column is aligned.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// Rows below a head, every line indented by two spaces and ending with its last cell.
pub fn table<const N: usize>(head: [(&str, Align); N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let rows: Vec<[String; N]> = rows.into_iter().map(|row| row.map(|cell| sanitize(&cell).into_owned())).collect();
    let mut widths = head.map(|(title, _)| title.chars().count());
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    let titles = head.map(|(title, _)| Cow::Borrowed(title));
    let rows = rows.into_iter().map(|row| row.map(Cow::Owned));
    for row in std::iter::once(titles).chain(rows) {
        let mut line = String::new();
        for ((cell, (_, align)), width) in row.iter().zip(head).zip(widths) {
            line.push_str("  ");
            match align {
                Align::Left => line.push_str(&format!("{cell:<width$}")),
                Align::Right => line.push_str(&format!("{cell:>width$}")),
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_cells() {
        let rows = [["add".to_owned(), "1000".to_owned(), "x".to_owned()], ["é".into(), "7".into(), "".into()]];
        let head = [("op", Align::Left), ("n", Align::Right), ("place", Align::Left)];
        assert_eq!(table(head, rows), "  op      n  place\n  add  1000  x\n  é       7\n");
    }
}
