const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** A duration in its two largest units: `3 hr 12 min`, `41 sec`. */
export function spanText(language: string, ms: number): string {
  const first = UNITS.findIndex(([, size]) => ms >= size)
  const [unit, size] = UNITS[first === -1 ? UNITS.length - 1 : first] ?? UNITS[3]
  const amount = Math.floor(ms / size)
  const [nextUnit, nextSize] = UNITS[first + 1] ?? []
  const rest = first === -1 || nextSize === undefined ? 0 : Math.floor((ms % size) / nextSize)
  const unitText = (value: number, of: string): string =>
    new Intl.NumberFormat(language, { style: 'unit', unit: of, unitDisplay: 'short' }).format(value)
  return rest === 0 || nextUnit === undefined
    ? unitText(amount, unit)
    : `${unitText(amount, unit)} ${unitText(rest, nextUnit)}`
}
