import type { AppLanguage } from '#shared/domain/settings.ts'
import type { Said } from './calendar.ts'
import type { Part, Token, Unit } from './lexicon.ts'

const QUARTERS_LEFT = 45

/** Reads a phrase from left to right; every word has to find its place. */
export class Reader {
  readonly #tokens: readonly Token[]
  readonly #language: AppLanguage
  #at = 0
  #said: Said = {}

  constructor(tokens: readonly Token[], language: AppLanguage) {
    this.#tokens = tokens
    this.#language = language
  }

  read(): Said | undefined {
    const steps = [
      () => this.#relativeHour(),
      () => this.#hourOfDay(),
      () => this.#span(),
      () => this.#calendar(),
      () => this.#bareHour(),
      () => this.#partOfDay(),
      () => this.#connector(),
    ]
    while (this.#at < this.#tokens.length) if (!steps.some((step) => step())) return undefined
    return Object.keys(this.#said).length === 0 ? undefined : this.#said
  }

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead]
  }

  #is(ahead: number, kind: Token['kind']): boolean {
    return this.#peek(ahead)?.kind === kind
  }

  #numberAt(ahead: number): number | undefined {
    const token = this.#peek(ahead)
    return token?.kind === 'number' ? token.value : undefined
  }

  #unitAt(ahead: number): Unit | undefined {
    const token = this.#peek(ahead)
    return token?.kind === 'unit' ? token.unit : undefined
  }

  #partAt(ahead: number): Part | undefined {
    const token = this.#peek(ahead)
    return token?.kind === 'part' ? token.part : undefined
  }

  /** Takes tokens and says something; a thing said twice is not understood. */
  #take(count: number, more: Said): boolean {
    for (const key of Object.keys(more)) if (key in this.#said && key !== 'offset') return false
    this.#at += count
    this.#said = { ...this.#said, ...more }
    return true
  }

  /** Half past eight, quarter to nine, kwadrans po ósmej, wpół do ósmej, без четверти девять, в половине девятого. */
  #relativeHour(): boolean {
    const skip = this.#is(0, 'at') || (this.#is(0, 'in') && this.#language === 'pl') ? 1 : 0
    const isLess = this.#is(skip, 'to') && this.#language === 'ru'
    const start = skip + (isLess ? 1 : 0) + (this.#numberAt(skip) === 1 && this.#is(skip + 1, 'quarter') ? 1 : 0)
    const head = this.#peek(start)
    const minutes = head?.kind === 'half' ? 30 : head?.kind === 'quarter' ? 15 : this.#numberAt(start)
    if (minutes === undefined || minutes >= 60) return false
    const afterUnit = start + (this.#unitAt(start + 1) === 'minute' ? 2 : 1)
    const link = this.#peek(afterUnit)?.kind
    const far = link === 'past' || link === 'to' ? afterUnit + 1 : afterUnit
    const hourToken = this.#peek(far)
    if (hourToken?.kind !== 'number' || !isHour(hourToken.value)) return false
    const before = this.#isBefore({ link, isLess, head, hourToken, skip })
    if (before === undefined) return false
    const length = far + 1 + (this.#is(far + 1, 'oclock') ? 1 : 0)
    const total =
      (hourToken.value + 24) * 60 +
      (before ? -beforeBy(head, minutes, isLess || link === 'to' || this.#language !== 'ru') : minutes)
    return this.#take(length, { hour: Math.floor(total / 60) % 24, minute: total % 60, ...this.#loose(hourToken) })
  }

  /** Whether the hour named is still to come; `undefined`: this is no such phrase. */
  #isBefore(seen: {
    link: Token['kind'] | undefined
    isLess: boolean
    head: Token | undefined
    hourToken: Token & { kind: 'number' }
    skip: number
  }): boolean | undefined {
    const { link, isLess, head, hourToken, skip } = seen
    if (isLess || link === 'to') return true
    if (link === 'past') return false
    const isPart = head?.kind === 'half' || head?.kind === 'quarter'
    // `четверть девятого` is a quarter into the ninth hour: both halves and quarters count towards it.
    if (this.#language === 'ru' && isPart && hourToken.ordinal === true) return true
    const isPolish = this.#language === 'pl' && skip === 1 && this.#is(0, 'in')
    return isPolish && hourToken.ordinal === true ? true : undefined
  }

  /** Without a word for the part of the day, one to six are hours of the afternoon. */
  #loose(token: Token): Said {
    return token.kind === 'number' && token.padded !== true ? { loose: true } : {}
  }

  /** `9:30`, `at 9`, `9 pm`, `o 9.30`, `в 9 часов`, `о 9 rano`. */
  #hourOfDay(): boolean {
    const skip = this.#is(0, 'at') ? 1 : 0
    const token = this.#peek(skip)
    if (token?.kind === 'clock') {
      const valid = isHour(token.hour) && token.minute < 60
      return valid && this.#meridiem(skip + 1, { hour: token.hour, minute: token.minute })
    }
    if (token?.kind !== 'number') return false
    const exact = clockOf(token.value, token.padded === true)
    if (exact === undefined) return false
    const next = this.#peek(skip + 1)?.kind
    const isMeridiem = next === 'am' || next === 'pm'
    if (skip === 0 && !isMeridiem && next !== 'oclock' && next !== 'part') return this.#hourWithPart(exact)
    if (isMeridiem) return this.#meridiem(skip + 1, exact)
    if (next === 'month' || next === 'dayOfMonth') return false
    if (token.ordinal === true && this.#language === 'en') return false
    return this.#afterAt(skip, token, exact)
  }

  #afterAt(skip: number, token: Token, exact: Clock): boolean {
    const loose = exact.minute === 0 ? this.#loose(token) : {}
    const unit = this.#unitAt(skip + 1)
    if (unit === undefined) {
      // `o 9 30`
      const minutes = this.#numberAt(skip + 1)
      const isPair = minutes !== undefined && minutes >= 10 && minutes < 60 && exact.minute === 0 && skip === 1
      if (isPair && this.#peek(skip + 2)?.kind !== 'month' && this.#unitAt(skip + 2) === undefined)
        return this.#take(skip + 2, { ...exact, minute: minutes })
      const length = skip + 1 + (this.#is(skip + 1, 'oclock') ? 1 : 0)
      return this.#take(length, { ...exact, ...loose })
    }
    if (this.#language === 'ru' && unit === 'day') return this.#take(skip + 2, { ...exact, part: 'afternoon' })
    if (unit !== 'hour') return false
    const isAfternoon = this.#language === 'ru' && this.#unitAt(skip + 2) === 'day'
    if (isAfternoon) return this.#take(skip + 3, { ...exact, part: 'afternoon' })
    const minutes = this.#numberAt(skip + 2)
    if (minutes !== undefined && this.#unitAt(skip + 3) === 'minute')
      return this.#take(skip + 4, { ...exact, minute: minutes, ...this.#loose(token) })
    return this.#take(skip + 2, { ...exact, ...loose })
  }

  /** `9 часов утра`, `3 часа дня`: without "at", only the part of the day tells an hour from a length. */
  #hourWithPart(exact: Clock): boolean {
    if (this.#unitAt(1) !== 'hour') return false
    if (this.#partAt(2) !== undefined) return this.#take(2, exact)
    const isAfternoon = this.#language === 'ru' && this.#unitAt(2) === 'day'
    return isAfternoon && this.#take(3, { ...exact, part: 'afternoon' })
  }

  #meridiem(ahead: number, { hour, minute }: Clock): boolean {
    const next = this.#peek(ahead)?.kind
    if (next !== 'am' && next !== 'pm') {
      const oclock = this.#is(ahead, 'oclock') ? 1 : 0
      return this.#take(ahead + oclock, { hour, minute })
    }
    if (hour < 1 || hour > 12) return false
    return this.#take(ahead + 1, { hour: (hour % 12) + (next === 'pm' ? 12 : 0), minute })
  }

  /** Lengths of time: `in 2 hours and 15 minutes`, `za godzinę`, `через полчаса`, `2 weeks`. */
  #span(): boolean {
    const skip = this.#is(0, 'in') ? 1 : 0
    if (this.#is(skip, 'halfhour')) return this.#add(skip + 1, 'minute', 30)
    const offset = this.#said.offset
    if (this.#is(skip, 'half') && offset && this.#at > 0) return this.#halfOfLast(skip + 1)
    // `часа через два`
    const turned = this.#unitAt(0)
    const late = this.#numberAt(2)
    if (turned !== undefined && this.#is(1, 'in') && late !== undefined) return this.#add(3, turned, late)
    // `неделю спустя`
    if (turned !== undefined && this.#is(1, 'in') && this.#peek(2) === undefined) return this.#add(2, turned, 1)
    const amount = this.#numberAt(skip)
    if (amount === undefined) return this.#spanOfOne(skip)
    const quarters = this.#is(skip + 1, 'quarter') && this.#language === 'pl'
    if (quarters) return this.#add(skip + 2, 'minute', amount * 15)
    // `dwie i pół godziny`
    const half = this.#is(skip + 1, 'and') && this.#is(skip + 2, 'half') ? 2 : 0
    const unit = this.#unitAt(skip + 1 + half)
    if (unit === undefined) return this.#minutesAfterHours(skip, amount)
    return this.#add(skip + 2 + half, unit, amount + (half === 0 ? 0 : 0.5))
  }

  /** `za tydzień`, `через час`, `in half hour`, `za kwadrans`. */
  #spanOfOne(skip: number): boolean {
    const unit = this.#unitAt(skip)
    if (unit !== undefined && (skip === 1 || this.#said.offset !== undefined)) return this.#add(skip + 1, unit, 1)
    if (skip === 1 && this.#is(1, 'quarter')) return this.#add(2, 'minute', 15)
    const halved = this.#is(skip, 'half') ? this.#unitAt(skip + 1) : undefined
    return halved !== undefined && this.#add(skip + 2, halved, 0.5)
  }

  /** `1h30` */
  #minutesAfterHours(skip: number, amount: number): boolean {
    const before = this.#tokens[this.#at - 1]
    const isRest = before?.kind === 'unit' && before.unit === 'hour' && this.#said.offset !== undefined
    return isRest && skip === 0 && amount < 60 && this.#add(1, 'minute', amount)
  }

  /** `an hour and a half` */
  #halfOfLast(count: number): boolean {
    const before = this.#tokens.slice(0, this.#at).findLast((token) => token.kind === 'unit')
    return before?.kind === 'unit' && this.#add(count, before.unit, 0.5)
  }

  #add(count: number, unit: Unit, amount: number): boolean {
    const offset = this.#said.offset ?? {}
    return this.#take(count, { offset: { ...offset, [unit]: (offset[unit] ?? 0) + amount } })
  }

  /** Days by name, date, month or distance, with the small words before them. */
  #calendar(): boolean {
    const isNext = this.#is(0, 'next')
    const at = isNext || this.#is(0, 'at') ? 1 : 0
    const next = at === 1 && !isNext && this.#is(1, 'next') ? 2 : at
    const token = this.#peek(next)
    const named = token && dayNamedBy(token)
    if (named) return this.#take(next + 1, named)
    if (token?.kind === 'month') return this.#monthFirst(next, token.month)
    if (token?.kind === 'number') return this.#dayOfMonth(next, token)
    return token?.kind === 'unit' && isNextAt(this.#tokens, this.#at, next) && this.#nextUnit(next, token.unit)
  }

  /** `november 24`, `november 24 2027` */
  #monthFirst(at: number, month: number): boolean {
    const day = this.#numberAt(at + 1)
    if (day === undefined || !Number.isInteger(day) || day < 1 || day > 31) return false
    const year = yearOf(this.#numberAt(at + 2))
    return this.#take(at + (year.year === undefined ? 2 : 3), { date: { day, month, ...year } })
  }

  /** `24 november`, `the 24th`, `24 числа`, `24.11` */
  #dayOfMonth(at: number, token: Token & { kind: 'number' }): boolean {
    const { value } = token
    const month = this.#monthAt(at + 1)
    if (month !== undefined && Number.isInteger(value)) {
      const far = month.ahead + 1
      const year = yearOf(this.#numberAt(far))
      const unit = year.year !== undefined && this.#unitAt(far + 1) === 'year' ? 1 : 0
      return this.#take(far + (year.year === undefined ? 0 : 1) + unit, {
        date: { day: value, month: month.month, ...year },
      })
    }
    if (this.#is(at + 1, 'dayOfMonth') && Number.isInteger(value)) return this.#take(at + 2, { dayOfMonth: value })
    if (token.ordinal === true && this.#language !== 'pl') return this.#take(at + 1, { dayOfMonth: value })
    const dotted = token.padded === true ? { day: Math.floor(value), month: Math.round((value % 1) * 100) } : undefined
    return dotted !== undefined && dotted.month >= 1 && dotted.month <= 12 && this.#take(at + 1, { date: dotted })
  }

  /** The month after a day, also behind `of`. */
  #monthAt(ahead: number): { readonly month: number; readonly ahead: number } | undefined {
    const far = this.#is(ahead, 'filler') ? ahead + 1 : ahead
    const token = this.#peek(far)
    return token?.kind === 'month' ? { month: token.month, ahead: far } : undefined
  }

  #nextUnit(at: number, unit: Unit): boolean {
    if (unit === 'week') return this.#take(at + 1, { nextWeek: true })
    if (unit === 'month') return this.#take(at + 1, { nextMonth: true })
    return unit === 'day' ? this.#take(at + 1, { day: 1 }) : unit === 'hour' && this.#add(at + 1, 'hour', 1)
  }

  /** `tomorrow 9`, `9 tomorrow`, `friday 14.30` */
  #bareHour(): boolean {
    const token = this.#peek()
    if (token?.kind !== 'number') return false
    const exact = clockOf(token.value, token.padded === true)
    const beside = this.#peek(1)?.kind
    const hasDay = ['day', 'weekday', 'date', 'dayOfMonth', 'nextWeek'].some((key) => key in this.#said)
    if (exact === undefined || (!hasDay && beside !== 'day' && beside !== 'weekday')) return false
    return this.#take(1, { ...exact, ...(exact.minute === 0 ? this.#loose(token) : {}) })
  }

  #partOfDay(): boolean {
    const skip = this.#is(0, 'at') || this.#is(0, 'in') ? 1 : 0
    const name = this.#partAt(skip)
    return name !== undefined && this.#take(skip + 1, { part: name })
  }

  /** Words that only hold the others together. */
  #connector(): boolean {
    const token = this.#peek()
    if (token?.kind === 'at' && this.#unitAt(1) === 'hour') return this.#hourAfterItsName()
    const isOne = token?.kind === 'number' && token.value === 1 && this.#language === 'en'
    if (!isOne && !CONNECTORS.has(token?.kind)) return false
    this.#at += 1
    return true
  }

  /** `o godzinie 9` */
  #hourAfterItsName(): boolean {
    const token = this.#peek(2)
    if (token?.kind === 'clock') {
      this.#at += 2
      return true
    }
    const exact = token?.kind === 'number' ? clockOf(token.value, token.padded === true) : undefined
    return token !== undefined && exact !== undefined && this.#take(3, { ...exact, ...this.#loose(token) })
  }
}

const CONNECTORS: ReadonlySet<Token['kind'] | undefined> = new Set(['filler', 'and', 'at', 'oclock'])

/** Days that one word says. */
function dayNamedBy(token: Token): Said | undefined {
  if (token.kind === 'day') return { day: token.days, ...(token.part === undefined ? {} : { part: token.part }) }
  if (token.kind === 'weekday') return { weekday: token.weekday }
  if (token.kind === 'weekend') return { weekday: 6 }
  if (token.kind === 'endOfDay') return { day: 0, hour: 17, minute: 0 }
  if (token.kind === 'endOfWeek') return { weekday: 5, hour: 17, minute: 0 }
  return token.kind === 'date' ? { date: token } : undefined
}

type Clock = { readonly hour: number; readonly minute: number }

const isHour = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 24

/** `9` and `9.30` as a time of day. */
function clockOf(value: number, padded: boolean): Clock | undefined {
  const hour = Math.floor(value)
  const minute = Math.round((value - hour) * 100)
  if (!isHour(hour) || hour === 24 || minute > 59 || (minute !== 0 && !padded)) return undefined
  return { hour, minute }
}

/** `четверть девятого` is a quarter of the ninth hour: three quarters before nine. `без четверти` is one. */
const beforeBy = (head: Token | undefined, minutes: number, isTo: boolean): number =>
  head?.kind === 'quarter' && !isTo ? QUARTERS_LEFT : minutes

const isNextAt = (tokens: readonly Token[], at: number, next: number): boolean => tokens[at + next - 1]?.kind === 'next'

const yearOf = (value: number | undefined): { readonly year?: number } =>
  value !== undefined && value >= 2000 && value <= 9999 ? { year: value } : {}
