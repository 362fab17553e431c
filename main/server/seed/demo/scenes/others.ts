import { DAY, picture, say, type Scene } from '../script.ts'

const announcements = 'team:announcements'
const random = 'team:random'
const leads = 'messaging:leads'

export const otherScenes: readonly Scene[] = [
  {
    cid: announcements,
    ago: 21 * DAY,
    lines: [
      say(
        'priya',
        'Welcome to the **Cairn Maps demo workspace**. Everybody and everything here is invented: look around, write, break things. You can delete the whole demo from the workspace menu and make your own.',
        { pinned: true, reactions: { '👋': ['ola', 'jonas', 'nadia', 'hana', 'tomasz', 'marcus'] } },
      ),
    ],
  },
  {
    cid: announcements,
    ago: 14 * DAY,
    lines: [
      say('ewa', 'The office in Kraków is closed on 11 November. / Biuro w Krakowie jest 11 listopada nieczynne.'),
      say('priya', 'Offsite dates are fixed: first week of March. Bring boots.', {
        reactions: { '🥾': ['tomasz', 'hana', 'luis', 'sofia'] },
      }),
    ],
  },
  {
    cid: announcements,
    ago: 7 * DAY,
    lines: [
      say('priya', 'How was the offsite? Anonymous, promise.', { poll: 'demo-poll-offsite' }),
      say('nadia', 'Сервер тайлов переехал, всё прошло без остановки. Спасибо, Тимур!', {
        reactions: { '🎉': ['ola', 'priya', 'jonas', 'timur', 'sofia'] },
      }),
    ],
  },
  {
    cid: announcements,
    ago: 26 * 60,
    lines: [
      say('ola', '4.2 code freeze is tonight at 18:00. After that only fixes with two pairs of eyes.', {
        reactions: { '🧊': ['jonas', 'marcus', 'timur'] },
      }),
    ],
  },

  {
    cid: random,
    ago: 17 * DAY,
    lines: [
      say('marcus', 'My sourdough has a name now. It is Gerald.', { reactions: { '🍞': ['hana', 'luis', 'ewa'] } }),
      say('hana', 'Hello :gerald:'),
      say('luis', 'Does Gerald take support tickets?'),
      say('marcus', 'Gerald only rises to the occasion.', {
        reactions: { gerald: ['ewa', 'marcus'], '😂': ['hana', 'luis', 'jonas', 'ola'], '🤦': ['priya'] },
      }),
    ],
  },
  {
    cid: random,
    ago: 10 * DAY,
    lines: [
      say('sofia', 'Found in an old atlas: a lake that never existed, copied for ninety years.', {
        files: [picture('plan-trail.png', 'the-lake-that-was-not.png')],
      }),
      say('nadia', 'Это не ошибка, это традиция.', { reactions: { '😂': ['sofia', 'timur', 'ola'] } }),
      say('timur', 'Проверил: у нас этого озера нет.'),
    ],
  },
  {
    cid: random,
    ago: 3 * DAY,
    lines: [
      say('jonas', '🎉🎉🎉'),
      say('priya', 'What are we celebrating?'),
      say('jonas', 'The dishwasher in the Stockholm office works again.'),
      say('luis', '👏'),
    ],
  },
  {
    cid: random,
    ago: 75,
    lines: [
      say('luis', 'A customer wrote: “your map got us home”. That’s it, that’s the message.', {
        reactions: { '❤️': ['ola', 'priya', 'hana', 'tomasz', 'ewa', 'sofia', 'nadia', 'marcus'] },
      }),
      say('hana', 'Printing this :cairn:', { reactions: { gerald: ['marcus', 'luis'] } }),
    ],
  },

  {
    cid: leads,
    ago: 15 * DAY,
    lines: [
      say(
        'priya',
        'Three bets for next quarter: routes that adapt to weather, sharing a plan with the people at home, and a calmer first start.',
      ),
      say('hana', 'The second one is the one my mother would pay for.', { reactions: { '💛': ['priya', 'ola'] } }),
      say('nadia', 'Для погоды нужен новый источник, цена пока неизвестна.'),
      say('ola', 'Zapisuję jako ryzyko.'),
    ],
  },
  {
    cid: leads,
    ago: 20 * 60,
    lines: [
      say('priya', 'Numbers for the board, draft. Please read before tomorrow.'),
      say('nadia', 'Прочитала, два вопроса на полях.'),
      say('hana', 'Page four: can we say “trust” once instead of six times?'),
    ],
  },

  {
    cid: 'dm-priya',
    ago: 9 * DAY,
    lines: [
      say('priya', 'Do you have ten minutes after lunch? Release notes.'),
      say('ola', 'Yes, 13:30?'),
      say('priya', 'Perfect.'),
      say('ola', 'Sent you the first version, it is too long and I know it.'),
      say('priya', 'Cut the third paragraph and it sings.', { reactions: { '🎶': ['ola'] } }),
    ],
  },
  {
    cid: 'dm-priya',
    ago: 55,
    lines: [
      say('ola', 'Store listing is in. Polish one fits now.'),
      say('priya', 'Saw it, thank you! One more favour: can you ask Jonas about the banner before three?'),
    ],
  },
  {
    cid: 'dm-tomasz',
    ago: 6 * DAY,
    lines: [
      say('tomasz', 'Jedziesz w sobotę? 🥾'),
      say('ola', 'Jadę. Kto prowadzi?'),
      say('tomasz', 'Luis do Zakopanego, potem nogi.'),
      say('ola', 'Wezmę termos.'),
    ],
  },
  {
    cid: 'dm-tomasz',
    ago: 400,
    lines: [
      say('tomasz', 'Zdjęcia w pełnej rozdzielczości dałem na dysk.'),
      say('ola', 'Super, biorę to pierwsze na okładkę.', { reactions: { '📸': ['tomasz'] } }),
    ],
  },
  {
    cid: 'dm-nadia',
    ago: 5 * DAY,
    lines: [
      say('nadia', 'Привет! Можно ли перенести выгрузку на полчаса позже в день релиза?'),
      say('ola', 'Tak, oczywiście. Ile potrzebujesz?'),
      say('nadia', 'Полчаса хватит. Dziękuję :)'),
      say('ola', 'Пожалуйста!'),
    ],
  },
  {
    cid: 'dm-jonas',
    ago: 4 * DAY,
    lines: [
      say('jonas', 'I need a shorter word for “zamknięty”.'),
      say('ola', 'There is none, that’s Polish for you.'),
      say('jonas', 'Then I need a smaller font.'),
      say('ola', 'Hana will hear you.'),
      say('jonas', 'I said nothing.', { reactions: { '🤐': ['ola'] } }),
    ],
  },
  {
    cid: 'dm-ewa',
    ago: 3 * DAY,
    lines: [
      say('ewa', 'Faktura za drukarnię czeka na podpis.'),
      say('ola', 'Podpisana, leży u Ciebie na biurku.'),
      say('ewa', 'Dziękuję!'),
    ],
  },
  {
    cid: 'dm-timur',
    ago: 8 * DAY,
    lines: [
      say('timur', 'Если что-то пойдёт не так во время релиза — пишите мне сюда, не в канал, телефон услышит.'),
      say('ola', 'Dziękuję, zapamiętam. Mam nadzieję, że nie będzie trzeba.'),
      say('timur', 'Я тоже 🙂'),
    ],
  },
]
