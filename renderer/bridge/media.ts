import type { Bridge } from '#shared/bridge/transport.ts'

/** URLs of media by entity, cached so that a list does not request the same portrait twice. */
export type MediaCache = {
  /** Resolves with the URL; `fresh` bypasses the cache. */
  url(ref: string, variant: 'full' | 'thumb', fresh?: boolean): Promise<string>
  /** The URL if it is cached: avoids a frame without the image. */
  known(ref: string, variant: 'full' | 'thumb'): string | undefined
  /** Clears the cache when the account changes: the same reference may be another image, also in the browser's HTTP cache. */
  forget(): void
}

/** Signed URLs of the browser host are valid for five minutes; they are renewed a little earlier. */
const KEEP_MS = 4 * 60_000
const MAX_KNOWN = 2_000

type Entry = { readonly url: Promise<string>; readonly at: number; value?: string }

export function createMediaCache(bridge: Bridge, now: () => number = () => performance.now()): MediaCache {
  const entries = new Map<string, Entry>()
  let account = 0
  const live = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    return entry !== undefined && now() - entry.at < KEEP_MS ? entry : undefined
  }
  return {
    url(ref, variant, fresh = false) {
      const key = `${variant} ${ref}`
      const cached = fresh ? undefined : live(key)
      if (cached !== undefined) return cached.url
      if (entries.size > MAX_KNOWN) entries.clear()
      const entry: Entry = { url: bridge.mediaUrl(ref, variant).then((url) => numbered(url, account)), at: now() }
      entries.set(key, entry)
      entry.url.then(
        (value) => (entry.value = value),
        () => entries.delete(key),
      )
      return entry.url
    },
    known: (ref, variant) => live(`${variant} ${ref}`)?.value,
    forget() {
      entries.clear()
      account += 1
    },
  }
}

/** `media:` URLs are the same in every account and cached by the browser, so a number tells accounts apart; other URLs are unique. */
const numbered = (url: string, account: number): string =>
  account > 0 && url.startsWith('media:') ? `${url}?${account}` : url
