//! The few words the window's own process must speak itself, in both languages.

/// A language of the desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    English,
    Russian,
}

impl Language {
    /// The language of a setting (`en`, `ru`, `system`); `system` asks the environment's locale.
    pub fn of_setting(setting: &str, locale: Option<&str>) -> Self {
        let wanted = if setting == "system" { locale.unwrap_or_default() } else { setting };
        if wanted.to_ascii_lowercase().starts_with("ru") { Self::Russian } else { Self::English }
    }
}

/// The locale of the environment, in POSIX order of precedence.
pub fn environment_locale() -> Option<String> {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty())
}

/// Words of the tray and of notifications.
pub struct Texts {
    pub open: &'static str,
    pub quit: &'static str,
    pub watch_hit: &'static str,
    pub per_gpu_hour: &'static str,
    pub connect: &'static str,
    pub connect_now: &'static str,
    pub extend: &'static str,
    pub keep: &'static str,
    pub idle: &'static str,
    pub burning: &'static str,
    pub burning_nothing: &'static str,
    pub practice: &'static str,
}

/// The table.
pub fn texts(language: Language) -> &'static Texts {
    match language {
        Language::English => &Texts {
            open: "Open GPU Desk",
            quit: "Quit",
            watch_hit: "A watched offer is here",
            per_gpu_hour: "per GPU-hour",
            connect: "Connect to",
            connect_now: "Connect",
            extend: "Extend by 1 h",
            keep: "Keep it",
            idle: "does nothing",
            burning: "Running now",
            burning_nothing: "No machine is running",
            practice: "practice",
        },
        Language::Russian => &Texts {
            open: "Открыть GPU Desk",
            quit: "Выйти",
            watch_hit: "Появилось предложение, за которым вы следите",
            per_gpu_hour: "за GPU-час",
            connect: "Подключиться к",
            connect_now: "Подключиться",
            extend: "Продлить на 1 ч",
            keep: "Оставить",
            idle: "простаивает",
            burning: "Работает сейчас",
            burning_nothing: "Ни одна машина не работает",
            practice: "тренировка",
        },
    }
}

/// What is told of a rental, by its fixed word; empty for a word that is not known here.
pub fn told(language: Language, what: &str) -> &'static str {
    let (english, russian) = match what {
        "ready" => ("ready", "готова"),
        "failed" => ("failed", "не удалось"),
        "lost" => ("gone at the provider", "пропала у провайдера"),
        "preempted" => ("taken back by the provider", "отозвана провайдером"),
        "ended" => ("ended", "завершена"),
        "not-confirmed" => ("not confirmed by the provider", "не подтверждено провайдером"),
        "differs" => ("differs from its offer", "отличается от предложения"),
        "policy-broken" => ("breaks its policy", "нарушает политику"),
        "price-rise" => ("its price rises", "цена растёт"),
        "still-there" => ("still there after its end", "всё ещё существует после завершения"),
        "lease-soon" => ("its lease ends soon", "аренда скоро закончится"),
        "lease-over" => ("its lease ran out", "срок аренды вышел"),
        "lease-stopped" => ("stopped: its lease ran out", "остановлена: срок аренды вышел"),
        "lease-ended" => ("ended: its lease ran out", "завершена: срок аренды вышел"),
        "idle-soon" => ("it does nothing", "простаивает"),
        "idle-over" => ("it does nothing and holds memory", "простаивает и держит память"),
        "idle-stopped" => ("stopped: it did nothing", "остановлена: простаивала"),
        "idle-ended" => ("ended: it did nothing", "завершена: простаивала"),
        "budget" => ("budget", "бюджет"),
        "budget-used-up" => ("its budget is used up", "бюджет исчерпан"),
        "unmanaged" => ("not ours", "не наша"),
        _ => ("", ""),
    };
    match language {
        Language::English => english,
        Language::Russian => russian,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_decides_and_the_locale_only_when_asked() {
        assert_eq!(Language::of_setting("ru", Some("en_GB.UTF-8")), Language::Russian);
        assert_eq!(Language::of_setting("en", Some("ru_RU.UTF-8")), Language::English);
        assert_eq!(Language::of_setting("system", Some("ru_RU.UTF-8")), Language::Russian);
        assert_eq!(Language::of_setting("system", Some("C.UTF-8")), Language::English);
        assert_eq!(Language::of_setting("system", None), Language::English);
    }
}
