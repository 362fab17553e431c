/** An announcement for screen readers. */
export type Announcement = { readonly text: string; readonly assertive: boolean; readonly serial: number }

/** At most one polite announcement in this time, so that they do not interrupt each other. */
const GAP_MS = 1_000

let serial = 0
let queue: Announcement[] = []
/** The pause after the last polite announcement. */
let gap: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<(announcement: Announcement) => void>()
/** Announced before the announcer is mounted, such as a lost connection at the start. */
let pending: Announcement | undefined

/**
 * Announces a sentence. Polite ones queue; `assertive` does not wait and is only for a failed send and a lost connection.
 */
export function announce(text: string, options: { assertive?: boolean } = {}): void {
  serial += 1
  const announcement = { text, assertive: options.assertive === true, serial }
  if (announcement.assertive) {
    notify(announcement)
    return
  }
  queue.push(announcement)
  if (gap === undefined) announceNext()
}

export function onAnnouncement(listener: (announcement: Announcement) => void): () => void {
  listeners.add(listener)
  if (pending) listener(pending)
  pending = undefined
  return () => listeners.delete(listener)
}

/** Drops what was not announced yet, and waits for nothing: it is of an account that this window no longer shows. */
export function dropAnnouncements(): void {
  clearTimeout(gap)
  gap = undefined
  queue = []
  pending = undefined
}

function announceNext(): void {
  const [next, ...rest] = queue
  queue = rest
  gap = undefined
  if (next === undefined) return
  gap = setTimeout(announceNext, GAP_MS)
  notify(next)
}

function notify(announcement: Announcement): void {
  if (listeners.size === 0) pending = announcement
  for (const listener of listeners) listener(announcement)
}
