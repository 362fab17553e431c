import { createHmac } from 'node:crypto'
import { sameText } from '../http/auth/identify.ts'

/** An upload's address as it is stored: an unguessable id, then its name for people. */
export function fileUrl(baseUrl: string, id: string, name: string): string {
  return `${baseUrl}/files/${id}/${encodeURIComponent(name)}`
}

/** One of our addresses, at whatever port it was given out: its id, its name, what follows. In JSON or alone. */
export const OUR_URLS =
  /https?:\/\/(?:127\.0\.0\.1|localhost):\d{1,5}\/files\/(?:([a-f0-9]{32})(?![\w-])(\/[^/?#"\\]*)?(\?[^#"\\]*)?)?/g

/** What follows an address that anyone who stored it had no right to: it is given out without a signature. */
export const UNSIGNED = '?sig=none'

const OURS = /^https?:\/\/(?:127\.0\.0\.1|localhost):\d+\/files\/([a-f0-9]{32})(?:\/|\?|$)/

/** The id in one of our URLs. The port may be another one than today's: it changes from start to start. */
export function fileIdIn(url: string): string | undefined {
  return OURS.exec(url)?.[1]
}

/** Addresses of uploads that hold for a time, for anyone who has them. See docs/wire.md 8.16 "URL". */
export type FileUrls = {
  /** As it is answered now. The same for a day, so that what shows it need not fetch it again. */
  readonly signed: (id: string, name: string) => string
  /** Stored addresses with today's port, and signed; those marked {@link UNSIGNED} stay as they are. */
  readonly fresh: (text: string) => string
  /** With today's port only. */
  readonly moved: (text: string) => string
  /** Whether the query of an address holds a signature of ours that is not over. */
  readonly holds: (id: string, query: URLSearchParams) => boolean
}

const DAY_SECONDS = 86_400

type SigningOptions = {
  readonly secret: string
  readonly baseUrl: () => string
  readonly nowMs: () => number
  /** How long an address holds at least. */
  readonly seconds: () => number
}

export function signedUrls({ secret, baseUrl, nowMs, seconds }: SigningOptions): FileUrls {
  const signature = (id: string, exp: number): string =>
    createHmac('sha256', secret).update(`file\n${id}\n${exp}`).digest('base64url')
  const end = (): number => {
    const step = Math.min(DAY_SECONDS, seconds())
    return Math.ceil((nowMs() / 1_000 + seconds()) / step) * step
  }
  const sign = (url: string, id: string, exp: number): string => `${url}?sig=${signature(id, exp)}&exp=${exp}`
  const rewritten = (text: string, done: (url: string, id: string, query: string) => string): string =>
    text.includes('/files/')
      ? text.replaceAll(OUR_URLS, (_whole, id: string | undefined, name = '', query = '') =>
          id === undefined ? `${baseUrl()}/files/` : done(`${baseUrl()}/files/${id}${name}`, id, query),
        )
      : text
  return {
    signed: (id, name) => sign(fileUrl(baseUrl(), id, name), id, end()),
    fresh: (text) => rewritten(text, (url, id, query) => (query === UNSIGNED ? url + query : sign(url, id, end()))),
    moved: (text) => rewritten(text, (url, _id, query) => url + query),
    holds(id, query) {
      const exp = Number(/^\d{1,12}$/.exec(query.get('exp') ?? '')?.[0] ?? Number.NaN)
      return exp * 1_000 > nowMs() && sameText(query.get('sig') ?? '', signature(id, exp))
    },
  }
}
