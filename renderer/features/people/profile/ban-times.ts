export const BAN_CHOICES = ['1h', '24h', '7d', '30d', 'always'] as const
export type BanChoice = (typeof BAN_CHOICES)[number]

const HOUR_MS = 3_600_000
const LENGTHS: Readonly<Record<Exclude<BanChoice, 'always'>, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
}

/** Milliseconds; `undefined`: until an unban. */
export const banLength = (choice: BanChoice): number | undefined => (choice === 'always' ? undefined : LENGTHS[choice])
