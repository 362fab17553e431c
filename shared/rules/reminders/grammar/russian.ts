import type { DayName, Length, PhraseParts, Time } from './calendar.ts'
import {
  alt,
  anyOrdinal,
  anyUnit,
  around,
  as,
  cardinal,
  clock,
  filler,
  dated,
  dotted,
  hourNumber,
  length,
  lengths,
  maybe,
  minuteNumber,
  not,
  one,
  opt,
  timeOnly,
  seq,
  severalOf,
  together,
  unitOf,
  vocabulary,
  whole,
  written,
  year,
  type Grammar,
  type Rule,
  day,
  lexicon,
  months,
  numbers,
  ordinal,
  ordinals,
  part,
  unit,
  value,
  weekdays,
  type Part,
  type Unit,
} from './grammar.ts'

const LEXICON = lexicon([
  ...numbers([
    'один одну одна одного',
    'два две двух двум',
    'три трех трем',
    'четыре четырех четырем',
    'пять пяти',
    'шесть шести',
    'семь семи',
    'восемь восьми',
    'девять девяти',
    'десять десяти',
    'одиннадцать одиннадцати',
    'двенадцать двенадцати',
    'тринадцать тринадцати',
    'четырнадцать четырнадцати',
    'пятнадцать пятнадцати',
    'шестнадцать шестнадцати',
    'семнадцать семнадцати',
    'восемнадцать восемнадцати',
    'девятнадцать девятнадцати',
    'двадцать двадцати',
  ]),
  value('тридцать', 30),
  value('сорок', 40),
  value('пятьдесят', 50),
  value('полтора полторы', 1.5),
  value('пару', 2),
  ...ordinals([
    'первого первое первому',
    'второго второе второму',
    'третьего третье третьему',
    'четвертого четвертое четвертому',
    'пятого пятое пятому',
    'шестого шестое шестому',
    'седьмого седьмое седьмому',
    'восьмого восьмое восьмому',
    'девятого девятое девятому',
    'десятого десятое десятому',
    'одиннадцатого одиннадцатое',
    'двенадцатого двенадцатое',
    'тринадцатого тринадцатое',
    'четырнадцатого четырнадцатое',
    'пятнадцатого пятнадцатое',
    'шестнадцатого шестнадцатое',
    'семнадцатого семнадцатое',
    'восемнадцатого восемнадцатое',
    'девятнадцатого девятнадцатое',
    'двадцатого двадцатое',
  ]),
  ordinal('тридцатого тридцатое', 30),
  unit('м мин минута минуту минуты минут минутку минуточку минуток', 'minute'),
  unit('ч час часа часов часик часок часика', 'hour'),
  unit('д дн день дня дней денек сутки суток', 'day'),
  unit('нед неделя неделю недели недель недельку', 'week'),
  unit('мес месяц месяца месяцев', 'month'),
  unit('г год года лет', 'year'),
  day('сегодня', 0),
  day('завтра', 1),
  day('послезавтра', 2),
  ...weekdays([
    'понедельник понедельника понедельнику пн',
    'вторник вторника вторнику вт',
    'среда среду среды среде ср',
    'четверг четверга четвергу чт',
    'пятница пятницу пятницы пятнице пт',
    'суббота субботу субботы субботе сб',
    'воскресенье воскресенья воскресенью вс',
  ]),
  ...months([
    'январь января янв',
    'февраль февраля фев',
    'март марта мар',
    'апрель апреля апр',
    'май мая',
    'июнь июня июн',
    'июль июля июл',
    'август августа авг',
    'сентябрь сентября сен сент',
    'октябрь октября окт',
    'ноябрь ноября ноя нояб',
    'декабрь декабря дек',
  ]),
  part('утром утра утро', 'morning'),
  part('полдень полудня обед', 'noon'),
  part('днем', 'afternoon'),
  part('вечером вечера вечер вечерком', 'evening'),
  part('ночью ночи ночь', 'night'),
  part('полночь полуночи', 'midnight'),
])

const { literal, literals } = vocabulary()

const about = maybe(literal('примерно', 'около', 'где то', 'приблизительно'))

