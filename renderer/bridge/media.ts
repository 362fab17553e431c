import type { Bridge } from '#shared/bridge/transport.ts'

/** Addresses of media by entity, remembered so that a list does not ask for the same portrait twice. */
export type MediaCache = {
  /** Answers the address; `fresh` forgets the remembered one first. */
  url(ref: string, variant: 'full' | 'thumb', fresh?: boolean): Promise<string>
  /** The address if it is already known: spares a frame without a picture. */
  known(ref: string, variant: 'full' | 'thumb'): string | undefined
  /** Another account is shown: the same reference may mean other bytes, also to the browser's own cache. */
  forget(): void
}

/** Capability addresses of the browser host are good for five minutes; renewed a little before. */
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
      const held = fresh ? undefined : live(key)
      if (held !== undefined) return held.url
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

/** Addresses of entities are the same in every account, and the browser keeps what it fetched; others are good once. */
const numbered = (url: string, account: number): string =>
  account > 0 && url.startsWith('media:') ? `${url}?${account}` : url
