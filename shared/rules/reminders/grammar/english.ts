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
  vocabulary,
  whole,
  written,
  year,
  unitOf,
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
} from './grammar.ts'

const LEXICON = lexicon([
  ...numbers([
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
    'thirteen',
    'fourteen',
    'fifteen',
    'sixteen',
    'seventeen',
    'eighteen',
    'nineteen',
    'twenty',
  ]),
  value('thirty', 30),
  value('forty', 40),
  value('fifty', 50),
  value('sixty', 60),
  value('ninety', 90),
  ...ordinals([
    'first',
    'second',
    'third',
    'fourth',
    'fifth',
    'sixth',
    'seventh',
    'eighth',
    'ninth',
    'tenth',
    'eleventh',
    'twelfth',
    'thirteenth',
    'fourteenth',
    'fifteenth',
    'sixteenth',
    'seventeenth',
    'eighteenth',
    'nineteenth',
    'twentieth',
  ]),
  ordinal('thirtieth', 30),
  unit('m min mins minute minutes', 'minute'),
  unit('h hr hrs hour hours', 'hour'),
  unit('d day days', 'day'),
  unit('w wk wks week weeks', 'week'),
  unit('mo month months', 'month'),
  unit('y yr year years', 'year'),
  day('today', 0),
  day('tomorrow tmrw tmr tomorow', 1),
  day('overmorrow', 2),
  ...weekdays([
    'monday mon',
    'tuesday tue tues',
    'wednesday wed',
    'thursday thu thur thurs',
    'friday fri',
    'saturday sat',
    'sunday sun',
  ]),
  ...months([
    'january jan',
    'february feb',
    'march mar',
    'april apr',
    'may',
    'june jun',
    'july jul',
    'august aug',
    'september sep sept',
    'october oct',
    'november nov',
    'december dec',
  ]),
  part('morning', 'morning'),
  part('noon midday lunch lunchtime', 'noon'),
  part('afternoon', 'afternoon'),
  part('evening', 'evening'),
  part('night', 'night'),
  part('midnight', 'midnight'),
])

const { literal, literals } = vocabulary()

const about = maybe(literal('about', 'around', 'roughly', 'approximately'))
const the = maybe(literal('the'))

// Lengths
const count: Rule<number> = alt(
  seq([cardinal], ({ value: amount }) => amount),
  as(literal('a', 'an'), 1),
  as(literal('a couple of', 'a couple', 'couple of'), 2),
)
const quarters: Rule<number> = alt(
  as(literal('and a quarter', 'and quarter'), 15),
  as(literal('and three quarters'), 45),
)
const amount: Rule<Length> = alt(
  seq([count, anyUnit], (many, of) => length(of, many)),
  seq([count, literal('and a half', 'and half'), anyUnit], (many, of) => length(of, many + 0.5)),
  seq([count, anyUnit, literal('and a half', 'and half')], (many, of) => length(of, many + 0.5)),
  seq([count, unitOf('hour'), quarters], (many, minutes) => ({ hour: many, minute: minutes })),
  seq([literal('half a', 'half an', 'half', 'a half'), anyUnit], (of) => length(of, 0.5)),
  as(literal('a quarter of an hour', 'quarter of an hour', 'a quarter hour', 'quarter hour'), length('minute', 15)),
  as(literal('three quarters of an hour'), length('minute', 45)),
  seq([count, literal('fortnight', 'fortnights')], (many) => length('week', many * 2)),
)
const howLong = lengths(amount, literal('and'))
const weeks = seq([howLong], (span) => (span.week !== undefined && Object.keys(span).length === 1 ? span : undefined))
const fromNow = (span: Length): PhraseParts => ({ length: span, from: 'now' })

// Hours
const minutesBeside: Rule<number> = alt(
  as(literal('half'), 30),
  as(literal('a quarter', 'quarter'), 15),
  seq([whole(1, 59), maybe(unitOf('minute'))], (minutes) => minutes),
)
const hourBeside: Rule<number> = alt(whole(0, 23), as(literal('noon', 'midday'), 12), as(literal('midnight'), 0))
const relative: Rule<Time> = alt(
  seq([minutesBeside, literal('past', 'after'), hourBeside], (minutes, hour) => around(hour, minutes)),
  seq([minutesBeside, literal('to', 'till', 'before', 'of'), hourBeside], (minutes, hour) =>
    minutes === 30 ? undefined : around(hour, -minutes),
  ),
)
const minutesAfter: Rule<number> = alt(
  minuteNumber,
  seq([literal('oh', 'o'), whole(1, 9)], (minutes) => minutes),
)
const hourAndMinutes: Rule<Time> = seq([cardinal, minutesAfter], (hour, minutes) =>
  clock(hour.value, minutes, hour.written === 'padded'),
)
const half: Rule<'am' | 'pm'> = alt(as(literal('am'), 'am'), as(literal('pm'), 'pm'))
const ofHalf = ({ hour, minute }: Time, am: 'am' | 'pm'): Time | undefined =>
  hour < 1 || hour > 12 ? undefined : { hour: (hour % 12) + (am === 'pm' ? 12 : 0), minute }