// Lengths
const count: Rule<number> = seq([cardinal], ({ value: amount }) => amount)
const whichHalf: Rule<Length> = alt(
  as(literal('полчаса', 'пол часа', 'полчасика'), length('minute', 30)),
  as(literal('полдня', 'пол дня'), length('day', 0.5)),
  as(literal('полгода', 'пол года'), length('month', 6)),
  as(literal('четверть часа'), length('minute', 15)),
)
const amount: Rule<Length> = alt(
  seq([count, anyUnit], (many, of) => length(of, many)),
  seq([count, literal('с половиной'), anyUnit], (many, of) => length(of, many + 0.5)),
  seq([unitOf('hour'), literal('с половиной')], () => length('hour', 1.5)),
  whichHalf,
)
const howLong = lengths(amount, literal('и'))
/** `через неделю`, `час и десять минут`: a unit alone counts as one. */
const single: Rule<Length> = lengths(
  alt(
    amount,
    seq([anyUnit], (of) => length(of, 1)),
  ),
  literal('и'),
)
/** A unit before its number is inflected by it: `часа через два`. */
const turned: Rule<Unit> = alt<Unit>(
  as(literal('минуты', 'минут', 'минуток'), 'minute'),
  as(literal('часа', 'часов', 'часика'), 'hour'),
  as(literal('дня', 'дней'), 'day'),
  as(literal('недели', 'недель'), 'week'),
  as(literal('месяца', 'месяцев'), 'month'),
)
const fromNow = (span: Length): PhraseParts => ({ length: span, from: 'now' })

// Hours
/** `четверть шестого`, `двадцать минут четвёртого`, `полшестого`: the current hour, named by the next one. */
const HALVES: readonly string[] = [
  'первого',
  'второго',
  'третьего',
  'четвертого',
  'пятого',
  'шестого',
  'седьмого',
  'восьмого',
  'девятого',
  'десятого',
  'одиннадцатого',
  'двенадцатого',
]
const hourBegun: Rule<number> = seq([one('ordinal')], ({ value: hour }) => (hour <= 12 ? hour : undefined))
const minutesBeside: Rule<number> = alt(
  as(literal('четверть', 'четверти'), 15),
  seq([whole(1, 59), maybe(unitOf('minute'))], (minutes) => minutes),
)
const relative: Rule<Time> = alt(
  seq([literal('без'), minutesBeside, alt(whole(1, 23), as(unitOf('hour'), 1))], (minutes, hour) =>
    around(hour, -minutes),
  ),
  seq([literal('половина', 'половине', 'пол'), hourBegun], (hour) => around(hour, -30)),
  ...HALVES.map((word, index) => seq([literal(`пол${word}`)], () => around(index + 1, -30))),
  seq([literal('четверть'), hourBegun], (hour) => around(hour, -45)),
  seq([whole(1, 59), unitOf('minute'), hourBegun], (minutes, hour) => around(hour, minutes - 60)),
)
const zeroes: Rule<number> = alt(
  as(literal('ноль ноль'), 0),
  seq([literal('ноль'), whole(1, 9)], (minutes) => minutes),
)
const minutesAfter: Rule<number> = alt(minuteNumber, zeroes)
const hourAndMinutes: Rule<Time> = seq([cardinal, minutesAfter], (hour, minutes) =>
  clock(hour.value, minutes, hour.written === 'padded'),
)
const numbered: Rule<Time> = alt(dotted, hourNumber, hourAndMinutes)
const hourWord = unitOf('hour')
const hourNamed: Rule<Time> = alt(
  seq([whole(0, 23), hourWord], (hour) => clock(hour)),
  seq([whole(0, 23), hourWord, whole(0, 59), unitOf('minute')], (hour, minutes) => clock(hour, minutes)),
)
// `в час дня`: the number one is implied
const atOne: Rule<Time> = seq([literal('в час', 'к часу', 'около часа', 'до часа', 'после часа')], () => clock(1))
const oneOfDay: Rule<Time> = alt(
  atOne,
  seq([literal('час')], () => clock(1)),
)
const ofDay = alt<Part>(
  as(literal('дня'), 'afternoon'),
  seq([one('part')], ({ part: name }) => name),
)
const sharp = maybe(literal('ровно'))
const at = literal('в', 'во', 'к', 'ко', 'на', 'до', 'около', 'примерно в', 'где то в', 'после', 'с', 'ближе к')
const time: Rule<PhraseParts> = alt(
  seq([sharp, maybe(at), sharp, alt(written, relative), sharp], (moment) => timeOnly(moment)),
  seq([sharp, at, sharp, alt(numbered, hourNamed), sharp], (moment) => timeOnly(moment)),
  seq([numbered, not(one('ordinal'))], (moment) => timeOnly({ ...moment, bare: true })),
  seq([sharp, atOne, sharp], (moment) => timeOnly(moment)),
  seq([oneOfDay, ofDay], (moment, name) => ({ time: moment, part: name })),
  // `9 часов утра`: only the part of the day distinguishes an hour from a length
  seq([at, alt(numbered, hourNamed), ofDay], (moment, name) => ({ time: moment, part: name })),
  seq([hourNamed, ofDay], (moment, name) => ({ time: moment, part: name })),
  as(literal('в это же время', 'в то же время', 'в это время'), { time: 'same' }),
)

