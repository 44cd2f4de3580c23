//! Who and what works on a machine now: asked once, before it is ended.

use std::time::Duration;

use super::error::ConnectError;
use crate::{Desk, DeskError};

/// How long a machine may take to answer.
const LIMIT: Duration = Duration::from_secs(15);

/// Logins of persons and programs on the cards. The last line proves that the answer is whole.
const SCRIPT: &str = "echo '#who'; who 2>/dev/null\n\
    echo '#gpu'; nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv,noheader 2>/dev/null\n\
    echo '#end'\n";

/// The most lines that are told of each.
const MOST: usize = 20;
/// The most characters of one.
const LONGEST: usize = 120;

/// Who and what works on a machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AtWork {
    /// Persons, as the machine lists them.
    pub logins: Vec<String>,
    /// Programs on the cards: number, name, memory.
    pub programs: Vec<String>,
}

impl Desk {
    /// Who and what works on a rental now.
    ///
    /// # Errors
    /// When there is no such rental or it cannot be asked.
    pub async fn at_work(&self, rental: &str) -> Result<AtWork, DeskError> {
        let place = self.place(rental).await?;
        let printed = self.ways().ssh.script(&place.host, SCRIPT, LIMIT).await;
        let printed = printed.map_err(|error| ConnectError::ssh(&place.name, error))?;
        read(&printed.out).ok_or_else(|| {
            ConnectError::Invalid(format!("`{}` did not say who works on it", place.name)).into()
        })
    }
}

/// `None` where the answer is not whole.
fn read(text: &str) -> Option<AtWork> {
    let mut work = AtWork::default();
    let mut list = None;
    let mut whole = false;
    for line in text.lines() {
        match line.trim() {
            "#who" => list = Some(&mut work.logins),
            "#gpu" => list = Some(&mut work.programs),
            "#end" => whole = true,
            "" => {}
            line => {
                if let Some(list) = list.as_mut().filter(|list| list.len() < MOST) {
                    let clean: String = line.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
                    list.push(clean);
                }
            }
        }
    }
    whole.then_some(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins_and_programs_are_told_apart() {
        let work = read("#who\nann pts/0 09:00\n#gpu\n412, python3, 70000 MiB\n#end\n").unwrap();
        assert_eq!(work.logins, ["ann pts/0 09:00"]);
        assert_eq!(work.programs, ["412, python3, 70000 MiB"]);
        assert_eq!(read("#who\n#gpu\n#end\n"), Some(AtWork::default()));
    }

    #[test]
    fn half_an_answer_is_none() {
        assert_eq!(read("#who\nann pts/0\n#gpu\n"), None, "nothing is said about the cards then");
        assert_eq!(read(""), None);
    }
}
