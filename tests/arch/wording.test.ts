import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#shared/domain/settings.ts'
import { ERROR_TEXTS, NOTICE_TEXTS, VALIDATION_TEXTS } from './behaviour.ts'
import { root } from './modules.ts'

type Rule = {
  readonly languages: readonly string[]
  readonly pattern: RegExp
  readonly why: string
  /** `area key` of texts where the word is the right one. */
  readonly except?: RegExp
  /** A text that the rule refuses, to show that it does. */
  readonly refused: string
}

const EN = ['en']
const PL = ['pl']
const RU = ['ru']

/** Wordings that the interface does not use. */
const RULES: readonly Rule[] = [
  {
    languages: LANGUAGES,
    pattern: /\{\{\s*count\s*\}\}/,
    why: 'a count is formatted: {{count, number}}',
    refused: '{{count}} new messages',
  },
  {
    languages: LANGUAGES,
    pattern: /["'`]/,
    why: 'quotes and apostrophes are curly',
    refused: "You're offline.",
    except: /^sidebar newChannelDialog\.idWrong$/,
  },
  { languages: LANGUAGES, pattern: /\.{3}/, why: 'an ellipsis is one character: …', refused: 'Loading...' },
  { languages: LANGUAGES, pattern: /^\s|\s$| {2}/, why: 'no space at an end, none twice', refused: 'Loading ' },
  {
    languages: EN,
    pattern: /\b(whoever|anew|herewith|of its own accord|by itself alone)\b/i,
    why: 'plain words',
    refused: 'Whoever manages this device decides.',
  },
  { languages: EN, pattern: /\b(kept|keeps)\b/i, why: 'saved, stored or stays', refused: 'Your text is kept here.' },
  {
    languages: EN,
    pattern: /\b(told|tells? (of|me|you))\b/i,
    why: 'notified, or shown',
    refused: 'Every message here is told.',
  },
  {
    languages: EN,
    pattern: /\b(stands?|goes)\b/i,
    why: 'is, appears, is sent, is removed',
    refused: 'Undo stands beside it.',
  },
  { languages: EN, pattern: /\bis no (?!longer)/i, why: 'isn’t a …', refused: 'This is no token yet.' },
  {
    languages: EN,
    pattern: /\b(be|been|could be) had\b/i,
    why: 'couldn’t load …',
    refused: 'The list could not be had.',
  },
  {
    languages: LANGUAGES,
    pattern: /\bon the (left|right)\b|\bpo (lewej|prawej)\b|слева|справа/i,
    why: 'names the place, which is nowhere for a screen reader',
    refused: 'Choose one on the left.',
    except: /^composer picture\./,
  },
  {
    languages: EN,
    pattern: /\bwords\b/i,
    why: 'text',
    refused: 'A message needs words.',
    except: /^search noneText$|^unread mentions\.noneFoundText$|^profile |^data accountFile\.strength/,
  },
  {
    languages: EN,
    pattern: /\bsigns\b/i,
    why: 'characters or symbols',
    refused: 'These signs alone are not enough.',
    except: /^session hosted\.tokenHint$|^desktop certificates\.hint$/,
  },
  {
    languages: EN,
    pattern: /\bmark beside\b|pictures? of the screen|screen pictures?/i,
    why: 'tray icon, screenshot',
    refused: 'Leave Parlor out of screen pictures',
  },
  {
    languages: EN,
    pattern: /\b(somebody|everybody|nobody)\b/i,
    why: 'someone, everyone, no one',
    refused: 'Notify everybody',
  },
  { languages: EN, pattern: /\be-mail/i, why: 'email', refused: 'E-mail address' },
  { languages: EN, pattern: /\bone(’s own|self)\b/i, why: 'they, their', refused: 'End one’s own membership.' },
  {
    languages: EN,
    pattern: /\bauthor(s|’s)?\b/i,
    why: 'sender',
    refused: 'Ban author…',
    except: /^settings about\.noticesHint$/,
  },
  {
    languages: EN,
    pattern: /\brights?\b(?!-click| away| now| after| here| side| panel| Arrow)/i,
    why: 'permission',
    refused: 'You need the right “Ban members”',
  },
  {
    languages: EN,
    pattern: /\bcomputers?\b/i,
    why: 'device',
    refused: 'Earlier versions aren’t on this computer.',
    except: /^lock settings\.afterHint$/,
  },
  {
    languages: EN,
    pattern: /^Make\b|\bmake (a|the|your|my) (channel|section|workspace|poll)\b/i,
    why: 'Create',
    refused: 'Make a channel',
    except: /^details members\.makeModerator$/,
  },
  {
    languages: EN,
    pattern: /^(Keep|Stay)$/,
    why: 'the way out of a question is Cancel',
    refused: 'Keep',
    except: /^polls edit\.stays$/,
  },
  { languages: EN, pattern: /\blift(ed|s)?\b/i, why: 'unban', refused: 'Lift the ban' },
  { languages: EN, pattern: /\btake out\b|\btaken? out of\b/i, why: 'remove, unarchive', refused: 'Take out' },
  {
    languages: EN,
    pattern: /\b\w*(colour|favour|behaviour|organis|recognis|minimis|maximis|licence|centre|metre|cancelled)\w*/i,
    why: 'American spelling',
    refused: 'Choose a colour',
  },
  {
    languages: PL,
    pattern: /(?<![\p{L}\p{N}])[aiouwz] (?=\S)/iu,
    why: 'a word of one letter is followed by a no-break space',
    refused: 'Napisz w kanale',
  },
  {
    languages: PL,
    pattern: /[\d}] (s|min|godz|ms|m|km)(?!\p{L})/u,
    why: 'a unit follows a no-break space',
    refused: 'Za 5 min',
  },
  { languages: PL, pattern: /[“«»‘]|„(?![^„]*”)|(?<!„[^”]*)”/u, why: 'Polish quotes: „…”', refused: 'Kanał “nazwa”' },
  {
    languages: PL,
    pattern: /(?<!\p{L})(słowo|słowa|słów|słowami)(?! kluczow)(?!\p{L})/iu,
    why: 'tekst, treść',
    refused: 'Niewysłane słowa są zachowane',
    except: /^settings snippets\.(nameHint|faults\.name)$|^data accountFile\.strength/,
  },
  { languages: PL, pattern: /pulpit/iu, why: 'aplikacja na komputer, środowisko graficzne', refused: 'Pulpit' },
  {
    languages: PL,
    pattern: /(?<!\p{L})znak\p{L}* obok|z\skażdego miejsca|obraz\p{L}* ekranu|kart\p{L}* graficzn/iu,
    why: 'ikona obok zegara, globalny skrót, zrzut ekranu, akceleracja sprzętowa',
    refused: 'Klawisze z\u00a0każdego miejsca',
  },
  {
    languages: PL,
    pattern: /(?<!\p{L})(stoi|stoją|mieszka|mieszkają|mieszkać)(?!\p{L})/iu,
    why: 'jest, są',
    refused: 'Tu stoi twój tekst.',
  },
  {
    languages: PL,
    pattern: /(?<!\p{L})(wyjdzie|wyjdą|wyszła|wyszły|pójdzie|pójdą)(?!\p{L})/iu,
    why: 'zostanie wysłana',
    refused: 'Wiadomość wyjdzie jutro.',
  },
  {
    languages: PL,
    pattern: /(?<!\p{L})do nadrobienia|jak wszędzie(?!\p{L})/iu,
    why: 'Nieprzeczytane, Domyślnie',
    refused: 'Do nadrobienia',
  },
  {
    languages: PL,
    pattern: /(?<!\p{L})(trzeba|warto)(?!\p{L})/iu,
    why: 'what to do is said in the imperative',
    refused: 'Trzeba zmienić nazwę.',
  },
  {
    languages: PL,
    pattern: /(?<!\p{L})ponów(?!\p{L})/iu,
    why: 'Spróbuj ponownie',
    refused: 'Ponów',
    except: /^desktop menu\.redo$/,
  },
  {
    languages: PL,
    pattern: /^(Zostaw|Zostań|Zostaw otwartą|Zachowaj)$/u,
    why: 'the way out of a question is Anuluj',
    refused: 'Zostaw',
    except: /^polls edit\.stays$/,
  },
  {
    languages: PL,
    pattern: /(zablok|blokad)\p{L}*\s(\p{L}+\s)?na (tym )?kanale|(zdejmij|zdjęcie) blokad/iu,
    why: 'a person is banned (zbanować, ban) from a channel and blocked (zablokować) by another person',
    refused: 'Zablokuj na kanale',
  },
  {
    languages: PL,
    pattern: /(?<!\p{L})po cichu|bez śladu(?!\p{L})/iu,
    why: 'bez powiadomienia, bez potwierdzeń',
    refused: 'Wyślij po cichu',
  },
  {
    languages: PL,
    pattern: /(?<!\p{L})położeni|potwierdze\p{L}* przeczytania/iu,
    why: 'lokalizacja, potwierdzenie odczytu',
    refused: 'Udostępnianie położenia',
  },
  { languages: PL, pattern: /(?<!\p{L})(autor\p{L}*)/iu, why: 'nadawca', refused: 'Autor wiadomości' },
  {
    languages: PL,
    pattern: /\p{L}(łeś|łaś|łbyś|łabyś|łam)(?!\p{L})/iu,
    why: 'what people did is said without their gender',
    refused: 'Usunęłaś wiadomość',
  },
  {
    languages: PL,
    pattern: /rodzaj\p{L}* (plik|link|kanał)|(plik|link)\p{L}* tego rodzaju/iu,
    why: 'typ pliku, typ kanału',
    refused: 'Administrator nie pozwala wysyłać plików tego rodzaju.',
  },
  {
    languages: PL,
    pattern: /spowolnion/iu,
    why: 'tryb powolny',
    refused: 'Tryb spowolniony jest włączony.',
  },
  {
    languages: PL,
    pattern: /Parlor (nie )?wróci/u,
    why: 'gdy Parlor znów będzie działać',
    refused: 'To otworzy się, gdy Parlor wróci.',
  },
  {
    languages: PL,
    pattern: /(?<!\p{L})(w|do|pokaż|zamknij)\s„Do wysłania”/iu,
    why: 'the outbox is a list: na liście „Do wysłania”',
    refused: 'Wiadomości czekają w\u00a0„Do wysłania”.',
  },
  {
    languages: PL,
    pattern: /wiadomości( teraz)?( tego (rodzaju|typu))?( nigdy)? (nie |mogą )?powiadamia/iu,
    why: 'a notification comes about a message: dostajesz powiadomienia o wiadomościach',
    refused: 'Wiadomości teraz nie powiadamiają: trwają godziny ciszy.',
  },
  {
    languages: PL,
    pattern:
      /((?:^|\. )(przeczytane|zatwierdzone|usunięte|przywrócone|rozstrzygnięte)( wcześniej)?|przypięto|zakończono|wyczyszczono): \{\}/iu,
    why: 'who did it follows przez: the pinned one is not the person',
    refused: 'Przypięto: {{name}}',
  },
  {
    languages: [...PL, ...RU],
    pattern: /(?<![\p{L}])(od \{\} do|с\s\{\} до) \{\}/iu,
    why: 'two times that may be weekdays: a dash, because a preposition would decline them',
    except: /^polls form\.votesHint$/,
    refused: 'od {{first}} do {{last}}',
  },
  { languages: RU, pattern: /[“”„]/, why: 'quotes are «…»', refused: 'Канал “имя”' },
  {
    languages: RU,
    pattern: /от имени \{\}/i,
    why: 'a name is not declined: it follows a colon',
    refused: 'Открыть окно от имени {{name}}',
  },
  {
    languages: RU,
    pattern: /(?<![а-яё])[авикосуя] | —|[\d}] (мин|мс|км|[чсм](?!\u00a0)|%)(?![а-яё])/i,
    why: 'no-break space',
    refused: 'Напишите в канале',
  },
  {
    languages: RU,
    pattern: /(?<![а-яё])знак(и|а|ов|ам|ами|ах)?(?![а-яё])/i,
    why: 'символы',
    refused: 'Одни эти знаки',
  },
  {
    languages: RU,
    pattern: /(?<![а-яё])слов(а|о|ам|ами|ах)?(?![а-яё])/i,
    why: 'текст',
    refused: 'Нужны слова',
    except:
      /^notifications .*[kK]eyword|^notifications (page\.levelHints|level\.effects)|^settings snippets|^search noneText$|^data accountFile\.strength/,
  },
  {
    languages: RU,
    pattern: /отовсюду|рабочий стол|рабочие столы|рядом с\s?часами/i,
    why: 'глобальное, приложение, среда рабочего стола, значок в трее',
    refused: 'Этот рабочий стол не показывает значки в\u00a0трее.',
  },
  {
    languages: RU,
    pattern:
      /(вы|в)ключить звук|отключ\S+ звук|включени\S звука|звук (канала|автора)|без звука:|(канал|автор|человека|людей) без звука|заглуш/i,
    why: 'отключить уведомления',
    refused: 'Выключить звук',
  },
  {
    languages: RU,
    pattern: /чёрн\S+ спис|снять блокировку|блокировка снята/i,
    why: 'заблокировать, разблокировать',
    refused: 'В\u00a0чёрном списке',
  },
  { languages: RU, pattern: /след(ить|ите|ят)(?![а-яё])/i, why: 'отслеживать', refused: 'Не следить' },
  {
    languages: RU,
    pattern: /показ\S* геопозиции|прекратить|(?<![а-яё])показ (ещё|начнётся)/i,
    why: 'трансляция',
    refused: 'Прекратить показ',
  },
  {
    languages: RU,
    pattern: /(?<![а-яё])т(от|ого|ому|ем|ех), кто (его )?вед/i,
    why: 'администратор сервера',
    refused: 'Спросите того, кто ведёт сервер.',
  },
  { languages: RU, pattern: /(?<![а-яё])уйд[её]т/i, why: 'будет отправлено', refused: 'Сообщение уйдёт завтра.' },
  {
    languages: RU,
    pattern: /(?<![а-яё])вид(а|ом|у)? (файл|канал|ссыл|блокировки)|файлы \S+ вида/i,
    why: 'тип',
    refused: 'Файлы такого вида',
  },
  {
    languages: RU,
    pattern: /нынешн|новейш|как везде/i,
    why: 'текущий, последний, по умолчанию',
    refused: 'Нынешний PIN-код',
  },
  {
    languages: RU,
    pattern: /не получилось|отменить это нельзя/i,
    why: 'не удалось, это нельзя отменить',
    refused: 'Не получилось',
  },
  {
    languages: RU,
    pattern: /(?<=^|[.!?:] )\{\} [а-яё]+(л|ла|лся|лась)(?![а-яё])/,
    why: 'nobody’s gender is guessed',
    refused: '{{name}} закрепил сообщение',
  },
  {
    languages: RU,
    pattern: /(?<![а-яё])предел/i,
    why: 'максимум, лимит, не больше',
    refused: 'Достигнут предел голосов.',
  },
  { languages: RU, pattern: /сценари/i, why: 'скрипт', refused: 'Адрес сценария' },
  {
    languages: RU,
    pattern: /(?<![а-яё])(уз(ел|ла|лу|лом|ле|лы|лов))(?![а-яё])/i,
    why: 'хост',
    refused: 'Имена узлов через запятую',
  },
  {
    languages: RU,
    pattern: /(?<![а-яё])(леж|сто)(ит|ат|ят)(?![а-яё])/i,
    why: 'есть, хранится, показано',
    refused: 'Здесь лежит всё, что Parlor хранит.',
  },
  {
    languages: RU,
    pattern: /вызыва(ет|ют) уведомлени/i,
    why: 'вы получаете уведомления о сообщениях',
    refused: 'Сообщения не вызывают уведомлений: идут тихие часы.',
  },
  {
    languages: RU,
    pattern: /срок входа|продлить вход/i,
    why: 'сеанс истёк, продлить сеанс',
    refused: 'Срок входа истёк.',
  },
  { languages: RU, pattern: /(?<![а-яё])ветк/i, why: 'обсуждение', refused: 'Ответить в\u00a0ветке' },
  { languages: RU, pattern: /нет соединения/i, why: 'нет связи', refused: 'Нет соединения' },
  { languages: RU, pattern: /неполадк/i, why: 'ошибка', refused: 'На сервере неполадка.' },
  {
    languages: RU,
    pattern: /Parlor (вернётся|вернулся)/,
    why: 'Parlor снова запустится',
    refused: 'Это откроется, когда Parlor вернётся.',
  },
  {
    languages: RU,
    pattern: /(закреплено|завершено|очищена|уже (одобрено|удалено|решено|возвращено)|(?<!^)одобрено): \{\}/i,
    why: 'кто закрепил: …: the pinned one is not the person',
    refused: 'Закреплено: {{name}}',
  },
  {
    languages: RU,
    pattern: /^(Оставить|Остаться)$/,
    why: 'the way out of a question is Отмена',
    refused: 'Оставить',
    except: /^polls edit\.stays$/,
  },
  {
    languages: EN,
    pattern: /\bretry\b/i,
    why: 'Try again',
    refused: 'Retry or remove the files',
  },
  {
    languages: EN,
    pattern: /\b(server|proxy)\b[^.]*\banswer(s|ed)?\b|\btook too long to answer\b|\bserver’s answer\b/i,
    why: 'a server responds',
    refused: 'The server took too long to answer.',
  },
  {
    languages: EN,
    pattern: /^(?:keep (?:writing|editing)|don’t (?:send|delete))$/i,
    why: 'one word leaves every question: Cancel',
    refused: 'Keep writing',
  },
  { languages: EN, pattern: /\bany more\b(?! \w)/i, why: 'anymore', refused: 'You can’t send any more.' },
  {
    languages: EN,
    pattern: /\bas of\b|\bof now\b|\bof the moment\b|\bbegin anew\b|\bby themselves\b/i,
    why: 'last updated, current, automatically',
    refused: 'What you see is as of 10:00.',
  },
  {
    languages: EN,
    pattern:
      /(?:^|[.;:!?] )(?:is|are|was|were|had|has|have|can|could|must|should|would|needs|comes|waits)\b(?![^.!?]*\?)/i,
    why: 'a sentence has a subject',
    // A condition of a segment continues the name of its field.
    except: /^search (chip|pill)\.has$|^outbox help$|^later (groups\.)?needs$|^segments (operators|times|fields)\./,
    refused: 'Saved. Is sent when you’re back online.',
  },
  {
    languages: PL,
    pattern: /^(?:czyta|musi|powinien|powinna|przychodzi|wychodzi)(?!\p{L})(?![^.]*\?)/iu,
    why: 'a sentence has a subject',
    refused: 'Czyta to, co serwer pokazuje.',
  },
  {
    languages: RU,
    pattern: /^(?:читает|должен|должна|имеет|приходит|уходит)(?![а-яё])(?![^.]*\?)/i,
    why: 'a sentence has a subject',
    refused: 'Читает то, что показывает сервер.',
  },
]

