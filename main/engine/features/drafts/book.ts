import type { DraftRow } from '#main/cache/rows.ts'
import type { ClientId } from '../../context.ts'

/**
 * Which draft is newer, for the windows of one person: every change of what a composer holds has a revision, its end too.
 * A window says which one it knows when it writes, so that nothing it never saw is written over.
 */
export type DraftBook = {
  /** These rows were written or removed. */
  touched(keys: Iterable<string>): void
  /** Whatever was written since by this window is its own. */
  signed(key: string, client: ClientId): void
  revision(key: string): number
  /** Another window, or no one's window, has written since the revision that this window knows. */
  isUnseen(key: string, client: ClientId, known: number | undefined): boolean
}

type Parts = {
  /** Above all revisions of earlier runs. */
  readonly first: number
  /** Published as the entity `draftRevisions`. */
  readonly revisions: Map<string, number>
  readonly row: (key: string) => DraftRow | undefined
  readonly rows: () => readonly DraftRow[]
  readonly onRaised: (key: string) => void
}

export function createDraftBook({ first, revisions, row, rows, onRaised }: Parts): DraftBook {
  let last = first
  const writers = new Map<string, ClientId>()
  const known = new Map<string, DraftRow>(rows().map((each) => [each.key, each]))

  return {
    touched(keys) {
      for (const key of keys) {
        const now = row(key)
        if (isSame(known.get(key), now)) continue
        if (now) known.set(key, now)
        else known.delete(key)
        last += 1
        revisions.set(key, last)
        writers.delete(key)
        onRaised(key)
      }
    },
    signed: (key, client) => void writers.set(key, client),
    revision: (key) => revisions.get(key) ?? 0,
    isUnseen: (key, client, seen) =>
      seen !== undefined && (revisions.get(key) ?? 0) > seen && writers.get(key) !== client,
  }
}

/** Where the caret stands and what the server holds of it is no other draft. */
function isSame(a: DraftRow | undefined, b: DraftRow | undefined): boolean {
  return JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b))
}

function contentOf(row: DraftRow | undefined): unknown {
  if (row === undefined) return undefined
  const { text, quotedId, uploadIds, showInChannel, edit, lost } = row
  return [text, quotedId, uploadIds, showInChannel, edit, lost?.text]
}
