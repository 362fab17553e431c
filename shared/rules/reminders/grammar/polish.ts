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
  hours,
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
    'jeden jedna jedną jedno',
    'dwa dwie dwóch dwoch',
    'trzy trzech',
    'cztery czterech',
    'pięć',
    'sześć',
    'siedem',
    'osiem',
    'dziewięć',
    'dziesięć',
    'jedenaście',
    'dwanaście',
    'trzynaście',
    'czternaście',
    'piętnaście',
    'szesnaście',
    'siedemnaście',
    'osiemnaście',
    'dziewiętnaście',
    'dwadzieścia',
  ]),
  value('trzydzieści', 30),
  value('czterdzieści', 40),
  value('pięćdziesiąt', 50),
  value('półtora półtorej', 1.5),
  value('parę', 2),
  ...hours([
    'pierwsza pierwszej pierwszą',
    'druga drugiej drugą',
    'trzecia trzeciej trzecią',
    'czwarta czwartej czwartą',
    'piąta piątej piątą',
    'szósta szóstej szóstą',
    'siódma siódmej siódmą',
    'ósma ósmej ósmą',
    'dziewiąta dziewiątej dziewiątą',
    'dziesiąta dziesiątej dziesiątą',
    'jedenasta jedenastej jedenastą',
    'dwunasta dwunastej dwunastą',
    'trzynasta trzynastej trzynastą',
    'czternasta czternastej czternastą',
    'piętnasta piętnastej piętnastą',
    'szesnasta szesnastej szesnastą',
    'siedemnasta siedemnastej siedemnastą',
    'osiemnasta osiemnastej osiemnastą',
    'dziewiętnasta dziewiętnastej dziewiętnastą',
    'dwudziesta dwudziestej dwudziestą',
  ]),
  ...ordinals([
    'pierwszego',
    'drugiego',
    'trzeciego',
    'czwartego',
    'piątego',
    'szóstego',
    'siódmego',
    'ósmego',
    'dziewiątego',
    'dziesiątego',
    'jedenastego',
    'dwunastego',
    'trzynastego',
    'czternastego',
    'piętnastego',
    'szesnastego',
    'siedemnastego',
    'osiemnastego',
    'dziewiętnastego',
    'dwudziestego',
  ]),
  ordinal('trzydziestego', 30),
  unit('m min minuta minutę minuty minut minutek minutkę', 'minute'),
  unit('h g godz godzina godzinę godziny godzin godzinkę godzinki', 'hour'),
  unit('d dzień dni dnia doba dobę doby dób', 'day'),
  unit('tydz tydzień tygodnie tygodni tygodnia', 'week'),
  unit('mies miesiąc miesiące miesięcy miesiąca', 'month'),
  unit('rok lata lat roku', 'year'),
  day('dziś dzisiaj', 0),
  day('jutro', 1),
  day('pojutrze', 2),
  ...weekdays([
    'poniedziałek poniedziałku pon pn',
    'wtorek wtorku wt',
    'środa środę środy śr',
    'czwartek czwartku czw',
    'piątek piątku pt',
    'sobota sobotę soboty sob',
    'niedziela niedzielę niedzieli niedz nd',
  ]),
  ...months([
    'styczeń stycznia sty i',
    'luty lutego lut ii',
    'marzec marca mar iii',
    'kwiecień kwietnia kwi iv',
    'maj maja v',
    'czerwiec czerwca cze vi',
    'lipiec lipca lip vii',
    'sierpień sierpnia sie viii',
    'wrzesień września wrz ix',
    'październik października paź x',
    'listopad listopada lis xi',
    'grudzień grudnia gru xii',
  ]),
  part('rano ranek', 'morning'),
  part('południe', 'noon'),
  part('popołudnie', 'afternoon'),
  part('wieczorem wieczór wieczorkiem', 'evening'),
  part('noc nocy nocą', 'night'),
  part('północ północy', 'midnight'),
])

const { literal, literals } = vocabulary()

const about = maybe(literal('około', 'koło', 'ok', 'mniej więcej'))

// Lengths
const count: Rule<number> = seq([cardinal], ({ value: amount }) => amount)
const amount: Rule<Length> = alt(
  seq([count, anyUnit], (many, of) => length(of, many)),
  seq([count, literal('i pół'), anyUnit], (many, of) => length(of, many + 0.5)),
  seq([opt(count), anyUnit, literal('i pół')], (many = 1, of) => length(of, many + 0.5)),
  seq([literal('pół'), anyUnit], (of) => length(of, 0.5)),
  seq([opt(count), literal('kwadrans', 'kwadranse', 'kwadransik')], (many = 1) => length('minute', many * 15)),
  seq([opt(count), unitOf('hour'), literal('i kwadrans')], (many = 1) => ({ hour: many, minute: 15 })),
)
const howLong = lengths(amount, literal('i', 'oraz'))
/** `za tydzień`, `tydzień i dwa dni`: a unit alone counts as one. */
const single: Rule<Length> = lengths(
  alt(
    amount,
    seq([anyUnit], (of) => length(of, 1)),
  ),
  literal('i', 'oraz'),
)
const fromNow = (span: Length): PhraseParts => ({ length: span, from: 'now' })

