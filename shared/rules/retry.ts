import { BACKOFF_CAP_MS } from '#shared/constants.ts'
import { WIRE_CODES } from '#shared/wire/errors.ts'

const RETRYABLE: ReadonlySet<number> = new Set(
  Object.values(WIRE_CODES)
    .filter((row) => row.retryable)
    .map((row) => row.code),
)

/**
 * Milliseconds to wait before the next try after `failures` consecutive failures. `random` is 0 up to 1, passed in so
 * that tests repeat. Source: wire contract 2.7 "back-off"; cap: behaviour spec, section 9.
 */
export function backoffMs(failures: number, random: number): number {
  const max = Math.min(500 + failures * 2_000, BACKOFF_CAP_MS)
  const min = Math.min(Math.max(250, (failures - 1) * 2_000), BACKOFF_CAP_MS)
  return Math.floor(random * (max - min) + min)
}

/** Only the codes the catalogue says so: no code, or an unknown one, is not retryable. Source: wire contract 1.7. */
export const isRetryableCode = (code: number | undefined): boolean => code !== undefined && RETRYABLE.has(code)
