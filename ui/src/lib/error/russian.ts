import { locale } from "../i18n/locale.svelte";

/**
 * The desk speaks English; its fixed sentences are said in Russian here. `{}` stands for a part that is taken over as
 * it is. What a provider or the system said is not among them and stays in its own words.
 */
const sentences: readonly (readonly [english: string, russian: string])[] = [
  // What it was about.
  ["the database", "база данных"],
  ["the settings", "настройки"],
  ["the query", "запрос"],
  ["the engine", "сама программа"],
  ["the data folder", "папка данных"],
  ["source `{}`", "источник «{}»"],
  ["offer `{}`", "предложение «{}»"],
  ["list of `{}`", "прайс-лист «{}»"],
  ["base address {}", "адрес {}"],
  // What to do next.
  ["check the network, the proxy and the base address", "Проверьте сеть, прокси и адрес сервиса."],
  [
    "the proxy wants a user and password: set them in its address",
    "Прокси требует имя и пароль: укажите их в его адресе.",
  ],
  [
    "if your network inspects TLS, set its CA file; otherwise do not trust this connection",
    "Если ваша сеть проверяет TLS, укажите файл её удостоверяющего центра; иначе этому соединению доверять нельзя.",
  ],
  [
    "a sign-in page of the network or a bot check may stand in between; open the address in a browser",
    "Между вами и сервисом может стоять страница входа в сеть или проверка на робота: откройте адрес в браузере.",
  ],
  [
    "the offers at hand stay in use; refresh again later",
    "Прежние предложения остаются; обновите ещё раз позже.",
  ],
  [
    "the rates at hand stay in use, with their date; refresh again later",
    "Прежние курсы остаются, с их датой; обновите ещё раз позже.",
  ],
  [
    "the quota starts anew at midnight UTC; until then the offers at hand stay in use",
    "Квота начнётся заново в полночь UTC; до тех пор остаются прежние предложения.",
  ],
  [
    "RunPod may have ended its keyless price list, or keeps this address out; add a key to see RunPod",
    "Возможно, RunPod закрыл прайс-лист без ключа или не пускает этот адрес; чтобы видеть RunPod, добавьте ключ.",
  ],
  ["use https", "Укажите адрес с https."],
  ["write it as {}", "Запишите так: {}"],
  ["give a PEM file that begins with {}", "Укажите файл PEM, который начинается с {}"],
  [
    "Install the newer version, or start this one with another data folder.",
    "Установите новую версию или запустите эту с другой папкой данных.",
  ],
  [
    "Close the program, move `{}` (and {} where they exist) to another place and start again: a new database is made and the offers are fetched anew. Watches, settings and price history stay in the file that was moved.",
    "Закройте программу, перенесите «{}» (и {}, если они есть) в другое место и запустите снова: будет создана новая база, а предложения получены заново. Слежение, настройки и история цен останутся в перенесённом файле.",
  ],
  ["Choose another data folder.", "Выберите другую папку данных."],
  [
    "Give this user the right to write `{}`, or choose another data folder.",
    "Дайте этому пользователю право записи в «{}» или выберите другую папку данных.",
  ],
  [
    "Free some space on the disk of `{}` and try again.",
    "Освободите место на диске, где находится «{}», и повторите.",
  ],
  [
    "Wait until the other program that uses it has finished, or close that one.",
    "Дождитесь, пока другая программа, которая с ней работает, закончит, или закройте ту программу.",
  ],
  [
    "Check the disk and the file system, then start again.",
    "Проверьте диск и файловую систему и запустите снова.",
  ],
  [
    "If `{}` really has so few offers now, refresh it by name to accept the answer.",
    "Если у «{}» теперь и правда так мало предложений, обновите этот источник по имени, чтобы принять ответ.",
  ],
  [
    "It may have been rented meanwhile. {}",
    "Возможно, его уже арендовали. Обновите источники, чтобы увидеть, что есть сейчас.",
  ],
  ["Type what to look for first, such as `{}`.", "Сначала напишите, что искать, например «{}»."],
  [
    "Choose another one; the window's settings list those that have a rate.",
    "Выберите другую: в настройках перечислены валюты, для которых есть курс.",
  ],
];

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const patterns = sentences.map(([english, russian]) => ({
  pattern: new RegExp(`^${english.split("{}").map(literally).join("(.+?)")}$`, "s"),
  russian,
}));

/** A sentence of the desk in the reader's language; one that is not known stays as it is. */
export function said(english: string): string {
  if (locale.current !== "ru") return english;
  for (const { pattern, russian } of patterns) {
    const parts = pattern.exec(english)?.slice(1);
    if (parts) return russian.replaceAll("{}", () => parts.shift() ?? "");
  }
  return english;
}

/** The English of every sentence, for the test that the desk still says them. */
export const known = sentences.map(([english]) => english);
