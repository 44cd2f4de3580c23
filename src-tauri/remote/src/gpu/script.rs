//! The scripts that run on a machine, and the sections their output is made of. They are POSIX shell, handed to
//! `sh -s`; nothing of ours or of a provider is put into them but numbers.

/// What stands before everything that is ours in the output.
const MARK: &str = "@@gpudesk ";

/// Head of every script: `run NAME COMMAND…` prints a section with the command's output and exit code. Each command
/// has 10 seconds, where the machine has `timeout`: a wedged driver hangs for ever.
pub(crate) const HEAD: &str = r#"LC_ALL=C
export LC_ALL
PATH="$PATH:/usr/bin:/usr/local/bin:/usr/local/nvidia/bin:/opt/rocm/bin:/usr/lib/wsl/lib"
limit=
if command -v timeout >/dev/null 2>&1; then limit='timeout 10'; fi
say() { printf '@@gpudesk %s\n' "$1"; }
have() { command -v "$1" >/dev/null 2>&1; }
run() {
  say "begin $1"
  shift
  $limit "$@" </dev/null 2>&1
  code=$?
  printf '\n@@gpudesk exit %s\n' "$code"
  return "$code"
}
"#;

/// A script without the lines that are comments: they are for whoever changes it, and every machine would carry them.
/// Ends of lines are a single byte, however the file was checked out.
pub(crate) fn bare(script: &str) -> String {
    let lines = script.lines().filter(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A command's output and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    /// Which.
    pub name: String,
    /// What it printed, on both outputs.
    pub text: String,
    /// Its exit code; 124 = it did not end in time.
    pub code: i32,
}

/// A line of our own in the output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A section ended.
    Section(Section),
    /// A word of the script: `none`, `end`, `clock 1764489600`.
    Word(String),
}

/// Puts lines together into sections.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    open: Option<Section>,
}

/// Output of one command that is kept; a machine that prints more is cut short.
const SECTION_LIMIT: usize = 1 << 20;

impl Sections {
    /// Takes one line of output, without its end.
    pub fn push(&mut self, line: &str) -> Option<Line> {
        let Some(words) = line.strip_prefix(MARK) else {
            if let Some(open) = &mut self.open
                && open.text.len() + line.len() < SECTION_LIMIT
            {
                open.text.push_str(line);
                open.text.push('\n');
            }
            return None;
        };
        let words = words.trim_end();
        if let Some(name) = words.strip_prefix("begin ") {
            self.open = Some(Section { name: name.to_owned(), text: String::new(), code: 0 });
            return None;
        }
        if let Some(code) = words.strip_prefix("exit ") {
            let mut section = self.open.take()?;
            section.code = code.parse().unwrap_or(255);
            return Some(Line::Section(section));
        }
        Some(Line::Word(words.to_owned()))
    }
}