// Hours
/** `dziewiątej`, `dwudziestej pierwszej`. */
const spoken: Rule<number> = alt(
  seq([one('hour')], ({ value: hour }) => hour),
  seq([one('hour'), one('hour')], (tens, ones) => (tens.value === 20 && ones.value <= 3 ? 20 + ones.value : undefined)),
)
const spokenHour: Rule<number> = alt(spoken, whole(0, 23))
const minutesBeside: Rule<number> = alt(
  as(literal('kwadrans'), 15),
  seq([whole(1, 59), maybe(unitOf('minute'))], (minutes) => minutes),
)
const relative: Rule<Time> = alt(
  seq([minutesBeside, literal('po'), spokenHour], (minutes, hour) => around(hour, minutes)),
  seq([literal('za'), minutesBeside, spokenHour], (minutes, hour) => around(hour, -minutes)),
  seq([literal('wpół do', 'w pół do', 'pół do'), spokenHour], (hour) => around(hour, -30)),
)
const minutesAfter: Rule<number> = alt(
  minuteNumber,
  seq([literal('zero'), whole(1, 9)], (minutes) => minutes),
)
const clear: Rule<Time> = alt(
  written,
  relative,
  seq([spoken, opt(minutesAfter)], (hour, minutes) => clock(hour, minutes)),
)
const oclock = maybe(literal('punkt', 'równo'))
const hourAndMinutes: Rule<Time> = seq([cardinal, minutesAfter], (hour, minutes) =>
  clock(hour.value, minutes, hour.written === 'padded'),
)
const numbered: Rule<Time> = alt(dotted, hourNumber, hourAndMinutes)
const hour: Rule<Time> = alt(clear, numbered)
const at = literal('o', 'ok', 'około', 'koło', 'na', 'do', 'przed', 'po', 'od', 'tak o', 'gdzieś o', 'około godziny')
const time: Rule<PhraseParts> = alt(
  seq([maybe(literal('o', 'na', 'około', 'koło', 'ok', 'do', 'przed')), clear, oclock], (moment) => timeOnly(moment)),
  seq([at, maybe(literal('godz', 'godzinie', 'godziny', 'godzinę', 'g', 'h')), hour, oclock], (moment) =>
    timeOnly(moment),
  ),
  seq([literal('godz', 'godzina', 'g'), hour], (moment) => timeOnly(moment)),
  seq([numbered, not(one('ordinal')), maybe(literal('punkt'))], (moment) => timeOnly({ ...moment, bare: true })),
  as(literal('o tej samej porze', 'o tej porze', 'o tej samej godzinie'), { time: 'same' }),
)

// Parts of a day
const partOfDay: Rule<PhraseParts> = alt(
  seq([maybe(literal('w', 'o', 'na', 'do', 'przed', 'około', 'koło')), one('part')], ({ part: name }) => ({
    part: name,
  })),
  as(literal('z rana', 'z samego rana', 'przed południem'), { part: 'morning' }),
  as(literal('nad ranem'), { part: 'dawn' }),
  as(literal('po południu', 'po obiedzie'), { part: 'afternoon' }),
  as(literal('pod wieczór'), { part: 'dusk' }),
  as(
    literal(
      'koniec dnia',
      'na koniec dnia',
      'pod koniec dnia',
      'do końca dnia',
      'z końcem dnia',
      'po pracy',
      'na koniec pracy',
    ),
    { part: 'close' },
  ),
  as(literal('wcześnie', 'wcześnie rano', 'wczesnym rankiem', 'bladym świtem'), { opening: 7, part: 'morning' }),
)

