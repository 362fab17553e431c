const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** "242 bytes", "8.4 MB": in the largest decimal unit that fits, as a language writes it. */
export function formatBytes(language: string, bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[step] ?? 'byte',
    // The short form of a byte has no plural: "242 byte".
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(bytes / 1000 ** step)
}
