import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Intent, IntentFor, IntentKind } from '#shared/domain/intent.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { EMPTY_COMPOSITION, mergeCompositions } from '#shared/rules/composer/composer.ts'
import type { Tx } from '#main/cache/store.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import type { CallContext } from '../../context.ts'
import { PART_REMOVED } from '../../outbox/merge.ts'
import { unsentParts, textOf, dropUnsent, WITHDRAWN } from '../messages/unsent.ts'
import { pauseUpload, uploadIntent } from '../uploads/calls.ts'
import { forgetUploads } from '../uploads/staging.ts'

/**
 * Intents of an account that are being sent or wait only for a connection. Parked and scheduled ones are not counted.
 */
type ActiveUploads = {
  readonly files: number
  /** Total size of those files, and the share that is sent: 0 to 1. */
  readonly bytes: number
  readonly share: number
  readonly texts: number
}

/** Kinds that can be lost without notice: read marks are set again on the next view, drafts stay on this device. */
const LOSSLESS: ReadonlySet<IntentKind> = new Set<IntentKind>(['mark-read', 'create-draft', 'delete-draft'])

function activeUploads({ outbox, stores, memory }: Pick<Core, 'outbox' | 'stores' | 'memory'>): ActiveUploads {
  const active = outbox.all().filter(({ state }) => state !== 'parked' && state !== 'scheduled')
  const ids = active.flatMap((intent) => (intent.kind === 'upload' ? [intent.payload.uploadId] : []))
  const files = ids.length === 0 ? [] : uploads.byIds(stores.outbox.reader, ids)
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const sent = files.reduce((sum, { id, sizeBytes }) => sum + sizeBytes * (memory.progress.get(id) ?? 0), 0)
  return {
    files: files.length,
    bytes,
    share: bytes === 0 ? 0 : sent / bytes,
    texts: active.filter(({ kind }) => kind !== 'upload' && !LOSSLESS.has(kind)).length,
  }
}

declare module '../../registry/feature.ts' {
  interface Offers {
    /** Number of unsent intents of this account, to warn before signing out. */
    unsentCount(): number
    /** Uploads that quitting would interrupt or leave for the next start. */
    sending(): ActiveUploads
  }
}

type Parts = Pick<
  Core,
  'background' | 'collector' | 'memory' | 'outbox' | 'ports' | 'runner' | 'serverNow' | 'stagingFolder' | 'stores'
>

export const outboxFeature = defineFeature({
  create: (core: Parts) => ({
    calls: { outbox: outboxCalls(core) },
    offers: {
      unsentCount: () => core.outbox.all().filter((intent) => !LOSSLESS.has(intent.kind)).length,
      sending: () => activeUploads(core),
    },
  }),
})

/** The outbox panel: only the user can drop intents here. */
function outboxCalls(core: Parts): HandlersOf<'outbox', CallContext> {
  return {
    open: (_input, { client }) => core.collector.openPlain(client, 'outbox'),
    close: (_input, { client }) => core.collector.close(client, 'outbox'),
    retry: ({ id }) => {
      const intent = core.outbox.byId(id)
      if (!intent) return
      if (intent.kind === 'send-message') reviveUploads(core, intent)
      if (intent.kind === 'upload') repairUpload(core, intent.payload.uploadId)
      // A manual retry confirms a live share.
      if (intent.kind === 'send-message' && intent.payload.place?.live) core.memory.sharing.begun.add(id)
      for (const each of revivedWith(core, intent)) {
        core.outbox.revive(each.id)
        core.runner.retryNow(each.id)
      }
    },
    pause: async ({ id }) => {
      const intent = core.outbox.byId(id)
      if (intent?.kind === 'upload') await pauseUpload(core, { id: intent.payload.uploadId })
    },
    schedule: ({ id, at }) => {
      const intent = core.outbox.byId(id)
      if (intent?.state !== 'scheduled') throw new AppError('outbox/gone')
      const all = intent.kind === 'send-message' ? unsentParts(core, intent) : [intent]
      for (const part of all) {
        if (at === undefined) core.runner.release(part.id)
        else core.outbox.reschedule(part.id, at)
      }
      if (at !== undefined) core.runner.kick()
    },
    discard: ({ id }) => discard(core, idle(core, id)),
    takeBack: ({ id }) => {
      const intent = idle(core, id)
      if (intent.kind !== 'send-message') throw new AppError('outbox/not-a-message')
      return takeBack(core, intent)
    },
  }
}

