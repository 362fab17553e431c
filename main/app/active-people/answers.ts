import type { AppLanguage } from '#shared/domain/settings.ts'

/** What an answer responds to. */
type Subject = 'greeting' | 'thanks' | 'question' | 'other'

const GREETING = /^\W*(hi|hello|hey|good morning|cześć|czesc|hej|dzień dobry|witaj|привет|здравствуй|добрый день)/iu
const THANKS = /(^|[^\p{L}])(thanks|thank you|thx|dzięki|dziękuję|dzieki|спасибо)(?!\p{L})/iu

/** Words that only Polish has, for texts typed without Polish letters. */
const POLISH_WORDS =
  /(^|[^\p{L}])(czesc|hej|tak|nie|jest|jestem|czy|dlaczego|jak|dzieki|dobrze|prosze|gdzie|kiedy)($|[^\p{L}])/iu

/**
 * The language of a text by a plain rule: Cyrillic letters are Russian, Polish letters or words are Polish, other Latin
 * letters are English. A text without letters has the language of the interface.
 */
export function languageOfText(text: string, otherwise: AppLanguage): AppLanguage {
  if (/\p{Script=Cyrillic}/u.test(text)) return 'ru'
  if (/[ąćęłńśźż]/iu.test(text) || POLISH_WORDS.test(text)) return 'pl'
  return /\p{Script=Latin}/u.test(text) ? 'en' : otherwise
}

/** All answers that fit a text, in its language. */
export function answersFor(text: string, otherwise: AppLanguage): readonly string[] {
  return ANSWERS[languageOfText(text, otherwise)][subjectOf(text)]
}

function subjectOf(text: string): Subject {
  if (text.includes('?')) return 'question'
  if (THANKS.test(text)) return 'thanks'
  return GREETING.test(text) ? 'greeting' : 'other'
}

/** Reactions to what the user writes. */
export const REACTIONS = ['👍', '❤️', '👀', '🎉', '🥾', '🙌'] as const

const ANSWERS: Readonly<Record<AppLanguage, Readonly<Record<Subject, readonly string[]>>>> = {
  en: {
    greeting: [
      'Hello! Good to have you here. How do you like it so far?',
      'Hi! Pull up a chair, the kettle is on.',
      'Hey! You picked a good week: the release is almost out.',
    ],
    thanks: ['Any time!', 'You’re welcome.', 'Glad that helped.', 'My pleasure. Gerald sends his regards.'],
    question: [
      'Good question. I’d ask Hana, she knows every screen by heart.',
      'I think so, but I’m invented, so take it with a pinch of salt.',
      'Let me check with the team and come back to you.',
      'Short answer: yes. Long answer: after the release.',
      'Hard to say from up here. What would you choose?',
    ],
    other: [
      'Got it, thanks for telling me.',
      'That makes sense. Could you add it to the release thread too?',
      'Noted! I’ll look at it after the walk.',
      'I like it. Let’s try it that way.',
      'Sounds like a plan.',
      'Ha, I was about to write the same.',
    ],
  },
  pl: {
    greeting: [
      'Cześć! Miło Cię tu widzieć. Jak pierwsze wrażenia?',
      'Hej! Rozgość się, herbata już się parzy.',
      'Dzień dobry! Dobry moment: wydanie tuż-tuż.',
    ],
    thanks: ['Nie ma za co!', 'Proszę bardzo.', 'Cieszę się, że pomogło.', 'Polecam się na przyszłość.'],
    question: [
      'Dobre pytanie. Najlepiej wie Hana, ona zna każdy ekran na pamięć.',
      'Chyba tak, ale jestem tylko postacią z demo, więc to nic pewnego.',
      'Dopytam w zespole i dam znać.',
      'Krótko: tak. Dłużej: po wydaniu.',
      'Trudno powiedzieć. A jakie jest Twoje zdanie?',
    ],
    other: [
      'Jasne, dzięki za wiadomość.',
      'To ma sens. Dopiszesz to też w wątku o wydaniu?',
      'Zapisuję. Zajrzę do tego po spacerze.',
      'Podoba mi się. Spróbujmy w ten sposób.',
      'Brzmi dobrze.',
      'Ha, mam dokładnie tę samą myśl.',
    ],
  },
  ru: {
    greeting: [
      'Привет! Рады вас видеть. Как первые впечатления?',
      'Здравствуйте! Располагайтесь, чайник уже закипает.',
      'Привет! Вы вовремя: релиз вот-вот выйдет.',
    ],
    thanks: ['Не за что!', 'Пожалуйста!', 'Хорошо, что помогло.', 'Всегда рады помочь.'],
    question: [
      'Хороший вопрос. Лучше спросить Хану, она знает каждый экран.',
      'Думаю, да. Но я выдуманный персонаж, так что лучше проверить.',
      'Уточню у команды и напишу.',
      'Коротко: да. Подробнее — после релиза.',
      'Сложно сказать. А вы бы что выбрали?',
    ],
    other: [
      'Понятно, спасибо, что написали.',
      'Звучит разумно. Добавите это и в обсуждение релиза?',
      'Записано! Посмотрим после прогулки.',
      'Мне нравится. Давайте так и сделаем.',
      'Отличный план.',
      'О, как раз об этом и думали.',
    ],
  },
}
