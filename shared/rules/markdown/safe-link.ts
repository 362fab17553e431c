/** Which links can be opened, and what a link must show so that it cannot deceive. */

type Address = {
  readonly href: string
  readonly protocol: string
  readonly hostname: string
  readonly username: string
  readonly password: string
}

/** Every platform has it, but it is in none of the libraries that this layer may use. */
const { URL } = globalThis as unknown as {
  readonly URL: { new (address: string): Address; canParse(address: string): boolean }
}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])
const MAX_LENGTH = 2_048
/** Control, bidi control, zero-width and tag characters: a legitimate address never needs them. */
const HIDDEN = /[\p{Cc}\u0020\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/u

type SafeLink = {
  readonly href: string
  /** Host in punycode; empty for mail. */
  readonly host: string
  readonly scheme: 'http' | 'https' | 'mailto'
}

/** The normalized link; `undefined` if it must stay plain text. */
export function safeLink(address: string): SafeLink | undefined {
  if (address.length > MAX_LENGTH || HIDDEN.test(address)) return undefined
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !SCHEMES.has(url.protocol) || url.username !== '' || url.password !== '') return undefined
  if (url.protocol !== 'mailto:' && url.hostname === '') return undefined
  return { href: url.href, host: url.hostname, scheme: url.protocol.slice(0, -1) as SafeLink['scheme'] }
}

/**
 * The host to show beside the text of a link, if the text looks like an address with another host, or the host has
 * look-alike letters. `undefined` if the text matches the address.
 */
export function hostToShow(link: SafeLink, text: string): string | undefined {
  if (link.scheme === 'mailto') return text.includes('@') && !link.href.includes(text.trim()) ? mailOf(link) : undefined
  const claimed = hostIn(text)
  if (claimed !== undefined && claimed !== link.host) return link.host
  if (link.host.includes('xn--') && isLookAlike(text)) return link.host
  return claimed === undefined && link.host.includes('xn--') ? link.host : undefined
}

/** Opening needs a confirmation: no encryption, or a host with look-alike letters. */
export const asksFirst = (link: SafeLink): boolean =>
  link.scheme === 'http' || (link.scheme === 'https' && link.host.split('.').some((label) => label.startsWith('xn--')))

/** The host that a text claims to link to: of `https://a.b/c`, `www.a.b` and `a.b/c`; `undefined` for plain text. */
function hostIn(label: string): string | undefined {
  const text = label.trim().replace(/…$/, '')
  if (/\s/.test(text) || !text.includes('.')) return undefined
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : /^[^/@:]+\.[^/@:]{2,}([/:?#].*)?$/.test(text)
      ? `https://${text}`
      : ''
  return URL.canParse(address) ? new URL(address).hostname : undefined
}

/** Letters of two scripts in one label, or Cyrillic or Greek under a Latin top-level domain. */
function isLookAlike(text: string): boolean {
  const host =
    text
      .trim()
      .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
      .split(/[/?#:]/)[0] ?? ''
  const labels = host.split('.')
  const ending = labels.at(-1) ?? ''
  return labels.some(
    (label) => scripts(label) > 1 || (/[\p{sc=Cyrl}\p{sc=Grek}]/u.test(label) && /^[a-z]+$/i.test(ending)),
  )
}

const SCRIPTS = [
  /\p{sc=Latn}/u,
  /\p{sc=Cyrl}/u,
  /\p{sc=Grek}/u,
  /\p{sc=Armn}/u,
  /\p{sc=Cher}/u,
  /\p{sc=Hebr}/u,
  /\p{sc=Arab}/u,
]
const scripts = (label: string): number => SCRIPTS.filter((script) => script.test(label)).length

const mailOf = (link: SafeLink): string => link.href.slice('mailto:'.length).split('?')[0] ?? ''