const sharp = literal('sharp', 'on the dot', 'exactly')
const numbered = alt<Time>(dotted, hourNumber, hourAndMinutes)
const clear: Rule<Time> = alt(
  written,
  relative,
  seq([alt<Time>(written, relative, numbered), half], (moment, am) => ofHalf(moment, am)),
  seq([hourNumber, literal('oclock')], (time) => time),
  seq([one('number'), minutesAfter], (hour, minutes) =>
    hour.written === 'word' && hour.value <= 12 ? clock(hour.value, minutes) : undefined,
  ),
)
const at = literal(
  'at',
  '@',
  'by',
  'before',
  'after',
  'around',
  'about',
  'at around',
  'at about',
  'by about',
  'for',
  'from',
)
const time: Rule<PhraseParts> = alt(
  seq([maybe(at), clear, maybe(sharp)], (moment) => timeOnly(moment)),
  seq([at, numbered, maybe(sharp)], (moment) => timeOnly(moment)),
  // `tomorrow 9`, `9 tomorrow`
  seq([numbered, not(one('ordinal'))], (moment) => timeOnly({ ...moment, bare: true })),
  as(literal('same time', 'the same time', 'at the same time', 'this time', 'at this time'), { time: 'same' }),
)

// Parts of a day
const ofDay = one('part')
const by = maybe(literal('at', 'by', 'on', 'before'))
const partOfDay: Rule<PhraseParts> = alt<PhraseParts>(
  seq([maybe(literal('in the', 'at the', 'at', 'by', 'before', 'around', 'for')), ofDay], ({ part: name }) => ({
    part: name,
  })),
  seq([literal('this', 'later this', 'by this'), ofDay], ({ part: name }) => ({
    day: { kind: 'shift', days: 0 },
    part: name === 'night' ? 'tonight' : name,
  })),
  as(literal('tonight', 'by tonight', 'for tonight', 'later tonight'), {
    day: { kind: 'shift', days: 0 },
    part: 'tonight',
  }),
  as(literal('tonight at midnight', 'midnight tonight'), { day: { kind: 'shift', days: 0 }, part: 'midnight' }),
  as(literal('after lunch'), { part: 'lunch' }),
  as(literal('after work'), { part: 'close' }),
  seq([by, the, literal('end of day', 'end of the day', 'eod', 'cob', 'close of business')], () => ({
    part: 'close' as const,
  })),
  as(literal('early', 'early in the', 'early on'), { opening: 7 }),
  as(literal('first thing', 'first thing in the', 'first thing on'), { opening: 9 }),
)

// Days
const on = maybe(literal('on', 'by', 'for', 'the', 'on the', 'by the', 'for the'))
const shifted = (days: number): PhraseParts => ({ day: { kind: 'shift', days } })
const inThis = maybe(literal('in', 'on', 'at', 'by', 'for', 'over', 'during'))
const periods: Rule<{ of: 'week' | 'month' | 'year'; ahead: number }> = alt(
  ...(['week', 'month', 'year'] as const).flatMap((of) => [
    as(literal(of, `the ${of}`, `this ${of}`), { of, ahead: 0 }),
    as(literal(`next ${of}`, `the next ${of}`), { of, ahead: 1 }),
  ]),
)
const edge = (words: ReturnType<typeof literal>, kind: 'start' | 'end'): Rule<PhraseParts> =>
  seq([by, the, words, periods], (period): PhraseParts | undefined =>
    kind === 'start' && period.ahead === 0 ? undefined : { day: { kind, ...period } },
  )
