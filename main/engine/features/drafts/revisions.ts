import type { DraftRow } from '#main/cache/rows.ts'
import type { ClientId } from '../../context.ts'

/**
 * Revisions of drafts, for several windows of one user: every change of a composer's content raises its revision, also the
 * one that empties it. A window that writes sends the revision it knows, so that it does not overwrite unseen text.
 */
export type DraftRevisions = {
  /** These rows were written or removed. */
  touched(keys: Iterable<string>): void
  /** The last change was made by this window. */
  setWriter(key: string, client: ClientId): void
  revision(key: string): number
  /** Whether something else has written since the revision that this window knows. */
  isUnseen(key: string, client: ClientId, known: number | undefined): boolean
}

type Parts = {
  /** Higher than all revisions of earlier runs. */
  readonly first: number
  /** Published as the entity `draftRevisions`. */
  readonly revisions: Map<string, number>
  readonly row: (key: string) => DraftRow | undefined
  readonly rows: () => readonly DraftRow[]
  readonly onRaised: (key: string) => void
}

export function createDraftRevisions({ first, revisions, row, rows, onRaised }: Parts): DraftRevisions {
  let last = first
  const writers = new Map<string, ClientId>()
  const known = new Map<string, DraftRow>(rows().map((each) => [each.key, each]))

  return {
    touched(keys) {
      for (const key of keys) {
        const current = row(key)
        if (isSame(known.get(key), current)) continue
        if (current) known.set(key, current)
        else known.delete(key)
        last += 1
        revisions.set(key, last)
        writers.delete(key)
        onRaised(key)
      }
    },
    setWriter: (key, client) => void writers.set(key, client),
    revision: (key) => revisions.get(key) ?? 0,
    isUnseen: (key, client, seen) =>
      seen !== undefined && (revisions.get(key) ?? 0) > seen && writers.get(key) !== client,
  }
}

/** The caret and the synchronization state are not part of the content. */
function isSame(a: DraftRow | undefined, b: DraftRow | undefined): boolean {
  return JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b))
}

function contentOf(row: DraftRow | undefined): unknown {
  if (row === undefined) return undefined
  const { text, quotedId, uploadIds, showInChannel, edit, lost } = row
  return [text, quotedId, uploadIds, showInChannel, edit, lost?.text]
}
