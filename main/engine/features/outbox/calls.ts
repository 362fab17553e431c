import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Intent, IntentFor } from '#shared/domain/intent.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { EMPTY_COMPOSITION, mergeCompositions } from '#shared/rules/compositions.ts'
import type { Tx } from '#main/cache/tx.ts'
import * as drafts from '#main/cache/tables/drafts.ts'
import * as uploads from '#main/cache/tables/uploads.ts'
import type { CallContext } from '../../context.ts'
import type { Core } from '../../core.ts'
import { uploadIntent } from '../uploads/calls.ts'
import { forgetUploads } from '../uploads/staging.ts'

/** The outbox panel: nothing in it is ever dropped but by a person. */
export function outboxCalls(core: Core): HandlersOf<'outbox', CallContext> {
  return {
    open: (_input, { client }) => core.collector.openPlain(client, 'outbox'),
    close: (_input, { client }) => core.collector.close(client, 'outbox'),
    retry: ({ id }) => {
      const intent = core.outbox.byId(id)
      if (!intent) return
      if (intent.kind === 'send-message') reviveUploads(core, intent)
      if (intent.kind === 'upload') repairUpload(core, intent.payload.uploadId)
      core.outbox.revive(id)
      core.runner.hurry(id)
    },
    schedule: ({ id, at }) => {
      if (core.outbox.byId(id)?.state !== 'scheduled') throw new AppError('outbox/gone')
      if (at === undefined) return core.runner.release(id)
      core.outbox.reschedule(id, at)
      core.runner.kick()
    },
    discard: ({ id }) => discard(core, idle(core, id)),
    takeBack: ({ id }) => {
      const intent = idle(core, id)
      if (intent.kind !== 'send-message') throw new AppError('outbox/not-a-message')
      return takeBack(core, intent)
    },
  }
}

function idle(core: Core, id: string): Intent {
  const intent = core.outbox.byId(id)
  if (!intent) throw new AppError('outbox/gone')
  if (intent.state === 'inflight') throw new AppError('outbox/in-flight')
  return intent
}

type TakenBack = Awaited<ReturnType<HandlersOf<'outbox', CallContext>['takeBack']>>

/**
 * Everything goes back to the draft of its composer in the transaction that drops the intent: a crash loses neither
 * words nor files.
 */
function takeBack(core: Core, intent: IntentFor<'send-message'>): TakenBack {
  const { cid, parentId, payload } = intent
  const { text, uploadIds, showInChannel, quotedId } = payload
  const key = composerKey(cid, parentId)
  const back = { text, uploadIds, showInChannel, ...(quotedId === undefined ? {} : { quotedId }) }
  withdraw(core, intent, (tx) => {
    for (const id of uploadIds) uploads.change(tx, id, { messageId: undefined })
    const draft = mergeCompositions({ ...back, caret: text.length }, drafts.byKey(tx, key) ?? EMPTY_COMPOSITION)
    const { synced, lost } = drafts.byKey(tx, key) ?? {}
    drafts.put(tx, { ...draft, key, cid, parentId, updatedAt: core.ports.clock.now(), synced, lost })
  })
  core.runner.kick()
  return { ...back, cid, ...(parentId === undefined ? {} : { parentId }) }
}

/** Drops an unsent message; one that was tried may be on the server all the same, and a delete follows it there. */
function withdraw(core: Core, intent: IntentFor<'send-message'>, within?: (tx: Tx) => void): void {
  const { cid, parentId, messageId, id } = intent
  if (messageId === undefined) return core.outbox.remove([id], within)
  const payload = { deletedAt: core.serverNow() }
  core.outbox.add({ kind: 'delete-message', cid, parentId, messageId, payload }, within)
}

function discard(core: Core, intent: Intent): void {
  if (intent.kind === 'send-message') {
    withdraw(core, intent)
    forgetUploads(core, intent.payload.uploadIds)
  } else if (intent.kind === 'upload' && isLoose(core, intent.payload.uploadId)) {
    forgetUploads(core, [intent.payload.uploadId])
  } else if (intent.kind === 'upload') {
    // Its message waits for it: without the file the message is parked, never sent without it.
    const { uploadId } = intent.payload
    core.outbox.remove([intent.id], (tx) => void uploads.change(tx, uploadId, { state: 'failed', reason: 'missing' }))
  } else {
    core.outbox.remove([intent.id])
  }
  core.runner.kick()
}

const isLoose = (core: Core, uploadId: string): boolean =>
  uploads.byId(core.stores.outbox.reader, uploadId)?.messageId === undefined

function reviveUploads(core: Core, intent: IntentFor<'send-message'>): void {
  for (const row of uploads.byIds(core.stores.outbox.reader, intent.payload.uploadIds)) {
    if (row.state !== 'failed') continue
    repairUpload(core, row.id)
    const waiting = uploadIntent(core, row.id)
    if (waiting) core.outbox.revive(waiting.id)
    else core.outbox.add({ kind: 'upload', cid: row.cid, payload: { uploadId: row.id } })
  }
}

const repairUpload = (core: Core, id: string): void =>
  void core.stores.outbox.transaction((tx) => uploads.change(tx, id, { state: 'pending', reason: undefined }))
