import type { IntentKind } from '#shared/domain/outbox.ts'
import * as table from '#main/cache/outbox/uploads.ts'
import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { outboxCalls } from './calls.ts'

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
  const files = ids.length === 0 ? [] : table.byIds(stores.outbox.reader, ids)
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