// Parts of a day
const partOfDay: Rule<PhraseParts> = alt(
  seq([maybe(literal('в', 'к', 'на', 'до', 'около')), one('part')], ({ part: name }) => ({ part: name })),
  as(literal('с утра', 'поутру', 'с утречка', 'утречком'), { part: 'morning' }),
  as(literal('под утро'), { part: 'dawn' }),
  as(literal('после обеда', 'послеобеда'), { part: 'afternoon' }),
  as(literal('ближе к вечеру', 'под вечер'), { part: 'dusk' }),
  as(literal('к вечеру'), { part: 'evening' }),
  as(literal('к утру'), { part: 'morning' }),
  as(literal('конец дня', 'в конце дня', 'к концу дня', 'до конца дня', 'под конец дня', 'после работы'), {
    part: 'close',
  }),
  as(literal('рано', 'рано утром', 'с утра пораньше', 'утром пораньше', 'пораньше'), { opening: 7, part: 'morning' }),
)

// Days
const on = maybe(literal('в', 'во', 'на', 'к', 'ко', 'до', 'с'))
const next = literal(
  'следующий',
  'следующая',
  'следующую',
  'следующее',
  'следующем',
  'следующей',
  'следующие',
  'следующих',
  'следующего',
  'след',
  'будущий',
  'будущую',
  'будущее',
  'будущей',
  'будущем',
  'будущего',
)
const coming = literal('этот', 'эту', 'это', 'эти', 'ближайший', 'ближайшую', 'ближайшее', 'ближайшие')
const ofUnit = {
  week: literal('недели', 'неделе', 'неделю'),
  month: literal('месяца', 'месяце', 'месяц'),
  year: literal('года', 'году', 'год'),
}
const periods: Rule<{ of: 'week' | 'month' | 'year'; ahead: number }> = alt(
  ...(['week', 'month', 'year'] as const).flatMap((of) => [
    seq([maybe(literal('этой', 'этого')), ofUnit[of]], () => ({ of, ahead: 0 })),
    seq([next, ofUnit[of]], () => ({ of, ahead: 1 })),
  ]),
)
const endOf = literal('конец', 'в конце', 'к концу', 'до конца', 'под конец', 'на конец')
const startOf = literal('начало', 'в начале', 'к началу', 'с начала', 'на начало')
const weekend = literal('выходные', 'выходных', 'выходным')
const shifted = (days: number): PhraseParts => ({ day: { kind: 'shift', days } })
const namedDay: Rule<PhraseParts> = alt(
  seq([maybe(literal('на', 'до', 'к', 'с')), one('day')], ({ days }) => shifted(days)),
  seq([literal('попозже', 'позже'), one('day')], ({ days }) => (days === 0 ? shifted(0) : undefined)),
  seq([one('day'), literal('попозже', 'позже')], ({ days }) => (days === 0 ? shifted(0) : undefined)),
  seq([on, maybe(alt(next, coming)), one('weekday')], ({ weekday }) => ({ weekday })),
  seq([on, maybe(coming), weekend], () => ({ day: { kind: 'weekend', ahead: 0 } as const })),
  seq([on, next, weekend], () => ({ day: { kind: 'weekend', ahead: 1 } as const })),
  seq([on, literal('этой неделе')], () => ({ day: { kind: 'week', ahead: 0 } as const })),
  seq([on, next, ofUnit.week], () => ({ day: { kind: 'week', ahead: 1 } as const })),
  seq([on, next, ofUnit.month], () => ({ day: { kind: 'start', of: 'month', ahead: 1 } as const })),
  seq([endOf, periods], (period) => ({ day: { kind: 'end', ...period } as DayName })),
  seq([startOf, periods], (period) =>
    period.ahead === 0 ? undefined : { day: { kind: 'start', ...period } as DayName },
  ),
  seq([endOf, one('month')], ({ month }) => ({ day: { kind: 'endOfMonth', month } as DayName })),
  seq([startOf, one('month')], ({ month }) => dated(1, month, undefined)),
)
const ofYear = opt(as(literal('г', 'года'), true))
const onDate = maybe(literal('на', 'к', 'до', 'с'))
const dayNumber: Rule<number> = alt(whole(1, 31), anyOrdinal)
const date: Rule<PhraseParts> = alt(
  seq([onDate, one('date'), ofYear], ({ day: of, month, year: named }, word) =>
    word && named === undefined ? undefined : dated(of, month, named),
  ),
  seq([onDate, dayNumber, one('month')], (of, { month }) => dated(of, month, undefined)),
  seq([onDate, dayNumber, one('month'), year, ofYear], (of, { month }, named) => dated(of, month, named)),
  seq(
    [
      onDate,
      alt(
        anyOrdinal,
        seq([dayNumber, literal('числа', 'число', 'числу')], (of) => of),
      ),
    ],
    (of) => ({
      day: { kind: 'monthDay', day: of } as DayName,
    }),
  ),
  seq([onDate, dayNumber, maybe(literal('числа')), maybe(literal('в')), next, ofUnit.month], (of) => ({
    day: { kind: 'monthDay', day: of, isNextMonth: true } as DayName,
  })),
  // `пн 23`: either a day of the month or an hour
  seq([one('weekday'), whole(1, 31)], ({ weekday }, of) => ({
    weekday,
    day: { kind: 'monthDay', day: of } as DayName,
  })),
)