const namedDay: Rule<PhraseParts> = alt(
  seq([on, one('day')], ({ days }) => shifted(days)),
  as(literal('later today', 'by the end of today'), shifted(0)),
  seq([on, literal('day after tomorrow', 'the day after tomorrow')], () => shifted(2)),
  as(literal('next day', 'the next day'), shifted(1)),
  seq([on, maybe(literal('this', 'next', 'coming', 'this coming')), one('weekday')], ({ weekday }) => ({ weekday })),
  seq([inThis, maybe(literal('the', 'this', 'this coming', 'the coming')), literal('weekend')], () => ({
    day: { kind: 'weekend', ahead: 0 } as const,
  })),
  seq([inThis, the, literal('next weekend')], () => ({ day: { kind: 'weekend', ahead: 1 } as const })),
  seq([inThis, literal('this week')], () => ({ day: { kind: 'week', ahead: 0 } as const })),
  seq([inThis, the, literal('next week')], () => ({ day: { kind: 'week', ahead: 1 } as const })),
  seq([inThis, literal('the week after next')], () => ({ day: { kind: 'week', ahead: 2 } as const })),
  seq([inThis, the, literal('next month')], () => ({ day: { kind: 'start', of: 'month', ahead: 1 } as const })),
  edge(literal('end of'), 'end'),
  edge(literal('start of', 'beginning of', 'early in', 'early'), 'start'),
  seq([by, the, literal('end of'), one('month')], ({ month }) => ({
    day: { kind: 'endOfMonth', month } as DayName,
  })),
  seq([by, the, literal('start of', 'beginning of'), one('month')], ({ month }) => dated(1, month, undefined)),
  as(literal('eow', 'by eow'), { day: { kind: 'end', of: 'week', ahead: 0 } }),
  as(literal('eom', 'by eom'), { day: { kind: 'end', of: 'month', ahead: 0 } }),
  as(literal('eoy', 'by eoy'), { day: { kind: 'end', of: 'year', ahead: 0 } }),
)
const dayNumber: Rule<number> = alt(whole(1, 31), anyOrdinal)
const date: Rule<PhraseParts> = alt(
  seq([on, one('date')], ({ day: of, month, year: named }) => dated(of, month, named)),
  seq([on, dayNumber, maybe(literal('of')), one('month'), opt(year)], (of, { month }, named) =>
    dated(of, month, named),
  ),
  seq([on, one('month'), the, dayNumber, opt(year)], ({ month }, of, named) => dated(of, month, named)),
  // `the second friday` is something else
  seq([on, anyOrdinal, not(alt<unknown>(one('weekday'), anyUnit, literal('of', 'next', 'this')))], (of) => ({
    day: { kind: 'monthDay', day: of } as DayName,
  })),
  seq([on, alt(anyOrdinal, whole(1, 31)), maybe(literal('of')), literal('next month')], (of) => nextMonth(of)),
  seq([literal('next month on the', 'next month the', 'next month on'), anyOrdinal], (of) => nextMonth(of)),
  // `monday 23`: either a day of the month or an hour
  seq([one('weekday'), whole(1, 31)], ({ weekday }, of) => ({
    weekday,
    day: { kind: 'monthDay', day: of } as DayName,
  })),
)
const nextMonth = (of: number): PhraseParts => ({ day: { kind: 'monthDay', day: of, isNextMonth: true } })

const calendar = [time, partOfDay, namedDay, date]
/** `before noon` has a preposition already. */
const anchor = seq([not(literal('before', 'after', 'by', 'from', 'for', 'in')), severalOf(calendar)], (from) => from)
const span: Rule<PhraseParts> = alt(
  seq([literal('in', 'within', 'after'), about, howLong, maybe(literal('time', 'from now', 'from today'))], (each) =>
    fromNow(each),
  ),
  seq([literal('in'), about, anyUnit], (of) => fromNow(length(of, 1))),
  seq([about, howLong, maybe(literal('from now', 'later', 'hence'))], (each) => fromNow(each)),
  as(literal('next hour', 'in the next hour'), fromNow(length('hour', 1))),
  seq([about, howLong, literal('from', 'after'), anchor], (each, from) =>
    together({ length: each, from: 'after' }, from),
  ),
  seq([about, howLong, literal('before'), anchor], (each, from) => together({ length: each, from: 'before' }, from)),
  // `a week on monday`, `monday week`
  seq([weeks, literal('on'), one('weekday')], (each, { weekday }) => ({ length: each, from: 'after', weekday })),
  seq([on, one('weekday'), literal('week')], ({ weekday }) => ({ length: length('week', 1), from: 'after', weekday })),
)

export const ENGLISH: Grammar = {
  lexicon: LEXICON,
  literals,
  phrase: severalOf([span, ...calendar, filler(literal('remind me', 'remind', 'please', 'pls'))]),
}
