/** What to do with an external URL, and why. The reasons are stable codes. */
export type ExternalDecision =
  | { readonly action: 'open'; readonly url: string }
  | {
      readonly action: 'ask'
      readonly url: string
      readonly host: string
      readonly reason: 'not-encrypted' | 'look-alike' | 'many'
    }
  | {
      readonly action: 'refuse'
      readonly reason: 'too-long' | 'odd-characters' | 'not-an-address' | 'scheme' | 'user-info'
    }

const MAX_EXTERNAL_LENGTH = 2_048
/** After more than this many in the period, the user is asked first. */
const EXTERNAL_BURST = 5
const EXTERNAL_SPAN_MS = 10_000

const SCHEMES = new Set(['https:', 'http:', 'mailto:'])
/** Controls, spaces, bidirectional marks and other invisible ones. */
const ODD = /[\p{Cc}\p{Cf}\s\\]/u

/**
 * Whether a URL may be opened by the system. Always serialised again, so that the URL opened is the URL checked.
 *
 * @param opened times at which this window opened addresses, epoch milliseconds
 */
export function externalDecision(text: string, opened: readonly number[], now: number): ExternalDecision {
  if (text.length > MAX_EXTERNAL_LENGTH) return { action: 'refuse', reason: 'too-long' }
  if (ODD.test(text)) return { action: 'refuse', reason: 'odd-characters' }
  if (!URL.canParse(text)) return { action: 'refuse', reason: 'not-an-address' }
  const url = new URL(text)
  if (!SCHEMES.has(url.protocol)) return { action: 'refuse', reason: 'scheme' }
  if (url.username !== '' || url.password !== '') return { action: 'refuse', reason: 'user-info' }
  const ask = (reason: 'not-encrypted' | 'look-alike' | 'many') =>
    ({ action: 'ask', url: url.href, host: url.host, reason }) as const
  // The parser has converted look-alike letters to punycode: the dialog shows that form.
  if (url.hostname.split('.').some((label) => label.startsWith('xn--'))) return ask('look-alike')
  if (url.protocol === 'http:') return ask('not-encrypted')
  if (opened.filter((at) => now - at < EXTERNAL_SPAN_MS).length >= EXTERNAL_BURST) return ask('many')
  return { action: 'open', url: url.href }
}
