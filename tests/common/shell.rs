//! Command lines in documents.

/// Splits a command at blanks outside double quotes.
pub fn arguments(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in command.chars() {
        match letter {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().expect("there is always a word").push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
