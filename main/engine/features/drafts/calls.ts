import { composerKey } from '#shared/domain/draft.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import * as table from '#main/cache/tables/drafts.ts'
import type { CallContext } from '../../context.ts'
import type { Core } from '../../core.ts'
import { forgetUploads } from '../uploads/staging.ts'

/** Drafts are always kept on disk, beside the outbox. Sending them to the server is off (ruling 11). */
export function draftCalls(core: Core): HandlersOf<'drafts', CallContext> {
  return {
    save: (input) => {
      const key = composerKey(input.cid, input.parentId)
      const isEmpty = input.text.trim() === '' && input.uploadIds.length === 0 && input.quotedId === undefined
      core.stores.outbox.transaction((tx) => {
        if (isEmpty) table.remove(tx, key)
        else table.put(tx, { ...input, key, updatedAt: core.ports.clock.now() })
      })
    },
    discard: ({ key }) => {
      const row = core.stores.outbox.transaction((tx) => table.remove(tx, key))
      if (row) forgetUploads(core, row.uploadIds)
    },
  }
}
