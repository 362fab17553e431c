import type { NotifyRecord } from '#shared/domain/notification.ts'

const HISTORY_LENGTH = 200

/** Decisions about the last messages, newest first. In memory: it only serves to explain them. */
export type History = {
  note(record: NotifyRecord): void
  /** The decision changed: the system refused the notification, or it was withdrawn. */
  change(messageId: string, fate: NotifyRecord['fate']): void
  of(messageId: string): NotifyRecord | undefined
  all(): readonly NotifyRecord[]
}

export function createHistory(): History {
  const records = new Map<string, NotifyRecord>()
  return {
    note(record) {
      records.set(record.messageId, record)
      if (records.size > HISTORY_LENGTH) records.delete(records.keys().next().value ?? '')
    },
    change(messageId, fate) {
      const known = records.get(messageId)
      if (known) records.set(messageId, { ...known, fate })
    },
    of: (messageId) => records.get(messageId),
    all: () => [...records.values()].toReversed(),
  }
}
