import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type { Reader, Tx } from '../tx.ts'

/** What a thread is called, as the server said last. An empty title says that it has none of its own. */
export type ThreadTitle = {
  readonly parentId: MessageId
  readonly cid: Cid
  readonly title: string
  /** Server time this word stands for. */
  readonly asOf: number
}

type Stored = { readonly title: string; readonly as_of: number }

const BY_ID = 'SELECT title, as_of FROM thread_titles WHERE parent_id = ?'
const PUT = 'INSERT OR REPLACE INTO thread_titles (parent_id, cid, title, as_of) VALUES (?, ?, ?, ?)'

export function titleOf(reader: Reader, parentId: MessageId): string | undefined {
  const title = reader.db.get<Stored>(BY_ID, parentId)?.title ?? ''
  return title === '' ? undefined : title
}

/** An older word does not replace a newer one. */
export function put(tx: Tx, { parentId, cid, title, asOf }: ThreadTitle): void {
  const known = tx.db.get<Stored>(BY_ID, parentId)
  if (known === undefined ? title === '' : known.as_of > asOf || known.title === title) return
  tx.db.run(PUT, parentId, cid, title, asOf)
  tx.touch('messages', parentId)
}