/** The remaining parts of a split text are retried together, as they were parked together. */
function revivedWith(core: Pick<Core, 'outbox'>, intent: Intent): readonly Intent[] {
  const wasStopped = ({ reason }: Intent): boolean => reason?.code === PART_REMOVED
  if (intent.kind !== 'send-message' || !wasStopped(intent)) return [intent]
  return unsentParts(core, intent).filter(wasStopped)
}

function idle(core: Pick<Core, 'outbox'>, id: string): Intent {
  const intent = core.outbox.byId(id)
  if (!intent) throw new AppError('outbox/gone')
  if (intent.state === 'inflight') throw new AppError('outbox/in-flight')
  return intent
}

type TakenBack = Awaited<ReturnType<HandlersOf<'outbox', CallContext>['takeBack']>>

/**
 * Everything returns to the draft of its composer in the transaction that drops the intent: a crash loses neither text nor
 * files. A text that was split is joined again, as far as its parts are unsent.
 */
function takeBack(
  core: Pick<Core, 'outbox' | 'ports' | 'runner' | 'serverNow'>,
  intent: IntentFor<'send-message'>,
): TakenBack {
  const { cid, parentId, payload } = intent
  if (payload.poll !== undefined || payload.place !== undefined) return returnToForm(core, intent)
  const parts = unsentParts(core, intent)
  const { uploadIds, showInChannel, quotedId } = parts[0]?.payload ?? payload
  const text = textOf(parts)
  const key = composerKey(cid, parentId)
  const back = { text, uploadIds, showInChannel, ...(quotedId === undefined ? {} : { quotedId }) }
  withdraw(core, parts, (tx) => {
    for (const id of uploadIds) uploads.change(tx, id, { messageId: undefined })
    const held = drafts.byKey(tx, key)
    const draft = mergeCompositions({ ...back, caret: text.length }, held ?? EMPTY_COMPOSITION)
    const { edit, synced, lost, polls } = held ?? {}
    drafts.put(tx, { ...draft, key, cid, parentId, updatedAt: core.ports.clock.now(), edit, synced, lost, polls })
  })
  core.runner.kick()
  return { ...back, cid, parentId }
}

/** Drops the message, or all parts of its text: in one transaction unless some may be on the server already. */
function withdraw(
  core: Pick<Core, 'outbox' | 'serverNow'>,
  parts: readonly IntentFor<'send-message'>[],
  within: (tx: Tx) => void,
): void {
  if (parts.length > 1 && parts.every(({ attempts, state }) => attempts === 0 || state === 'parked')) {
    const about = parts.flatMap(({ messageId }) => (messageId === undefined ? [] : core.outbox.about(messageId)))
    return core.outbox.remove(
      about.map(({ id }) => id),
      within,
    )
  }
  parts.forEach((part, index) => dropUnsent(core, part, index === 0 ? within : undefined))
}

function discard(core: Parts, intent: Intent): void {
  if (intent.kind === 'send-message') {
    dropUnsent(core, intent)
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

/**
 * Returns a poll or a location to its form. The intent stays parked until the form is sent in its place: nothing of it is
 * lost or sent meanwhile.
 */
function returnToForm(
  core: Pick<Core, 'outbox' | 'runner'>,
  { id, cid, payload }: IntentFor<'send-message'>,
): TakenBack {
  core.outbox.update(id, { state: 'parked', reason: { code: WITHDRAWN }, retryable: true })
  core.runner.kick()
  const { poll, place } = payload
  return { cid, text: '', poll, place }
}

const isLoose = (core: Pick<Core, 'stores'>, uploadId: string): boolean =>
  uploads.byId(core.stores.outbox.reader, uploadId)?.messageId === undefined

function reviveUploads(core: Pick<Core, 'outbox' | 'stores'>, intent: IntentFor<'send-message'>): void {
  for (const row of uploads.byIds(core.stores.outbox.reader, intent.payload.uploadIds)) {
    if (row.state !== 'failed') continue
    repairUpload(core, row.id)
    const waiting = uploadIntent(core, row.id)
    if (waiting) core.outbox.revive(waiting.id)
    else core.outbox.add({ kind: 'upload', cid: row.cid, payload: { uploadId: row.id } })
  }
}

const repairUpload = (core: Pick<Core, 'stores'>, id: string): void =>
  void core.stores.outbox.transaction((tx) => uploads.change(tx, id, { state: 'pending', reason: undefined }))
