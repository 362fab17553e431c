import { DAY, post, type Scene, picture } from '../script.ts'

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
