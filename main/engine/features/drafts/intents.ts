import type { IntentFor } from '#shared/domain/intent.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { createDraft, deleteDraft } from '#shared/wire/drafts.ts'
import type { Tx } from '#main/cache/tx.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import type { Core } from '../../core.ts'
import { timeOf } from '../../decode/read.ts'
import type { Done } from '../../outbox/runner.ts'

/** Sends the whole text; it replaces the composer's draft on the server. See docs/wire.md 3.6. */
export async function sendDraft(
  core: Pick<Core, 'api' | 'asOf' | 'drafts'>,
  intent: IntentFor<'create-draft'>,
  signal: AbortSignal,
): Promise<Done> {
  const { cid, parentId, payload, id } = intent
  const draftId = payload.draftId ?? id
  const { draft } = await core.api.send(createDraft, {
    params: splitCid(cid),
    body: {
      message: {
        id: draftId,
        text: payload.text,
        ...(parentId === undefined ? {} : { parent_id: parentId, show_in_channel: payload.showInChannel ?? false }),
        ...(payload.quotedId === undefined ? {} : { quoted_message_id: payload.quotedId }),
      },
    },
    signal,
  })
  const synced = { id: draftId, text: payload.text, at: timeOf(draft.created_at) ?? core.asOf() }
  return {
    finish: (tx) => {
      const row = drafts.byKey(tx, composerKey(cid, parentId))
      if (row && (row.synced?.at ?? 0) <= synced.at) drafts.put(tx, { ...row, synced })
    },
    after: () => core.drafts().known(composerKey(cid, parentId), true),
  }
}

export async function dropDraft(
  core: Pick<Core, 'api' | 'drafts'>,
  intent: IntentFor<'delete-draft'>,
  signal: AbortSignal,
): Promise<Done> {
  const { cid, parentId } = intent
  const query = parentId === undefined ? {} : { parent_id: parentId }
  await core.api.send(deleteDraft, { params: splitCid(cid), query, signal })
  return { after: () => core.drafts().known(composerKey(cid, parentId), false) }
}

/**
 * Empties the composer. Conflicting text stays until the user has decided, and so do an unfinished edit and an unfinished
 * poll.
 */
export function emptyComposer(tx: Tx, key: string, now: number): void {
  const row = drafts.byKey(tx, key)
  if (row === undefined || (row.lost === undefined && row.edit === undefined && row.polls === undefined)) {
    return void drafts.remove(tx, key)
  }
  const { quotedId: _quoted, synced: _synced, selectedTo: _selected, ...rest } = row
  drafts.put(tx, { ...rest, text: '', uploadIds: [], caret: 0, updatedAt: now })
}
