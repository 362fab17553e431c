import type { NotifyRecord } from '#shared/domain/notification.ts'

const KEPT = 200

/** What became of the last messages that came, newest first. In memory: it is for asking why, not for keeping. */
export type History = {
  note(record: NotifyRecord): void
  /** The fate of a message changed: the system refused it, or it was taken back. */
  change(messageId: string, fate: NotifyRecord['fate']): void
  of(messageId: string): NotifyRecord | undefined
  all(): readonly NotifyRecord[]
}

export function createHistory(): History {
  const records = new Map<string, NotifyRecord>()
  return {
    note(record) {
      records.set(record.messageId, record)
      if (records.size > KEPT) records.delete(records.keys().next().value ?? '')
    },
    change(messageId, fate) {
      const known = records.get(messageId)
      if (known) records.set(messageId, { ...known, fate })
    },
    of: (messageId) => records.get(messageId),
    all: () => [...records.values()].toReversed(),
  }
}
