//! A notification server for tests of the window: what it is told to show goes to standard output, a JSON document a
//! line; a line `ID KEY` on standard input presses that button.

#![expect(clippy::print_stdout, reason = "the test reads it there")]

#[cfg(target_os = "linux")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    linux::serve()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("only desktops with a session bus have such a server");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashMap;
    use std::io::BufRead;

    use zbus::zvariant::OwnedValue;

    const NAME: &str = "org.freedesktop.Notifications";
    const PATH: &str = "/org/freedesktop/Notifications";

    struct Server {
        shown: u32,
    }

    #[zbus::interface(name = "org.freedesktop.Notifications")]
    impl Server {
        #[expect(clippy::too_many_arguments, reason = "the desktop's own interface")]
        fn notify(
            &mut self,
            _app: String,
            _replaces: u32,
            _icon: String,
            summary: String,
            body: String,
            actions: Vec<String>,
            _hints: HashMap<String, OwnedValue>,
            _timeout: i32,
        ) -> u32 {
            self.shown += 1;
            let shown = serde_json::json!({
                "id": self.shown, "summary": summary, "body": body, "actions": actions,
            });
            println!("{shown}");
            self.shown
        }

        fn close_notification(&self, _id: u32) {}

        fn get_capabilities(&self) -> Vec<String> {
            vec!["body".to_owned(), "actions".to_owned()]
        }

        fn get_server_information(&self) -> (String, String, String, String) {
            ("test".to_owned(), "test".to_owned(), "1".to_owned(), "1.2".to_owned())
        }
    }

    pub fn serve() -> Result<(), Box<dyn std::error::Error>> {
        let connection = zbus::blocking::connection::Builder::session()?
            .name(NAME)?
            .serve_at(PATH, Server { shown: 0 })?
            .build()?;
        println!("{{}}");
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            if let Some((id, key)) = line.split_once(' ') {
                let signal = (id.parse::<u32>()?, key);
                connection.emit_signal(None::<&str>, PATH, NAME, "ActionInvoked", &signal)?;
            }
        }
        Ok(())
    }
}
