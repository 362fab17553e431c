import { DAY, picture, post, type Scene } from '../script.ts'

const announcements = 'team:announcements'
const random = 'team:random'
const leads = 'messaging:leads'

export const otherScenes: readonly Scene[] = [
  {
    cid: announcements,
    ago: 21 * DAY,
    lines: [
      post(
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
      post('ewa', 'The office in Kraków is closed on 11 November. / Biuro w Krakowie jest 11 listopada nieczynne.'),
      post('priya', 'Offsite dates are fixed: first week of March. Bring boots.', {
        reactions: { '🥾': ['tomasz', 'hana', 'luis', 'sofia'] },
      }),
    ],
  },
  {
    cid: announcements,
    ago: 7 * DAY,
    lines: [
      post('priya', 'How was the offsite? Anonymous, promise.', { poll: 'demo-poll-offsite' }),
      post('nadia', 'Сервер тайлов переехал, всё прошло без остановки. Спасибо, Тимур!', {
        reactions: { '🎉': ['ola', 'priya', 'jonas', 'timur', 'sofia'] },
      }),
    ],
  },
  {
    cid: announcements,
    ago: 26 * 60,
    lines: [
      post('ola', '4.2 code freeze is tonight at 18:00. After that only fixes with two pairs of eyes.', {
        reactions: { '🧊': ['jonas', 'marcus', 'timur'] },
      }),
    ],
  },

  {
    cid: random,
    ago: 17 * DAY,
    lines: [
      post('marcus', 'My sourdough has a name now. It is Gerald.', { reactions: { '🍞': ['hana', 'luis', 'ewa'] } }),
      post('hana', 'Hello :gerald:'),
      post('luis', 'Does Gerald take support tickets?'),
      post('marcus', 'Gerald only rises to the occasion.', {
        reactions: { gerald: ['ewa', 'marcus'], '😂': ['hana', 'luis', 'jonas', 'ola'], '🤦': ['priya'] },
      }),
    ],
  },
  {
    cid: random,
    ago: 10 * DAY,
    lines: [
      post('sofia', 'Found in an old atlas: a lake that never existed, copied for ninety years.', {
        files: [picture('plan-trail.png', 'the-lake-that-was-not.png')],
        later: 'saved',
      }),
      post('nadia', 'Это не ошибка, это традиция.', { reactions: { '😂': ['sofia', 'timur', 'ola'] } }),
      post('timur', 'Проверил: у нас этого озера нет.'),
    ],
  },
  {
    cid: random,
    ago: 3 * DAY,
    lines: [
      post('jonas', '🎉🎉🎉'),
      post('priya', 'What are we celebrating?'),
      post('jonas', 'The dishwasher in the Stockholm office works again.'),
      post('luis', '👏'),
    ],
  },
  {
    cid: random,
    ago: 75,
    lines: [
      post('luis', 'A customer wrote: “your map got us home”. That’s it, that’s the message.', {
        reactions: { '❤️': ['ola', 'priya', 'hana', 'tomasz', 'ewa', 'sofia', 'nadia', 'marcus'] },
      }),
      post('hana', 'Printing this :cairn:', { reactions: { gerald: ['marcus', 'luis'] } }),
    ],
  },

  {
    cid: leads,
    ago: 15 * DAY,
    lines: [
      post(
        'priya',
        'Three bets for next quarter: routes that adapt to weather, sharing a plan with the people at home, and a calmer first start.',
      ),
      post('hana', 'The second one is the one my mother would pay for.', { reactions: { '💛': ['priya', 'ola'] } }),
      post('nadia', 'Для погоды нужен новый источник, цена пока неизвестна.'),
      post('ola', 'Zapisuję jako ryzyko.'),
    ],
  },
  {
    cid: leads,
    ago: 20 * 60,
    lines: [
      post('priya', 'Numbers for the board, draft. Please read before tomorrow.'),
      post('nadia', 'Прочитала, два вопроса на полях.'),
      post('hana', 'Page four: can we say “trust” once instead of six times?'),
    ],
  },

  {
    cid: 'dm-priya',
    ago: 9 * DAY,
    lines: [
      post('priya', 'Do you have ten minutes after lunch? Release notes.'),
      post('ola', 'Yes, 13:30?'),
      post('priya', 'Perfect.'),
      post('ola', 'Sent you the first version, it is too long and I know it.'),
      post('priya', 'Cut the third paragraph and it sings.', { reactions: { '🎶': ['ola'] } }),
    ],
  },
  {
    cid: 'dm-priya',
    ago: 55,
    lines: [
      post('ola', 'Store listing is in. Polish one fits now.'),
      post('priya', 'Saw it, thank you! One more favour: can you ask Jonas about the banner before three?'),
    ],
  },
  {
    cid: 'dm-tomasz',
    ago: 6 * DAY,
    lines: [
      post('tomasz', 'Jedziesz w sobotę? 🥾'),
      post('ola', 'Jadę. Kto prowadzi?'),
      post('tomasz', 'Luis do Zakopanego, potem nogi.'),
      post('ola', 'Wezmę termos.'),
    ],
  },
  {
    cid: 'dm-tomasz',
    ago: 400,
    lines: [
      post('tomasz', 'Zdjęcia w pełnej rozdzielczości dałem na dysk.'),
      post('ola', 'Super, biorę to pierwsze na okładkę.', { reactions: { '📸': ['tomasz'] } }),
    ],
  },
  {
    cid: 'dm-nadia',
    ago: 5 * DAY,
    lines: [
      post('nadia', 'Привет! Можно ли перенести выгрузку на полчаса позже в день релиза?'),
      post('ola', 'Tak, oczywiście. Ile potrzebujesz?'),
      post('nadia', 'Полчаса хватит. Dziękuję :)'),
      post('ola', 'Пожалуйста!'),
    ],
  },
  {
    cid: 'dm-jonas',
    ago: 4 * DAY,
    lines: [
      post('jonas', 'I need a shorter word for “zamknięty”.'),
      post('ola', 'There is none, that’s Polish for you.'),
      post('jonas', 'Then I need a smaller font.'),
      post('ola', 'Hana will hear you.'),
      post('jonas', 'I said nothing.', { reactions: { '🤐': ['ola'] } }),
    ],
  },
  {
    cid: 'dm-ewa',
    ago: 3 * DAY,
    lines: [
      post('ewa', 'Faktura za drukarnię czeka na podpis.'),
      post('ola', 'Podpisana, leży u Ciebie na biurku.'),
      post('ewa', 'Dziękuję!'),
    ],
  },
  {
    cid: 'dm-timur',
    ago: 8 * DAY,
    lines: [
      post('timur', 'Если что-то пойдёт не так во время релиза — пишите мне сюда, не в канал, телефон услышит.'),
      post('ola', 'Dziękuję, zapamiętam. Mam nadzieję, że nie będzie trzeba.'),
      post('timur', 'Я тоже 🙂'),
    ],
  },
]

const krakow = 'team:biuro-krakow'
const almaty = 'team:komanda-almaty'

export const officeScenes: readonly Scene[] = [
  {
    cid: krakow,
    ago: 19 * DAY,
    lines: [
      post('ewa', 'Dzień dobry! Klucze do rowerowni są teraz w szafce przy recepcji, kod jak do Wi-Fi dla gości.', {
        pinned: true,
        reactions: { '🔑': ['ola', 'tomasz'] },
      }),
      post('tomasz', 'A kod do Wi-Fi dla gości?'),
      post('ewa', 'Na kartce przy ekspresie. Nie będę go tu wpisywać.', { reactions: { '👏': ['ola'] } }),
    ],
  },
  {
    cid: krakow,
    ago: 12 * DAY,
    lines: [
      post('ewa', 'W czwartek między 10 a 12 nie będzie wody. Zaparzę dzbanek wcześniej.'),
      post('ola', 'Dziękuję. Przeniosę spotkanie z dostawcą na piętro niżej.'),
      post('ewa', 'Kurier z drukarni zostawił 3 paczki map ściennych. Stoją w sali Giewont.'),
      post('tomasz', 'Biorę jedną do samochodu.'),
    ],
  },
  {
    cid: krakow,
    ago: 5 * DAY,
    lines: [
      post('ewa', 'Głosujemy do 15:00!', { poll: 'demo-poll-lunch' }),
      post('hana', 'I voted for ramen, alone and proud.', { reactions: { '🍜': ['ewa'] } }),
      post('ola', 'Pierogi wygrały, jak zawsze.'),
    ],
  },
  {
    cid: krakow,
    ago: 260,
    lines: [
      post('ewa', 'Jutro przychodzi pan od ogrzewania, proszę zabrać rzeczy spod okien w sali Rysy.'),
      post('tomasz', 'Zabrałem plecaki. Został jeden niebieski, czyj?'),
      post('ola', 'Mój! Już schodzę.', { reactions: { '🎒': ['tomasz', 'ewa'] } }),
    ],
  },
  {
    cid: almaty,
    ago: 18 * DAY,
    lines: [
      post('nadia', 'Коллеги, ночная выгрузка теперь в 03:20, чтобы успеть до утренней проверки в Кракове.', {
        pinned: true,
      }),
      post('timur', 'Принято. Бюджет выгрузки — 40 минут, сейчас уходит 26.'),
      post('sofia', 'Thank you for writing the numbers too, my Russian reads digits best.', {
        reactions: { '😄': ['nadia', 'timur'] },
      }),
    ],
  },
  {
    cid: almaty,
    ago: 8 * DAY,
    lines: [
      post('timur', 'Вчера упал один из трёх узлов тайлов. Клиенты не заметили, очередь рассосалась за 4 минуты.'),
      post('nadia', 'Отлично. Запишешь в журнал?'),
      post('timur', 'Уже. Причина — диск, заменят завтра.'),
      post('tomasz', 'Я в горах ничего не почувствовал, подтверждаю.', { reactions: { '👍': ['timur', 'nadia'] } }),
    ],
  },
  {
    cid: almaty,
    ago: 140,
    lines: [
      post('nadia', 'Новые границы парка загружены. Посмотрите, пожалуйста, восточный край.'),
      post('timur', 'Смотрю. На 14-м уровне есть дыра в один тайл.', { as: 'hole' }),
      post('nadia', 'Нашла: пустая строка в источнике. Перезапускаю только этот квадрат.', { quotes: 'hole' }),
      post('timur', 'Теперь чисто ✅'),
      post('nadia', 'Ола, можно включать в RC2.', { mentions: ['ola'] }),
    ],
  },
]

const cid = 'team:field-trips'

export const fieldScenes: readonly Scene[] = [
  {
    cid,
    ago: 16 * DAY,
    lines: [
      post('tomasz', 'Plan na listopad: dwa wyjazdy w Tatry, jeden w Pieniny. Kto jedzie, niech tu napisze.', {
        pinned: true,
      }),
      post('hana', 'Me for the first one, if somebody lends me crampons.'),
      post('ewa', 'Mam raki w biurze, rozmiar 38–41.', { reactions: { '🙌': ['hana'] } }),
      post('luis', 'I can drive, five seats.'),
      post('tomasz', 'Pamiętajcie: latarka, folia NRC, naładowany telefon. I papierowa mapa. Tak, papierowa.', {
        reactions: { '🗺️': ['sofia', 'ola'], '😂': ['marcus', 'jonas'] },
      }),
    ],
  },
  {
    cid,
    ago: 9 * DAY,
    lines: [
      post('tomasz', 'Wróciliśmy. 22 km, 1 300 m w górę, jedna kanapka na czworo.', {
        files: [picture('landscape-ridge.png', 'czerwone-wierchy.png'), picture('landscape-snow.png', 'snieg.png')],
        reactions: { '🥪': ['hana', 'luis'], '🏔️': ['ola', 'nadia', 'ewa', 'priya'] },
      }),
      post('hana', 'The banner was right about the closed bridge. We would have walked an hour for nothing.'),
      post('priya', 'That sentence goes into the release notes, if I may?'),
      post('hana', 'You may. Without the sandwich.'),
      post('nadia', 'Спасибо за трек! Две тропы сдвинуты на 15 метров, уже поправила.', {
        reactions: { '🙏': ['tomasz'] },
      }),
    ],
  },
  {
    cid,
    ago: 2 * DAY,
    lines: [
      post('tomasz', 'Sobota! Gdzie testujemy?', { poll: 'demo-poll-valley' }),
      post('ola', 'Kościeliska, bo tam jest ten nowy znak, którego nie mamy na mapie.'),
      post('luis', 'Wherever there is soup at the end.', { reactions: { '🍲': ['tomasz', 'ewa', 'hana', 'ola'] } }),
      post('sofia', 'I’d like the valley with the most contour lines, please.'),
    ],
  },
  {
    cid,
    ago: 95,
    lines: [
      post('tomasz', 'Prognoza na sobotę: −2, słońce do 13, potem chmury. Wyjazd 6:30 spod biura.', {
        reactions: { '☀️': ['ola', 'hana'] },
      }),
      post('hana', '6:30 as in the morning?'),
      post('tomasz', 'As in the morning.', { reactions: { '😴': ['hana', 'luis'] } }),
    ],
  },
]
