import type { DayName, Length, Said, Time } from './calendar.ts'
import {
  alt,
  anyOrdinal,
  anyUnit,
  around,
  as,
  cardinal,
  clock,
  courtesy,
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
  said,
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
} from './grammar.ts'
import { day, lexicon, months, numbers, ordinal, ordinals, part, unit, value, weekdays } from './lexicon.ts'

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

const { say, said: known } = vocabulary()

const about = maybe(say('about', 'around', 'roughly', 'approximately'))
const the = maybe(say('the'))

// Lengths
const count: Rule<number> = alt(
  seq([cardinal], ({ value: amount }) => amount),
  as(say('a', 'an'), 1),
  as(say('a couple of', 'a couple', 'couple of'), 2),
)
const quarters: Rule<number> = alt(as(say('and a quarter', 'and quarter'), 15), as(say('and three quarters'), 45))
const amount: Rule<Length> = alt(
  seq([count, anyUnit], (many, of) => length(of, many)),
  seq([count, say('and a half', 'and half'), anyUnit], (many, of) => length(of, many + 0.5)),
  seq([count, anyUnit, say('and a half', 'and half')], (many, of) => length(of, many + 0.5)),
  seq([count, unitOf('hour'), quarters], (many, minutes) => ({ hour: many, minute: minutes })),
  seq([say('half a', 'half an', 'half', 'a half'), anyUnit], (of) => length(of, 0.5)),
  as(say('a quarter of an hour', 'quarter of an hour', 'a quarter hour', 'quarter hour'), length('minute', 15)),
  as(say('three quarters of an hour'), length('minute', 45)),
  seq([count, say('fortnight', 'fortnights')], (many) => length('week', many * 2)),
)
const howLong = lengths(amount, say('and'))
const weeks = seq([howLong], (span) => (span.week !== undefined && Object.keys(span).length === 1 ? span : undefined))
const fromNow = (span: Length): Said => ({ length: span, from: 'now' })

// Hours
const minutesBeside: Rule<number> = alt(
  as(say('half'), 30),
  as(say('a quarter', 'quarter'), 15),
  seq([whole(1, 59), maybe(unitOf('minute'))], (minutes) => minutes),
)
const hourBeside: Rule<number> = alt(whole(0, 23), as(say('noon', 'midday'), 12), as(say('midnight'), 0))
const relative: Rule<Time> = alt(
  seq([minutesBeside, say('past', 'after'), hourBeside], (minutes, hour) => around(hour, minutes)),
  seq([minutesBeside, say('to', 'till', 'before', 'of'), hourBeside], (minutes, hour) =>
    minutes === 30 ? undefined : around(hour, -minutes),
  ),
)
const minutesAfter: Rule<number> = alt(
  minuteNumber,
  seq([say('oh', 'o'), whole(1, 9)], (minutes) => minutes),
)
const hourAndMinutes: Rule<Time> = seq([cardinal, minutesAfter], (hour, minutes) =>
  clock(hour.value, minutes, hour.written === 'padded'),
)
const half: Rule<'am' | 'pm'> = alt(as(say('am'), 'am'), as(say('pm'), 'pm'))
const ofHalf = ({ hour, minute }: Time, am: 'am' | 'pm'): Time | undefined =>
  hour < 1 || hour > 12 ? undefined : { hour: (hour % 12) + (am === 'pm' ? 12 : 0), minute }
