import type { Intent } from '#shared/domain/intent.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'

/**
 * The outbox as it stands in memory. Every step of every intent changes one of them, and thousands may wait: only the lists
 * it stands in are made again.
 */
type IntentIndex = {
  get(id: string): Intent | undefined
  size(): number
  /** A new one, or the one of this id as it is now; it keeps its place. */
  put(intent: Intent): void
  remove(id: string): void
  /** Oldest first. */
  readonly all: () => readonly Intent[]
  readonly about: (messageId: MessageId) => readonly Intent[]
  readonly in: (cid: Cid) => readonly Intent[]
}

type Lists = Map<string, readonly Intent[]>

export function createIntentIndex(): IntentIndex {
  const held = new Map<string, Intent>()
  const byMessage: Lists = new Map()
  const byChannel: Lists = new Map()
  let all: readonly Intent[] | undefined

  function place(lists: Lists, key: string | undefined, before: Intent | undefined, now: Intent | undefined): void {
    if (key === undefined) return
    const list = lists.get(key) ?? []
    const after = now === undefined ? list.filter((each) => each !== before) : joined(list, before, now)
    if (after.length === 0) lists.delete(key)
    else lists.set(key, after)
  }

  function change(id: string, now: Intent | undefined): void {
    const before = held.get(id)
    const of = now ?? before
    if (!of) return
    if (now) held.set(id, now)
    else held.delete(id)
    all = undefined
    place(byMessage, of.messageId, before, now)
    place(byChannel, of.cid, before, now)
  }

  return {
    get: (id) => held.get(id),
    size: () => held.size,
    put: (intent) => change(intent.id, intent),
    remove: (id) => change(id, undefined),
    all: () => (all ??= [...held.values()].toSorted(bySeq)),
    about: (messageId) => byMessage.get(messageId) ?? [],
    in: (cid) => byChannel.get(cid) ?? [],
  }
}

const bySeq = (a: Intent, b: Intent): number => a.seq - b.seq

/** Newer ones stand behind: only an intent that comes back with an old place has to look for it. */
function joined(list: readonly Intent[], before: Intent | undefined, now: Intent): readonly Intent[] {
  if (before) return list.map((each) => (each === before ? now : each))
  const last = list.at(-1)
  const all = [...list, now]
  return last && last.seq > now.seq ? all.toSorted(bySeq) : all
}
