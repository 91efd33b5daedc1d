use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use anstyle::{Effects, Style};
use clap::{Args, ValueEnum};

/// How boards and tables look.
#[derive(Args, Clone, Copy, Debug)]
pub(in crate::cli) struct ScreenArgs {
    /// Draw boards with letters
    #[arg(long)]
    ascii: bool,
    /// Draw boards with chess symbols (the default on a terminal)
    #[arg(long, conflicts_with = "ascii")]
    unicode: bool,
    /// When to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorWhen::Auto)]
    color: ColorWhen,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ColorWhen {
    Auto,
    Always,
    Never,
}

/// What standard output can show, and is wanted to.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Screen {
    /// Chess symbols instead of letters.
    pub symbols: bool,
    /// Colours.
    pub color: bool,
}

impl ScreenArgs {
    /// Looks at the options, the terminal and the environment (`NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`, `TERM`).
    pub(in crate::cli) fn screen(self) -> Screen {
        let color = match self.color {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
        };
        Screen { symbols: self.unicode || !self.ascii && io::stdout().is_terminal(), color }
    }
}

impl Screen {
    /// The text in bold, where there are colours.
    pub(in crate::cli) fn bold(self, text: &str) -> String {
        self.styled(Style::new().effects(Effects::BOLD), text)
    }

    /// The text in a style, where there are colours.
    pub(super) fn styled(self, style: Style, text: &str) -> String {
        if self.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}
