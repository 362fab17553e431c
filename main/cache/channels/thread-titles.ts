import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { checked, insertInto, summed } from '../files/sums.ts'
import type { Reader, Tx } from '../store.ts'

/** The title of a thread, as last received from the server. An empty title means that it has none. */
type ThreadTitle = {
  readonly parentId: MessageId
  readonly cid: Cid
  readonly title: string
  /** Server time of this copy. */
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

/** An older copy does not replace a newer one. */
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
