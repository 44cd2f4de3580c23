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
  ["the SSH configuration", "настройки SSH"],
  ["the practice market", "учебный рынок"],
  ["the account", "аккаунт"],
  ["the account's name", "имя аккаунта"],
  ["the request", "запрос"],
  ["the name", "имя"],
  ["the lease", "срок аренды"],
  ["the disk", "диск"],
  ["the image", "образ"],
  ["the watch", "слежение"],
  ["account `{}`", "аккаунт «{}»"],
  ["provider `{}`", "провайдер «{}»"],
  ["rental `{}`", "машина «{}»"],
  ["machine `{}`", "машина «{}»"],
  ["policy `{}`", "политика «{}»"],
  ["policy “{}”", "политика «{}»"],
  ["the policy", "политика"],
  ["budget `{}`", "бюджет «{}»"],
  ["the budget", "бюджет"],
  ["the notices", "уведомления"],
  ["the mail server", "почтовый сервер"],
  ["the webhook", "вебхук"],
  ["the report", "отчёт"],
  ["the period", "период"],
  ["what is summed", "по чему считать"],
  ["the project", "проект"],
  ["file of keys `{}`", "файл ключей «{}»"],
  ["server `{}`", "сервер «{}»"],
  ["the server", "сервер"],
  ["the price", "цена"],
  ["the running cost", "содержание"],
  ["the resale value", "остаток цены"],
  ["the day it was bought", "день покупки"],
  // What happened.
  [
    "`{}` names no area: EEA, EU, UK, a country or its two letters, or adequacy is expected",
    "«{}» – не область: ожидается EEA, EU, UK, страна или её две буквы либо adequacy",
  ],
  ["`{}` comes with the desk and cannot be changed", "«{}» встроена, её нельзя изменить"],
  [
    "`{}` cannot be the name of a policy: small Latin letters, digits and `-`, at most 30, beginning with a letter or digit",
    "«{}» не может быть словом политики: строчные латинские буквы, цифры и «-», не больше 30, начиная с буквы или цифры",
  ],
  [
    "it asks for nothing: name a place, a seller, a certificate or an isolation",
    "она ничего не требует: назовите место, продавца, сертификат или изоляцию",
  ],
  ["its title must have 1 to 80 characters", "в названии должно быть от 1 до 80 знаков"],
  ["projects are under it: {}", "под ней проекты: {}"],
  [
    "`{}` cannot be the name of a server: letters, digits, `.`, `_` and `-`, no hyphen first, at most 64",
    "«{}» не может быть именем сервера: латинские буквы, цифры, «.», «_» и «-», не с дефиса, не больше 64",
  ],
  ["`{}` is no country of two letters", "«{}» – не страна из двух букв"],
  ["an amount is below 0", "сумма меньше нуля"],
  ["it is booked: {}", "занят: {}"],
  ["`{}` is no number of this kind", "«{}» – не такое число"],
  ["Write it as 70B, 300M, 1.5T or 7e9.", "Пишите так: 70B, 300M, 1.5T или 7e9."],
  ["`{}` is no number of parameters", "«{}» – не число параметров"],
  ["Name the unit: {}B or {}M.", "Назовите единицу: {}B (миллиарды) или {}M (миллионы)."],
  ["`{}` must be more than 0 and at most a million", "«{}»: нужно больше 0 и не больше миллиона"],
  [
    "`{}` must be more than 0 and at most a hundred million",
    "«{}»: нужно больше 0 и не больше ста миллионов",
  ],
  ["`{}` must be 0 or more, in GB", "«{}»: нужно 0 или больше, в ГБ"],
  ["what must be in memory", "что должно быть в памяти"],
  ["no model is named", "модель не названа"],
  [
    "both a model and GPU memory are named: the memory follows from the model",
    "названы и модель, и память GPU: память следует из модели",
  ],
  ["more than all parameters", "больше, чем всех параметров"],
  ["`{}` is no day and no time", "«{}» – не день и не время"],
  [
    "Write it as 2026-12-04 (the end of that day, UTC) or 2026-12-04T18:00:00Z.",
    "Пишите так: 2026-12-04 (конец этого дня, UTC) или 2026-12-04T18:00:00Z.",
  ],
  ["`{}` has passed", "«{}» уже прошло"],
  ["`{}` is no card of the table", "карты «{}» нет в таблице"],
  ["`{}` is several cards", "под именем «{}» несколько карт"],
  ["`{}` is not understood", "«{}» не понято"],
  ["`{}` is no amount", "«{}» – не сумма"],
  ["`{}` is no day", "«{}» – не день"],
  ["`{}` is not a share and an age such as `30%@18m`", "«{}» – не остаток и возраст; пример: «30%@18m»"],
  ["`{}` is no share from 0 % to 100 % of the price", "«{}» – не доля цены от 0 % до 100 %"],
  ["`{}` is no age from 1 to {} months", "«{}» – не возраст от 1 до {} месяцев"],
  [
    "`{}` is worth more than when it was younger, or not older than the point before it",
    "«{}» – дороже, чем раньше, или не старше предыдущей точки",
  ],
  [
    "the NVIDIA driver was updated under the running system: it needs a reboot",
    "драйвер NVIDIA обновлён на работающей системе: нужна перезагрузка",
  ],
  ["the NVIDIA driver is not loaded", "драйвер NVIDIA не загружен"],
  ["{} of {} cards answer", "отвечают {} из {} карт"],
  ["its driver finds no card", "драйвер не находит карт"],
  [
    "there is neither nvidia-smi nor amd-smi nor rocm-smi: install the driver",
    "нет ни nvidia-smi, ни amd-smi, ни rocm-smi: установите драйвер",
  ],
  ["what it was bought for is not known: say it with --price", "не сказано, за сколько он куплен"],
  [
    "what running it takes a month is not known: say it with --running",
    "не сказано, сколько стоит его содержание в месяц",
  ],
  [
    "its host key is not known on this computer: connect once by hand (`ssh {}`), compare the fingerprint with the server's, and accept it",
    "ключ хоста на этом компьютере неизвестен: подключитесь один раз вручную (`ssh {}`), сравните отпечаток с отпечатком сервера и примите его",
  ],
  ["the launch would bring it to {} {} of {} {}", "запуск довёл бы его до {} {} из {} {}"],
  ["a budget's amount is more than 0", "сумма бюджета больше нуля"],
  [
    "thresholds are percentages from 1 to 1000, at most 10 of them",
    "пороги – проценты от 1 до 1000, не больше десяти",
  ],
  [
    "a budget of a project or an owner names it, and the team's names none",
    "бюджет проекта или владельца называет его, бюджет команды – никого",
  ],
  [
    "a mail server without TLS is taken on this machine only",
    "почтовый сервер без TLS – только на этом компьютере",
  ],
  ["there is nobody to send mail to", "некому отправлять почту"],
  ["Telegram needs the number or name of a chat", "Telegram нужен номер или имя чата"],
  ["`{}` is no amount above 0", "«{}» – не сумма больше нуля"],
  ["`{}` is no day", "«{}» – не дата"],
  [
    "a project's name has at most 80 characters, in one line",
    "в названии проекта не больше 80 знаков в одну строку",
  ],
  ["the reason for overriding it has more than 500 characters", "в причине обхода больше 500 знаков"],
  ["HTTP {}: {}", "HTTP {}: «{}»"],
  ["not done within {}", "не удалось за {}"],
  ["no answer within {}", "нет ответа за {}"],
  ["no connection in time: {}", "соединение не установлено вовремя: «{}»"],
  ["the answer breaks off after {} bytes: {}", "ответ обрывается после {} байт: «{}»"],
  ["an HTML page, “{}”", "страница HTML, «{}»"],
  ["an HTML page", "страница HTML"],
  ["JSON without the list of `{}`", "JSON без списка «{}»"],
  ["JSON without `{}`: {}", "JSON без «{}»: «{}»"],
  ["JSON without `{}`", "JSON без «{}»"],
  ["there is none of that name", "такого нет"],
  ["there is none of that number", "такого номера нет"],
  ["it is not on the board", "его нет на рынке"],
  ["there is no such command", "такой команды нет"],
  ["no answer in time", "нет ответа вовремя"],
  ["its line asks for nothing", "в строке ничего не сказано"],
  ["no bank at hand has a rate for it", "ни у одного из банков нет для неё курса"],
  ["there is no job to total", "задание не задано, считать нечего"],
  ["there is no account to rent through", "нет аккаунта, через который арендовать"],
  [
    "only a price list names it; {} itself offers none like it now",
    "оно есть только в прайс-листе; у самого {} сейчас такого нет",
  ],
  ["{} cannot be rented from here", "{}: отсюда арендовать нельзя"],
  ["Rent `{}` there by hand: {}", "Арендуйте «{}» там вручную: {}"],
  [
    "Rent `{}` there by hand. Offers of these can be rented from here: {}.",
    "Арендуйте «{}» там вручную. Отсюда можно арендовать у: {}.",
  ],
  ["no page to rent it at is known", "страница для аренды неизвестна"],
  ["Look for `{}` at {}.", "Ищите «{}» у {}."],
  ["{} does not let it be chosen", "{} не даёт его выбирать"],
  ["{} GB cannot be had here", "{} GB здесь взять нельзя"],
  [
    "it is cut short at {}: {} offers can be read, {} are stored and stay",
    "он обрывается на «{}»: читаются {} предложений, сохранённые {} остаются",
  ],
  ["database `{}` is damaged: {}", "база данных «{}» повреждена: «{}»"],
  ["`{}` is a database of another program", "«{}» – база данных другой программы"],
  ["database `{}` cannot be written: {}", "в базу данных «{}» нельзя писать: «{}»"],
  ["disk is full: database `{}` cannot grow", "диск заполнен: базе данных «{}» некуда расти"],
  ["database `{}` is locked by another process", "базу данных «{}» держит другая программа"],
  ["database `{}`: input or output failed: {}", "база данных «{}»: ошибка чтения или записи: «{}»"],
  [
    "answer for `{}` has {} offers where {} are stored; the stored ones are kept",
    "в ответе для «{}» предложений {}, а сохранено {}; сохранённые остаются",
  ],
  [
    "answer for `{}` has the offer `{}` twice; the stored ones are kept",
    "в ответе для «{}» предложение «{}» стоит дважды; сохранённые остаются",
  ],
  ["the name `{}` is taken by another rental", "имя «{}» занято другой машиной"],
  ["machine `{}` belongs to another rental", "машина «{}» уже записана под другим именем"],
  [
    "rental `{}` was changed by another program at the same moment",
    "машину «{}» в тот же миг изменила другая программа",
  ],
  ["it is {} and cannot be asked to {}", "сейчас она «{}», и это («{}») невозможно"],
  ["there is no rental of that name or id", "машины с таким именем нет"],
  [
    "it cannot be stopped: this cloud has no stop, only an end",
    "её нельзя остановить: у этого облака есть только завершение",
  ],
  [
    "the offer ends at {}, before the lease until {}",
    "предложение действует до {}, а аренда – до {}: хозяин заберёт машину раньше",
  ],
  ["Choose a lease that ends before that, or another offer.", "Выберите срок короче или другое предложение."],
  ["it cannot be rented from here", "отсюда арендовать нельзя"],
  ["there is no account of that name", "такого аккаунта нет"],
  ["its key is missing", "его ключа нет"],
  ["{} of its machines are not over: {}", "не завершены {} его машин: {}"],
  [
    "its key comes from {}, which holds before any other",
    "его ключ берётся из «{}», и это важнее всего остального",
  ],
  ["it cannot be written: {}", "записать нельзя: «{}»"],
  ["the account has {} {} and an hour costs {}", "на счёте {} {}, а час стоит {}"],
  ["it said nothing", "ничего не сказано"],
  ["the provider says that there is none of its id", "провайдер говорит, что такой машины нет"],
  ["the provider says: {}", "слова провайдера: «{}»"],
  ["two full listings", "её нет в двух полных списках"],
  ["nothing had been made", "ничего и не было создано"],
  [
    "the desk ended before it was asked for; nothing was made",
    "программа закрылась раньше, чем отправила заказ; ничего не создано",
  ],
  ["it appeared after its launch had been given up", "она появилась, когда заказ уже был отменён"],
  [
    "the provider refused the launch and made a machine all the same",
    "провайдер отказал в запуске, но машину всё же создал",
  ],
  ["no answer from SSH: {}", "SSH не отвечает: «{}»"],
  ["SSH does not accept the key: {}", "SSH не принимает ключ: «{}»"],
  ["the host key changed: {} instead of {}", "ключ машины изменился: {} вместо {}"],
  ["the machine did not do what it was asked: {}", "машина не сделала того, о чём её просили: «{}»"],
  [
    "editors find a machine by the person's SSH configuration, which does not include the desk's",
    "редакторы находят машину по вашим настройкам SSH, а в них не подключены настройки GPU Desk",
  ],
  [
    "the program `{}` is not beside this one; install it again",
    "рядом нет программы «{}»; установите заново",
  ],
  ["it did not say where it listens", "он не сказал, где слушает"],
  ["it ended before it listened", "он завершился, не начав слушать"],
  [
    "`{}` is not a currency: three letters such as USD, EUR or RUB are expected",
    "«{}» – не код валюты: нужны три буквы, например USD, EUR или RUB",
  ],
  // What to do next.
  ["Choose another name.", "Выберите другое имя."],
  ["Look at it again, then repeat.", "Взгляните ещё раз и повторите."],
  ["Copy what you need, then end it.", "Скопируйте нужное и завершите."],
  ["Copy it again from the provider's page.", "Скопируйте его снова со страницы провайдера."],
  [
    "Copy the key again from the provider's page; it may have been revoked.",
    "Скопируйте ключ снова со страницы провайдера: возможно, его отозвали.",
  ],
  [
    "End them first, or they would go on costing unseen.",
    "Сначала завершите их, иначе они незаметно будут стоить денег.",
  ],
  ["Its words say what it did not like.", "Что ему не понравилось, сказано в его словах."],
  [
    "Its words say what it did not like: choose another image, disk or offer.",
    "Что ему не понравилось, сказано в его словах: выберите другой образ, диск или предложение.",
  ],
  [
    "Pay in at the provider, or choose a cheaper offer.",
    "Пополните счёт у провайдера или выберите предложение дешевле.",
  ],
  ["Top the account up at its provider.", "Пополните счёт у провайдера."],
  [
    "Finish the account at the provider: mail, billing address, payment.",
    "Закончите настройку аккаунта у провайдера: почта, адрес, оплата.",
  ],
  [
    "End another machine, or ask the provider for a higher limit.",
    "Завершите другую машину или попросите у провайдера больший лимит.",
  ],
  [
    "Choose another place or offer, or try again later.",
    "Выберите другое место или предложение или попробуйте позже.",
  ],
  ["Refresh the offers and choose another.", "Обновите предложения и выберите другое."],
  ["Refresh the offers of {}, or choose a live one.", "Обновите предложения {} или выберите действующее."],
  [
    "Bid more, or take the offer at its fixed price.",
    "Поднимите ставку или возьмите предложение по твёрдой цене.",
  ],
  [
    "Choose another SSH key; Ed25519 is taken everywhere.",
    "Выберите другой ключ SSH: Ed25519 принимают все.",
  ],
  [
    "Wait until the machine has come to rest, then try again.",
    "Дождитесь, пока машина успокоится, и повторите.",
  ],
  ["This cloud cannot do that; end the machine instead.", "Это облако так не умеет; завершите машину."],
  [
    "The machine may still be starting, or be gone. Look at its state and try again.",
    "Возможно, машина ещё запускается или её уже нет. Посмотрите на её состояние и повторите.",
  ],
  [
    "Keys arrive late on some clouds: try again in a minute. If it stays, the machine was made with another key.",
    "В некоторых облаках ключи приходят не сразу: повторите через минуту. Если не поможет, машину создали с другим ключом.",
  ],
  [
    "Add the line to it in Settings, then open the editor again.",
    "Добавьте строку в настройках и откройте редактор снова.",
  ],
  ["Fetch it anew, or copy the whole file.", "Получите его заново или скопируйте файл целиком."],
  ["Check the path.", "Проверьте путь."],
  ["It must be at least {} GB.", "Нужно не меньше {} GB."],
  ["It must be at least {} GB and at most {} GB.", "Нужно не меньше {} GB и не больше {} GB."],
  ["It may be asked again from {} on.", "Спросить снова можно с {}."],
  ["{} It may be asked again from {} on.", "{} Спросить снова можно с {}."],
  ["{}; it may be asked again from {} on", "{} Спросить снова можно с {}."],
  ["Known sources: {}.", "Есть такие источники: {}."],
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
  ["Put them under another policy, or under none, first.", "Сначала дайте им другую политику или никакую."],
  ["Known policies: {}.", "Есть политики: {}."],
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
    if (parts) return russian.replaceAll("{}", () => said(parts.shift() ?? ""));
  }
  return english;
}

/**
 * What happened, in the reader's language. What is none of the desk's own sentences is somebody else's words: it stays
 * as it is, and marked as a quote where the rest is in another language.
 */
export function words(text: string): string {
  const told = said(text);
  return told !== text || text === "" || locale.current !== "ru" ? told : `«${text}»`;
}

/** The English of every sentence, for the test that the desk still says them. */
export const known = sentences.map(([english]) => english);
