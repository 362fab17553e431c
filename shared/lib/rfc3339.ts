const FORM = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Epoch milliseconds of an RFC 3339 text with 0 to 9 fraction digits, as a fraction; `undefined` for anything else.
 * Strict about the calendar, unlike `Date`, which parses 30 February as 2 March.
 */
export function parseTime(text: string): number | undefined {
  const match = FORM.exec(text)
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const [zoneHour, zoneMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)]
  if (day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 60) return undefined
  if (zoneHour > 23 || zoneMinute > 59) return undefined
  const zone = (match[8] === '-' ? -1 : 1) * (zoneHour * 60 + zoneMinute) * 60_000
  const nanoseconds = Number((match[7] ?? '').padEnd(9, '0'))
  return epochOf(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1_000 - zone + nanoseconds / 1e6
}

/** `2026-11-21T18:40:01.123456Z`: microseconds, as the server writes them. */
export function formatTime(time: number): string {
  const microseconds = Math.round(time * 1_000)
  const days = Math.floor(microseconds / 86_400_000_000)
  const rest = microseconds - days * 86_400_000_000
  const [year, month, day] = dateOf(days)
  const seconds = Math.floor(rest / 1_000_000)
  const clock = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
  const fraction = String(rest - seconds * 1_000_000).padStart(6, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${clock}.${fraction}Z`
}

const two = (value: number): string => String(value).padStart(2, '0')

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

function daysIn(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? 0)
}

/** Days since 1970, counted in 400-year eras that begin in March, so that the leap day is the last of its year. */
function epochOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return (era * 146_097 + dayOfEra - 719_468) * 86_400_000
}

function dateOf(days: number): readonly [number, number, number] {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day]
}
