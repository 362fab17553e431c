import type { IntentFor } from '#shared/domain/intent.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import { uploadFile, uploadImage } from '#shared/wire/uploads.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { type KindOfIntent, reasonOf } from '../../outbox/outbox.ts'
import { Refusal, type Done } from '../../outbox/runner.ts'
import { uploadCalls, eraseUploaded } from './calls.ts'
import { tidyStaging, stagedPath, loadUploadRules } from './staging.ts'

type SendParts = Pick<
  Core,
  'api' | 'background' | 'collector' | 'life' | 'memory' | 'ports' | 'stagingFolder' | 'stores'
>

const uploading: KindOfIntent<'upload', SendParts> = {
  perform: upload,
  /** A failed file is notified with an agreed text. */
  parked(core, intent) {
    const { uploadId } = intent.payload
    const code = reasonOf(intent)
    const name = uploads.byId(core.stores.outbox.reader, uploadId)?.name ?? ''
    const isMissing = code === 'upload/missing'
    core.stores.outbox.transaction((tx) =>
      uploads.change(tx, uploadId, { state: 'failed', reason: isMissing ? 'missing' : 'network' }),
    )
    const notified = isMissing ? NOTICES.fileMissing : NOTICES.uploadFailed
    const params = { name, reason: code, ...(isMissing ? {} : { uploadId }) }
    return { ...notified, params }
  },
}

/** Measured over a shorter time the speed would fluctuate. */
const SPEED_AFTER_S = 1

async function upload(core: SendParts, intent: IntentFor<'upload'>, signal: AbortSignal): Promise<Done> {
  const { uploadId } = intent.payload
  const row = uploads.byId(core.stores.outbox.reader, uploadId)
  if (row === undefined || !row.complete) throw new Refusal('upload/missing', false)
  if (row.state === 'finished') return {}
  const path = stagedPath(core, row.stagedName)
  if ((await core.ports.files.size(path)) !== row.sizeBytes) throw new Refusal('upload/missing', false)
  core.stores.outbox.transaction((tx) => uploads.change(tx, uploadId, { state: 'uploading', reason: undefined }))
  const began = core.ports.clock.monotonic()
  const onProgress = (sentBytes: number): void => {
    const seconds = (core.ports.clock.monotonic() - began) / 1_000
    if (seconds >= SPEED_AFTER_S) core.memory.speed.set(uploadId, Math.round(sentBytes / seconds))
    core.memory.progress.set(uploadId, row.sizeBytes === 0 ? 1 : Math.min(1, sentBytes / row.sizeBytes))
    core.collector.touch('uploads', uploadId)
    if (row.messageId !== undefined) core.collector.touch('messages', row.messageId)
  }
  const reply = await core.api.upload(row.kind === 'image' ? uploadImage : uploadFile, {
    params: splitCid(row.cid),
    file: { path, fileName: row.name, mimeType: row.mimeType, onProgress },
    signal,
  })
  let isWanted = true
  return {
    finish: (tx) => {
      const finished = uploads.change(tx, uploadId, {
        state: 'finished',
        url: reply.file,
        ...(reply.thumb_url === undefined || reply.thumb_url === null ? {} : { thumbUrl: reply.thumb_url }),
      })
      isWanted = finished !== undefined
    },
    after: () => {
      // It was removed while its last bytes were on their way.
      if (!isWanted) eraseUploaded(core, row, reply.file)
      core.memory.progress.delete(uploadId)
      core.memory.speed.delete(uploadId)
    },
  }
}

type Parts = Pick<
  Core,
  | 'api'
  | 'background'
  | 'cache'
  | 'context'
  | 'life'
  | 'memory'
  | 'notify'
  | 'outbox'
  | 'ports'
  | 'runner'
  | 'stagingFolder'
  | 'stores'
>

export const uploadsFeature = defineFeature({
  kinds: { upload: uploading },
  create(core: Parts) {
    const inDrafts = () => new Set(drafts.all(core.stores.outbox.reader).flatMap((row) => row.uploadIds))
    return {
      calls: { uploads: uploadCalls(core) },
      start: [
        { phase: 'before-connection', order: 20, run: () => loadUploadRules(core) },
        { phase: 'before-connection', order: 30, run: () => tidyStaging(core, inDrafts()) },
      ],
    }
  },
})
