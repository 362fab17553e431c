import { DAY, say, type Scene } from '../script.ts'

const krakow = 'team:biuro-krakow'
const almaty = 'team:komanda-almaty'

export const officeScenes: readonly Scene[] = [
  {
    cid: krakow,
    ago: 19 * DAY,
    lines: [
      say('ewa', 'Dzień dobry! Klucze do rowerowni są teraz w szafce przy recepcji, kod jak do Wi-Fi dla gości.', {
        pinned: true,
        reactions: { '🔑': ['ola', 'tomasz'] },
      }),
      say('tomasz', 'A kod do Wi-Fi dla gości?'),
      say('ewa', 'Na kartce przy ekspresie. Nie będę go tu wpisywać.', { reactions: { '👏': ['ola'] } }),
    ],
  },
  {
    cid: krakow,
    ago: 12 * DAY,
    lines: [
      say('ewa', 'W czwartek między 10 a 12 nie będzie wody. Zaparzę dzbanek wcześniej.'),
      say('ola', 'Dziękuję. Przeniosę spotkanie z dostawcą na piętro niżej.'),
      say('ewa', 'Kurier z drukarni zostawił 3 paczki map ściennych. Stoją w sali Giewont.'),
      say('tomasz', 'Biorę jedną do samochodu.'),
    ],
  },
  {
    cid: krakow,
    ago: 5 * DAY,
    lines: [
      say('ewa', 'Głosujemy do 15:00!', { poll: 'demo-poll-lunch' }),
      say('hana', 'I voted for ramen, alone and proud.', { reactions: { '🍜': ['ewa'] } }),
      say('ola', 'Pierogi wygrały, jak zawsze.'),
    ],
  },
  {
    cid: krakow,
    ago: 260,
    lines: [
      say('ewa', 'Jutro przychodzi pan od ogrzewania, proszę zabrać rzeczy spod okien w sali Rysy.'),
      say('tomasz', 'Zabrałem plecaki. Został jeden niebieski, czyj?'),
      say('ola', 'Mój! Już schodzę.', { reactions: { '🎒': ['tomasz', 'ewa'] } }),
    ],
  },
  {
    cid: almaty,
    ago: 18 * DAY,
    lines: [
      say('nadia', 'Коллеги, ночная выгрузка теперь в 03:20, чтобы успеть до утренней проверки в Кракове.', {
        pinned: true,
      }),
      say('timur', 'Принято. Бюджет выгрузки — 40 минут, сейчас уходит 26.'),
      say('sofia', 'Thank you for writing the numbers too, my Russian reads digits best.', {
        reactions: { '😄': ['nadia', 'timur'] },
      }),
    ],
  },
  {
    cid: almaty,
    ago: 8 * DAY,
    lines: [
      say('timur', 'Вчера упал один из трёх узлов тайлов. Клиенты не заметили, очередь рассосалась за 4 минуты.'),
      say('nadia', 'Отлично. Запишешь в журнал?'),
      say('timur', 'Уже. Причина — диск, заменят завтра.'),
      say('tomasz', 'Я в горах ничего не почувствовал, подтверждаю.', { reactions: { '👍': ['timur', 'nadia'] } }),
    ],
  },
  {
    cid: almaty,
    ago: 140,
    lines: [
      say('nadia', 'Новые границы парка загружены. Посмотрите, пожалуйста, восточный край.'),
      say('timur', 'Смотрю. На 14-м уровне есть дыра в один тайл.', { as: 'hole' }),
      say('nadia', 'Нашла: пустая строка в источнике. Перезапускаю только этот квадрат.', { quotes: 'hole' }),
      say('timur', 'Теперь чисто ✅'),
      say('nadia', 'Ола, можно включать в RC2.', { mentions: ['ola'] }),
    ],
  },
]
