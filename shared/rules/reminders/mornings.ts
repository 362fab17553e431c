/** The hour of "tomorrow morning" and similar choices. */
const MORNING_HOUR = 9
const MONDAY = 1

/** Nine o'clock, some days from now, computed on the local calendar, so that daylight saving time does not shift it. */
function morning(now: number, days: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, MORNING_HOUR).getTime()
}

export const tomorrowMorning = (now: number): number => morning(now, 1)

/** Never today: on a Monday it is the next one. */
export function nextMonday(now: number): number {
  const away = (MONDAY - new Date(now).getDay() + 7) % 7
  return morning(now, away === 0 ? 7 : away)
}
