import { createHmac } from 'node:crypto'
import { sameText } from '../http/auth/identify.ts'

/** The stored address of an upload: an unguessable id, then its display name. */
export function fileUrl(baseUrl: string, id: string, name: string): string {
  return `${baseUrl}/files/${id}/${encodeURIComponent(name)}`
}

/** Matches our addresses with any port, in JSON or alone: id, name, query. */
export const OUR_URLS =
  /https?:\/\/(?:127\.0\.0\.1|localhost):\d{1,5}\/files\/(?:([a-f0-9]{32})(?![\w-])(\/[^/?#"\\]*)?(\?[^#"\\]*)?)?/g

/** The query of a stored address whose author may not open the file: it is returned without a signature. */
export const UNSIGNED = '?sig=none'

const OURS = /^https?:\/\/(?:127\.0\.0\.1|localhost):\d+\/files\/([a-f0-9]{32})(?:\/|\?|$)/

/** The id in one of our URLs. The port may differ from the current one: it changes with every start. */
export function fileIdIn(url: string): string | undefined {
  return OURS.exec(url)?.[1]
}

/** Upload addresses that are valid for a time, for anyone who has them. See docs/wire.md 8.16 "URL". */
export type FileUrls = {
  /** The address for a response. It stays the same for a day, so that clients can cache the file. */
  readonly signed: (id: string, name: string) => string
  /** Stored addresses with the current port and signed; those marked {@link UNSIGNED} stay unsigned. */
  readonly fresh: (text: string) => string
  /** Stored addresses with the current port only. */
  readonly moved: (text: string) => string
  /** Whether the query of an address has a valid signature that has not expired. */
  readonly holds: (id: string, query: URLSearchParams) => boolean
}

const DAY_SECONDS = 86_400

type SigningOptions = {
  readonly secret: string
  readonly baseUrl: () => string
  readonly nowMs: () => number
  /** The minimum validity of an address. */
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
