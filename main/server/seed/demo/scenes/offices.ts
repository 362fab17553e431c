import { DAY, post, type Scene } from '../script.ts'

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