const calendar = [time, partOfDay, namedDay, date]
const anchor = seq([not(literal('до', 'после', 'с', 'к')), severalOf(calendar)], (from) => from)
const span: Rule<PhraseParts> = alt(
  seq([about, literal('через', 'спустя', 'в течение'), about, single], (each) => fromNow(each)),
  seq([howLong, maybe(literal('от сейчас', 'отсюда'))], (each) => fromNow(each)),
  seq([single, literal('спустя')], (each) => fromNow(each)),
  // `минут через двадцать`, `через минут двадцать`
  seq([about, turned, literal('через'), count], (of, many) => fromNow(length(of, many))),
  seq([literal('через'), about, turned, count], (of, many) => fromNow(length(of, many))),
  seq([maybe(literal('через')), single, literal('после'), anchor], (each, from) =>
    together({ length: each, from: 'after' }, from),
  ),
  seq([literal('через'), single, literal('с', 'от', 'считая с'), anchor], (each, from) =>
    together({ length: each, from: 'after' }, from),
  ),
  seq([literal('за'), single, literal('до'), anchor], (each, from) => together({ length: each, from: 'before' }, from)),
)

export const RUSSIAN: Grammar = {
  lexicon: LEXICON,
  literals,
  phrase: severalOf([
    span,
    ...calendar,
    filler(literal('напомни мне', 'напомни', 'напомнить', 'напомните', 'мне', 'пожалуйста', 'потом')),
  ]),
}
