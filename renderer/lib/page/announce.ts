import { asSentence } from '../text/rich.tsx'

/** An announcement for screen readers. */
export type Announcement = Said & { readonly assertive: boolean; readonly serial: number }

/** `language`: what the text is written in, where that is known and may be another than the window’s. */
type Said = { readonly text: string; readonly language?: string | undefined }

type Waiting = Said & { readonly arrivals: Arrivals | undefined }

/** What arrived in a place that is on screen. */
type Arrivals = {
  /** Identifies the place: arrivals that still wait when it is left are dropped. */
  readonly place: string
  readonly count: number
  /** One text for several arrivals. */
  readonly many: (count: number) => string
}

/** At most one polite announcement in this time, so that they do not interrupt each other. */
const GAP_MS = 2_000

let serial = 0
let queue: Waiting[] = []
/** The pause after the last polite announcement. */
let gap: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<(announcement: Announcement) => void>()
/** Urgent texts that may not be read out yet: the next one would cut them off, so they are announced with it. */
let urgent: readonly { readonly text: string; readonly until: number }[] = []
/** Announced before the announcer is mounted, such as a lost connection at the start: the latest of each kind. */
let pending: readonly Announcement[] = []

/**
 * Announces a sentence. Polite ones that come within the pause after another wait for its end and are then announced
 * together; `assertive` does not wait, repeats others that have just come before it, and is only for a failed send, a lost
 * connection, and errors and warnings.
 */
export function announce(
  text: string,
  options: { assertive?: boolean; arrivals?: Arrivals; language?: string | undefined } = {},
): void {
  if (options.assertive === true) {
    const now = performance.now()
    const others = urgent.filter((each) => each.until > now && each.text !== text)
    urgent = [...others, { text, until: now + GAP_MS }]
    notify(joined(urgent), true)
    return
  }
  queue.push({ text, arrivals: options.arrivals, language: options.language })
  if (gap === undefined) announceWaiting()
}

export function onAnnouncement(listener: (announcement: Announcement) => void): () => void {
  listeners.add(listener)
  for (const announcement of pending) listener(announcement)
  pending = []
  return () => listeners.delete(listener)
}

/** Drops what was not announced yet, and waits for nothing: it is of an account that this window no longer shows. */
export function dropAnnouncements(): void {
  clearTimeout(gap)
  gap = undefined
  queue = []
  urgent = []
  pending = []
}

/** Drops the waiting arrivals of a place that is no longer on screen. */
export function dropArrivals(place: string): void {
  queue = queue.filter(({ arrivals }) => arrivals?.place !== place)
}

function announceWaiting(): void {
  const waiting = queue
  queue = []
  gap = undefined
  if (waiting.length === 0) return
  gap = setTimeout(announceWaiting, GAP_MS)
  notify(joined(merged(waiting)), false)
}

/** The texts in their order, each once; the arrivals of a place as one text, where its first one is. */
function merged(waiting: readonly Waiting[]): readonly Said[] {
  const texts = waiting.map(({ text, arrivals, language }) => {
    if (arrivals === undefined) return { text, language }
    const same = waiting.flatMap((each) => (each.arrivals?.place === arrivals.place ? each.arrivals.count : []))
    return same.length === 1 ? { text, language } : { text: arrivals.many(same.reduce((sum, count) => sum + count, 0)) }
  })
  return [...new Map(texts.map((said) => [said.text, said])).values()]
}

/** Several texts as sentences, which are in no language together. */
function joined(texts: readonly Said[]): Said {
  const [only = { text: '' }, ...more] = texts
  return more.length === 0 ? only : { text: texts.map(({ text }) => asSentence(text)).join(' ') }
}

function notify({ text, language }: Said, assertive: boolean): void {
  serial += 1
  const announcement = { text, language, assertive, serial }
  if (listeners.size === 0) pending = [...pending.filter((each) => each.assertive !== assertive), announcement]
  for (const listener of listeners) listener(announcement)
}