const sharp = say('sharp', 'on the dot', 'exactly')
const numbered = alt<Time>(dotted, hourNumber, hourAndMinutes)
const clear: Rule<Time> = alt(
  written,
  relative,
  seq([alt<Time>(written, relative, numbered), half], (moment, am) => ofHalf(moment, am)),
  seq([hourNumber, say('oclock')], (time) => time),
  seq([one('number'), minutesAfter], (hour, minutes) =>
    hour.written === 'word' && hour.value <= 12 ? clock(hour.value, minutes) : undefined,
  ),
)
const at = say(
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
const time: Rule<Said> = alt(
  seq([maybe(at), clear, maybe(sharp)], (moment) => said(moment)),
  seq([at, numbered, maybe(sharp)], (moment) => said(moment)),
  // `tomorrow 9`, `9 tomorrow`
  seq([numbered, not(one('ordinal'))], (moment) => said({ ...moment, bare: true })),
  as(say('same time', 'the same time', 'at the same time', 'this time', 'at this time'), { time: 'same' }),
)

// Parts of a day
const ofDay = one('part')
const by = maybe(say('at', 'by', 'on', 'before'))
const partOfDay: Rule<Said> = alt<Said>(
  seq([maybe(say('in the', 'at the', 'at', 'by', 'before', 'around', 'for')), ofDay], ({ part: name }) => ({
    part: name,
  })),
  seq([say('this', 'later this', 'by this'), ofDay], ({ part: name }) => ({
    day: { kind: 'shift', days: 0 },
    part: name === 'night' ? 'tonight' : name,
  })),
  as(say('tonight', 'by tonight', 'for tonight', 'later tonight'), {
    day: { kind: 'shift', days: 0 },
    part: 'tonight',
  }),
  as(say('tonight at midnight', 'midnight tonight'), { day: { kind: 'shift', days: 0 }, part: 'midnight' }),
  as(say('after lunch'), { part: 'lunch' }),
  as(say('after work'), { part: 'close' }),
  seq([by, the, say('end of day', 'end of the day', 'eod', 'cob', 'close of business')], () => ({
    part: 'close' as const,
  })),
  as(say('early', 'early in the', 'early on'), { opening: 7 }),
  as(say('first thing', 'first thing in the', 'first thing on'), { opening: 9 }),
)

// Days
const on = maybe(say('on', 'by', 'for', 'the', 'on the', 'by the', 'for the'))
const shifted = (days: number): Said => ({ day: { kind: 'shift', days } })
const inThis = maybe(say('in', 'on', 'at', 'by', 'for', 'over', 'during'))
const periods: Rule<{ of: 'week' | 'month' | 'year'; ahead: number }> = alt(
  ...(['week', 'month', 'year'] as const).flatMap((of) => [
    as(say(of, `the ${of}`, `this ${of}`), { of, ahead: 0 }),
    as(say(`next ${of}`, `the next ${of}`), { of, ahead: 1 }),
  ]),
)
const edge = (words: ReturnType<typeof say>, kind: 'start' | 'end'): Rule<Said> =>
  seq([by, the, words, periods], (period): Said | undefined =>
    kind === 'start' && period.ahead === 0 ? undefined : { day: { kind, ...period } },
  )
const namedDay: Rule<Said> = alt(
  seq([on, one('day')], ({ days }) => shifted(days)),
  as(say('later today', 'by the end of today'), shifted(0)),
  seq([on, say('day after tomorrow', 'the day after tomorrow')], () => shifted(2)),
  as(say('next day', 'the next day'), shifted(1)),
  seq([on, maybe(say('this', 'next', 'coming', 'this coming')), one('weekday')], ({ weekday }) => ({ weekday })),
  seq([inThis, maybe(say('the', 'this', 'this coming', 'the coming')), say('weekend')], () => ({
    day: { kind: 'weekend', ahead: 0 } as const,
  })),
  seq([inThis, the, say('next weekend')], () => ({ day: { kind: 'weekend', ahead: 1 } as const })),
  seq([inThis, say('this week')], () => ({ day: { kind: 'week', ahead: 0 } as const })),
  seq([inThis, the, say('next week')], () => ({ day: { kind: 'week', ahead: 1 } as const })),
  seq([inThis, say('the week after next')], () => ({ day: { kind: 'week', ahead: 2 } as const })),
  seq([inThis, the, say('next month')], () => ({ day: { kind: 'start', of: 'month', ahead: 1 } as const })),
  edge(say('end of'), 'end'),
  edge(say('start of', 'beginning of', 'early in', 'early'), 'start'),
  seq([by, the, say('end of'), one('month')], ({ month }) => ({
    day: { kind: 'endOfMonth', month } as DayName,
  })),
  seq([by, the, say('start of', 'beginning of'), one('month')], ({ month }) => dated(1, month, undefined)),
  as(say('eow', 'by eow'), { day: { kind: 'end', of: 'week', ahead: 0 } }),
  as(say('eom', 'by eom'), { day: { kind: 'end', of: 'month', ahead: 0 } }),
  as(say('eoy', 'by eoy'), { day: { kind: 'end', of: 'year', ahead: 0 } }),
)
const dayNumber: Rule<number> = alt(whole(1, 31), anyOrdinal)
const date: Rule<Said> = alt(
  seq([on, one('date')], ({ day: of, month, year: named }) => dated(of, month, named)),
  seq([on, dayNumber, maybe(say('of')), one('month'), opt(year)], (of, { month }, named) => dated(of, month, named)),
  seq([on, one('month'), the, dayNumber, opt(year)], ({ month }, of, named) => dated(of, month, named)),
  // `the second friday` is something else
  seq([on, anyOrdinal, not(alt<unknown>(one('weekday'), anyUnit, say('of', 'next', 'this')))], (of) => ({
    day: { kind: 'monthDay', day: of } as DayName,
  })),
  seq([on, alt(anyOrdinal, whole(1, 31)), maybe(say('of')), say('next month')], (of) => nextMonth(of)),
  seq([say('next month on the', 'next month the', 'next month on'), anyOrdinal], (of) => nextMonth(of)),
  // `monday 23`: either a day of the month or an hour
  seq([one('weekday'), whole(1, 31)], ({ weekday }, of) => ({
    weekday,
    day: { kind: 'monthDay', day: of } as DayName,
  })),
)
const nextMonth = (of: number): Said => ({ day: { kind: 'monthDay', day: of, isNextMonth: true } })

const calendar = [time, partOfDay, namedDay, date]
/** `before noon` has a preposition already. */
const anchor = seq([not(say('before', 'after', 'by', 'from', 'for', 'in')), severalOf(calendar)], (from) => from)
const span: Rule<Said> = alt(
  seq([say('in', 'within', 'after'), about, howLong, maybe(say('time', 'from now', 'from today'))], (each) =>
    fromNow(each),
  ),
  seq([say('in'), about, anyUnit], (of) => fromNow(length(of, 1))),
  seq([about, howLong, maybe(say('from now', 'later', 'hence'))], (each) => fromNow(each)),
  as(say('next hour', 'in the next hour'), fromNow(length('hour', 1))),
  seq([about, howLong, say('from', 'after'), anchor], (each, from) => together({ length: each, from: 'after' }, from)),
  seq([about, howLong, say('before'), anchor], (each, from) => together({ length: each, from: 'before' }, from)),
  // `a week on monday`, `monday week`
  seq([weeks, say('on'), one('weekday')], (each, { weekday }) => ({ length: each, from: 'after', weekday })),
  seq([on, one('weekday'), say('week')], ({ weekday }) => ({ length: length('week', 1), from: 'after', weekday })),
)

export const ENGLISH: Grammar = {
  lexicon: LEXICON,
  said: known,
  phrase: severalOf([span, ...calendar, courtesy(say('remind me', 'remind', 'please', 'pls'))]),
}
