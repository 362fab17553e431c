import { MAX_SLOT_MS, staggeredClose, type StaggeredClose } from '#shared/wire/connect.ts'

/** Eight connections a second come back; more than 240 share half a minute. */
const APART_MS = 125

/**
 * Close frames of an orderly stop, one for each of `count` connections: the first may come back at once, each other one
 * a moment after the previous one.
 */
export function createStaggeredClose(count: number): () => StaggeredClose {
  const apartMs = Math.min(APART_MS, MAX_SLOT_MS / Math.max(1, count - 1))
  let sent = 0
  return () => {
    const slotMs = Math.min(MAX_SLOT_MS, Math.round(sent * apartMs))
    sent += 1
    return staggeredClose(slotMs)
  }
}
