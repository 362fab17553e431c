import type { Cid, MessageId } from '#shared/lib/brand.ts'
import * as answers from '#main/cache/answered-lists.ts'
import * as channels from '#main/cache/channels/channels.ts'
import { fromJson } from '#main/cache/sql.ts'
import * as meta from '#main/cache/meta.ts'
import type { Reader, Tx } from '#main/cache/tx.ts'

const KEY = 'thread-inbox'

export type ListedThread = { readonly parentId: MessageId; readonly cid: Cid }

/** The threads as the server last listed them, also while offline; those of removed channels are omitted. */
export function listedThreads(reader: Reader): readonly ListedThread[] {
  const stored = fromJson<readonly ListedThread[]>(reader.db, meta.get(reader, KEY) ?? '[]')
  return stored.filter((each) => channels.byCid(reader, each.cid) !== undefined)
}

export function storeListed(tx: Tx, threads: readonly ListedThread[]): void {
  meta.set(tx, KEY, JSON.stringify(threads))
  answers.note(tx, 'threads')
  tx.touchWindow('threads')
}
