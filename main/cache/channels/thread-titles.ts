import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { checked, insertInto, summed } from '../files/sums.ts'
import type { Reader, Tx } from '../tx.ts'

/** What a thread is called, as the server said last. An empty title says that it has none of its own. */
type ThreadTitle = {
  readonly parentId: MessageId
  readonly cid: Cid
  readonly title: string
  /** Server time this word stands for. */
  readonly asOf: number
}

type Stored = {
  readonly parent_id: string
  readonly cid: string
  readonly title: string
  readonly as_of: number
  readonly sum: number
}

const BY_ID = 'SELECT * FROM thread_titles WHERE parent_id = ?'
const PUT = insertInto('thread_titles')

export function titleOf(reader: Reader, parentId: MessageId): string | undefined {
  const title = stored(reader, parentId)?.title ?? ''
  return title === '' ? undefined : title
}

/** An older word does not replace a newer one. */
export function put(tx: Tx, { parentId, cid, title, asOf }: ThreadTitle): void {
  const known = stored(tx, parentId)
  if (known === undefined ? title === '' : known.as_of > asOf || known.title === title) return
  tx.db.run(PUT, ...summed('thread_titles', { parent_id: parentId, cid, title, as_of: asOf }))
  tx.touch('messages', parentId)
}

function stored({ db }: Reader, parentId: string): Stored | undefined {
  const row = db.get<Stored>(BY_ID, parentId)
  return row && checked(db, 'thread_titles', row)
}
