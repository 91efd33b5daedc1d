//! Tables of text.

/// The rows, the first of which is the heading, in columns as wide as needed: the first to the left, the others to
/// the right.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let cell = if column == 0 { format!("{cell:<width$}") } else { format!("   {cell:>width$}") };
            text.push_str(&cell);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_needed() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let text = table(&[row(["", "a", "wide"]), row(["piece", "+1 ±2", "x"])]);
        assert_eq!(text, "            a   wide\npiece   +1 ±2      x\n");
    }
}