/** The contract fixes these letter by letter. */
const BY_LETTER = new Set([...VALIDATION_TEXTS, ...NOTICE_TEXTS, ...ERROR_TEXTS].map(({ text }) => text))

type Tree = { readonly [key: string]: string | Tree }

const flatten = (tree: Tree, prefix = ''): readonly (readonly [key: string, text: string])[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as const] : flatten(value, `${prefix}${key}.`),
  )

const texts = LANGUAGES.flatMap((language) =>
  readdirSync(join(root, 'resources/locales', language)).flatMap((file) =>
    flatten(JSON.parse(readFileSync(join(root, 'resources/locales', language, file), 'utf8')) as Tree).map(
      ([key, text]) => ({ language, area: file.replace('.json', ''), key, text }),
    ),
  ),
)

/** A name between braces belongs to the code and is not a word. */
const readable = (text: string): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (all, name) => (name === 'count' ? all : '{}'))

type Text = { readonly language: string; readonly area: string; readonly key: string; readonly text: string }

const faultsOf = (rule: Rule, among: readonly Text[] = texts): readonly string[] =>
  among
    .filter(({ language, area, key, text }) => {
      const isExcused = BY_LETTER.has(text) || rule.except?.test(`${area} ${key}`) === true
      return rule.languages.includes(language) && !isExcused && rule.pattern.test(readable(text))
    })
    .map(({ language, area, key, text }) => `${language}/${area}.json ${key}: “${text}”: ${rule.why}`)

