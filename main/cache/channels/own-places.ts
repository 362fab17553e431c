import type { Cid } from '#shared/lib/brand.ts'
import { asCid } from '#shared/lib/brand.ts'
import type { Reader } from '../tx.ts'
import { optional } from '../json.ts'

/** Channels the viewer pinned or archived. Few rows: most channels are neither. */
type OwnPlace = {
  readonly cid: Cid
  readonly pinnedAt: number | undefined
  readonly archivedAt: number | undefined
}

type Stored = { cid: string; pinned_at: number | null; archived_at: number | null }

const OWN = `SELECT cid, pinned_at, archived_at FROM members
  WHERE user_id = ? AND (pinned_at IS NOT NULL OR archived_at IS NOT NULL)`

export function own(reader: Reader): readonly OwnPlace[] {
  return reader.db.memo.of('places', () =>
    reader.db.all<Stored>(OWN, reader.viewerId).map((row) => ({
      cid: asCid(row.cid),
      pinnedAt: optional(row.pinned_at),
      archivedAt: optional(row.archived_at),
    })),
  )
}
