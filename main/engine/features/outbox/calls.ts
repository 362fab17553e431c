import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Intent, IntentFor } from '#shared/domain/intent.ts'
import { AppError } from '#shared/lib/app-error.ts'
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
    discard: ({ id }) => discard(core, idle(core, id)),
    takeBack: ({ id }) => {
      const intent = idle(core, id)
      if (intent.kind !== 'send-message') throw new AppError('outbox/not-a-message')
      discard(core, intent)
      const { cid, parentId, payload } = intent
      return { text: payload.text, cid, ...(parentId === undefined ? {} : { parentId }) }
    },
  }
}

function idle(core: Core, id: string): Intent {
  const intent = core.outbox.byId(id)
  if (!intent) throw new AppError('outbox/gone')
  if (intent.state === 'inflight') throw new AppError('outbox/in-flight')
  return intent
}

/** A message that was tried may be on the server all the same: then a delete follows it there. */
function discard(core: Core, intent: Intent): void {
  if (intent.kind === 'send-message' && intent.messageId !== undefined) {
    const { cid, parentId, messageId } = intent
    core.outbox.add({ kind: 'delete-message', cid, parentId, messageId, payload: { deletedAt: core.serverNow() } })
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