describe.each(RULES.map((rule) => [rule.why, rule] as const))('%s', (why, rule) => {
  test('holds for every text', () => expect(faultsOf(rule)).toEqual([]))

  test(`refuses “${rule.refused}” with its file, its key and the rule`, () => {
    const language = rule.languages.at(-1) ?? ''
    const planted = { language, area: 'planted', key: 'some.key', text: rule.refused }
    expect(faultsOf(rule, [planted])).toEqual([`${language}/planted.json some.key: “${rule.refused}”: ${why}`])
  })
})

// The form "one" of Russian is also that of 21, 31 and 101.
test('no Russian plural form for one omits the number', () => {
  const ofForm = (form: string): ReadonlyMap<string, string> =>
    new Map(
      texts
        .filter(({ language, key }) => language === 'ru' && key.endsWith(form))
        .map(({ area, key, text }) => [`${area} ${key.slice(0, -form.length)}`, text]),
    )
  const placesOf = (text = ''): readonly string[] => [...text.matchAll(/\{\{\w+/g)].map(([place]) => place).toSorted()
  const several = ofForm('_few')
  const one = ofForm('_one')
  expect(one.size).toBeGreaterThan(100)
  expect([...one].filter(([key, text]) => placesOf(text).join() !== placesOf(several.get(key)).join())).toEqual([])
})

test('the rules cover the texts of three languages', () => {
  expect(new Set(texts.map(({ language }) => language)).size).toBe(3)
  expect(texts.length).toBeGreaterThan(9_000)
})
