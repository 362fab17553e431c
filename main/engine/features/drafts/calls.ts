import { composerKey } from '#shared/domain/draft.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { DraftRow } from '#main/cache/rows.ts'
import * as table from '#main/cache/tables/drafts.ts'
import type { CallContext } from '../../context.ts'
import type { Core } from '../../core.ts'
import { forgetUploads } from '../uploads/staging.ts'
import { emptyComposer } from './wishes.ts'

/** Drafts are always kept on disk, beside the outbox; {@link createDraftSync} takes them further (ruling 11). */
export function draftCalls(core: Core): HandlersOf<'drafts', CallContext> {
  return {
    save: (input) => {
      const key = composerKey(input.cid, input.parentId)
      const isEmpty = input.text.trim() === '' && input.uploadIds.length === 0 && input.quotedId === undefined
      const updatedAt = core.ports.clock.now()
      core.stores.outbox.transaction((tx) => {
        const known = table.byKey(tx, key)
        if (isEmpty) emptyComposer(tx, key, updatedAt)
        else table.put(tx, { ...input, key, updatedAt, synced: known?.synced, lost: known?.lost })
      })
    },
    discard: ({ key }) => {
      const row = core.stores.outbox.transaction((tx) => table.remove(tx, key))
      if (row) forgetUploads(core, row.uploadIds)
    },
    dismissConflict: ({ key }) => {
      core.stores.outbox.transaction((tx) => {
        const row = table.byKey(tx, key)
        if (!row) return
        const { lost: _lost, ...rest } = row
        if (isBlank(rest)) table.remove(tx, key)
        else table.put(tx, rest)
      })
    },
  }
}

const isBlank = ({ text, uploadIds, quotedId }: DraftRow): boolean =>
  text.trim() === '' && uploadIds.length === 0 && quotedId === undefined
