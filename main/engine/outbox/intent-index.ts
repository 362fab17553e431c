import type { Intent } from '#shared/domain/intent.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'

/**
 * The outbox in memory. Every step of every intent changes one entry, and thousands may be queued: only the lists that
 * contain it are rebuilt.
 */
type IntentIndex = {
  get(id: string): Intent | undefined
  size(): number
  /** Adds an intent, or replaces the one with the same id in its position. */
  put(intent: Intent): void
  remove(id: string): void
  /** Oldest first. */
  readonly all: () => readonly Intent[]
  readonly about: (messageId: MessageId) => readonly Intent[]
  readonly in: (cid: Cid) => readonly Intent[]
}

type Lists = Map<string, readonly Intent[]>

export function createIntentIndex(): IntentIndex {
  const byId = new Map<string, Intent>()
  const byMessage: Lists = new Map()
  const byChannel: Lists = new Map()
  let all: readonly Intent[] | undefined

  function place(
    lists: Lists,
    key: string | undefined,
    previous: Intent | undefined,
    current: Intent | undefined,
  ): void {
    if (key === undefined) return
    const list = lists.get(key) ?? []
    const after = current === undefined ? list.filter((each) => each !== previous) : joined(list, previous, current)
    if (after.length === 0) lists.delete(key)
    else lists.set(key, after)
  }

  function change(id: string, current: Intent | undefined): void {
    const previous = byId.get(id)
    const subject = current ?? previous
    if (!subject) return
    if (current) byId.set(id, current)
    else byId.delete(id)
    all = undefined
    place(byMessage, subject.messageId, previous, current)
    place(byChannel, subject.cid, previous, current)
  }

  return {
    get: (id) => byId.get(id),
    size: () => byId.size,
    put: (intent) => change(intent.id, intent),
    remove: (id) => change(id, undefined),
    all: () => (all ??= [...byId.values()].toSorted(bySeq)),
    about: (messageId) => byMessage.get(messageId) ?? [],
    in: (cid) => byChannel.get(cid) ?? [],
  }
}

const bySeq = (a: Intent, b: Intent): number => a.seq - b.seq

/** New intents have the highest sequence number: only one that is added again with its old number needs sorting. */
function joined(list: readonly Intent[], previous: Intent | undefined, current: Intent): readonly Intent[] {
  if (previous) return list.map((each) => (each === previous ? current : each))
  const last = list.at(-1)
  const all = [...list, current]
  return last && last.seq > current.seq ? all.toSorted(bySeq) : all
}