// Days
const inOn = maybe(literal('w', 'we', 'na', 'do', 'od'))
const next = literal(
  'następny',
  'następna',
  'następną',
  'następnym',
  'następnego',
  'przyszły',
  'przyszła',
  'przyszłą',
  'przyszłym',
  'przyszłego',
  'kolejny',
  'kolejną',
  'kolejnym',
)
const coming = literal(
  'ten',
  'tę',
  'ta',
  'najbliższy',
  'najbliższą',
  'najbliższym',
  'nadchodzący',
  'nadchodzącą',
  'tym',
  'tej',
)
const ofUnit = {
  week: literal('tygodnia', 'tydzień', 'tygodniu'),
  month: literal('miesiąca', 'miesiąc', 'miesiącu'),
  year: literal('roku', 'rok'),
}
const periods: Rule<{ of: 'week' | 'month' | 'year'; ahead: number }> = alt(
  ...(['week', 'month', 'year'] as const).flatMap((of) => [
    seq([maybe(literal('tego', 'bieżącego')), ofUnit[of]], () => ({ of, ahead: 0 })),
    seq([next, ofUnit[of]], () => ({ of, ahead: 1 })),
  ]),
)
const endOf = literal('koniec', 'na koniec', 'pod koniec', 'do końca', 'z końcem', 'w końcu')
const startOf = literal('początek', 'na początek', 'na początku', 'od początku', 'z początkiem')
const shifted = (days: number): PhraseParts => ({ day: { kind: 'shift', days } })
const namedDay: Rule<PhraseParts> = alt(
  seq([maybe(literal('na', 'do', 'od')), one('day')], ({ days }) => shifted(days)),
  seq([literal('później'), one('day')], ({ days }) => (days === 0 ? shifted(0) : undefined)),
  seq([one('day'), literal('później')], ({ days }) => (days === 0 ? shifted(0) : undefined)),
  seq([inOn, maybe(alt(next, coming)), one('weekday')], ({ weekday }) => ({ weekday })),
  seq([inOn, maybe(coming), literal('weekend')], () => ({ day: { kind: 'weekend', ahead: 0 } as const })),
  as(literal('weekendu', 'do weekendu'), { day: { kind: 'weekend', ahead: 0 } }),
  seq([inOn, next, literal('weekend')], () => ({ day: { kind: 'weekend', ahead: 1 } as const })),
  seq([inOn, literal('tym tygodniu', 'tego tygodnia', 'ten tydzień')], () => ({
    day: { kind: 'week', ahead: 0 } as const,
  })),
  seq([inOn, next, ofUnit.week], () => ({ day: { kind: 'week', ahead: 1 } as const })),
  seq([inOn, next, ofUnit.month], () => ({ day: { kind: 'start', of: 'month', ahead: 1 } as const })),
  seq([endOf, periods], (period) => ({ day: { kind: 'end', ...period } as DayName })),
  seq([startOf, periods], (period) =>
    period.ahead === 0 ? undefined : { day: { kind: 'start', ...period } as DayName },
  ),
  seq([endOf, one('month')], ({ month }) => ({ day: { kind: 'endOfMonth', month } as DayName })),
  seq([startOf, one('month')], ({ month }) => dated(1, month, undefined)),
)
const ofYear = opt(as(literal('r', 'roku'), true))
const dayNumber: Rule<number> = alt(whole(1, 31), anyOrdinal)
const onDay = maybe(literal('na', 'do', 'od', 'dnia', 'w dniu', 'na dzień'))
const date: Rule<PhraseParts> = alt(
  seq([onDay, one('date'), ofYear], ({ day: of, month, year: named }, word) =>
    word && named === undefined ? undefined : dated(of, month, named),
  ),
  seq([onDay, dayNumber, one('month')], (of, { month }) => dated(of, month, undefined)),
  seq([onDay, dayNumber, one('month'), year, ofYear], (of, { month }, named) => dated(of, month, named)),
  seq([onDay, anyOrdinal], (of) => ({ day: { kind: 'monthDay', day: of } as DayName })),
  seq([onDay, dayNumber, maybe(literal('dnia', 'dzień')), next, ofUnit.month], (of) => ({
    day: { kind: 'monthDay', day: of, isNextMonth: true } as DayName,
  })),
  // `poniedziałek 23`: either a day of the month or an hour
  seq([one('weekday'), whole(1, 31)], ({ weekday }, of) => ({
    weekday,
    day: { kind: 'monthDay', day: of } as DayName,
  })),
)

const calendar = [time, partOfDay, namedDay, date]
const anchor = seq([not(literal('przed', 'po', 'od', 'do')), severalOf(calendar)], (from) => from)
/** `przed północą`, `po piątku`: inflected after a preposition. */
const bent: Rule<PhraseParts> = alt<PhraseParts>(
  as(literal('północą'), { part: 'midnight' }),
  as(literal('południem'), { part: 'noon' }),
  ...['poniedziałkiem', 'wtorkiem', 'środą', 'czwartkiem', 'piątkiem', 'sobotą', 'niedzielą'].map((word, index) =>
    as<PhraseParts>(literal(word), { weekday: index + 1 }),
  ),
)
const span: Rule<PhraseParts> = alt(
  seq([maybe(literal('od teraz', 'dopiero')), literal('za', 'w ciągu', 'po upływie'), about, single], (each) =>
    fromNow(each),
  ),
  seq([howLong, maybe(literal('od teraz'))], (each) => fromNow(each)),
  seq([single, literal('od teraz')], (each) => fromNow(each)),
  seq([single, literal('od'), anchor], (each, from) => together({ length: each, from: 'after' }, from)),
  seq([single, literal('po'), anchor], (each, from) => together({ length: each, from: 'after' }, from)),
  seq([maybe(literal('na')), single, literal('przed'), alt(anchor, bent)], (each, from) =>
    together({ length: each, from: 'before' }, from),
  ),
)
export const POLISH: Grammar = {
  lexicon: LEXICON,
  literals,
  phrase: severalOf([span, ...calendar, filler(literal('przypomnij mi', 'przypomnij', 'proszę', 'mi'))]),
}
