import { type AttachmentKind, type Upload, UPLOAD_PAUSED, type UploadReason } from '#shared/domain/attachment.ts'
import { composerKey } from '#shared/domain/draft.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { OUTBOX_MAX_STAGED_BYTES } from '#shared/constants.ts'
import { mayUpload } from '#shared/rules/channels/capabilities.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import {
  freeSlots,
  helpsRenaming,
  sizeLimitOf,
  uploadKind,
  uploadRefusal,
  type UploadFacts,
  type UploadRules,
} from '#shared/rules/uploads/uploads.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { deleteFile, deleteImage } from '#shared/wire/uploads.ts'
import type { UploadRow } from '#main/cache/rows.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import * as table from '#main/cache/outbox/uploads.ts'
import { pause } from '#main/lib/clock.ts'
import { visibleChannel, visibleUpload } from '../../changes/visible.ts'
import type { CallContext } from '../../context.ts'
import type { Core } from '../../core.ts'
import { forgetUploads, stagedPath, throwUnknownUpload } from './staging.ts'
import { ApiError } from '../../api/errors.ts'

type Handlers = HandlersOf<'uploads', CallContext>
type BeginInput = Parameters<Handlers['begin']>[0]

type Parts = Pick<
  Core,
  | 'api'
  | 'background'
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

/** Files arrive in chunks and are complete in the staging folder before they count. */
export function uploadCalls(core: Parts): Handlers {
  const receiving = createReceiving(core)
  const arriving = ({ id, stagedName, sizeBytes }: UploadRow) => ({ id, path: stagedPath(core, stagedName), sizeBytes })

  function pending(id: string): UploadRow {
    const row = table.byId(core.stores.outbox.reader, id)
    if (row === undefined) throw new AppError('upload/unknown')
    return row
  }

  return {
    begin: (input) => begin(core, input),
    bytes: async ({ id, start, length }) => {
      const row = pending(id)
      if (!row.complete) throw new AppError('upload/unknown')
      const left = Math.max(0, row.sizeBytes - start)
      const path = stagedPath(core, row.stagedName)
      const bytes = left === 0 ? new Uint8Array() : await core.ports.files.read(path, start, Math.min(length, left))
      return { base64: Buffer.from(bytes).toString('base64'), sizeBytes: row.sizeBytes }
    },
    chunk: async ({ id, base64 }) => {
      const row = pending(id)
      if (row.complete || !isAccepted(row)) throw new AppError('upload/unknown')
      await receiving.append(arriving(row), base64)
    },
    finish: async ({ id }) => {
      const row = pending(id)
      await receiving.complete(arriving(row))
      const here = { complete: true, stagedBytes: row.sizeBytes }
      if (row.state === 'blocked') core.stores.outbox.transaction((tx) => table.change(tx, id, here))
      else enqueue(core, row, here)
      return shown(core, id)
    },
    retry: ({ id }) => {
      const row = table.byId(core.stores.outbox.reader, id) ?? throwUnknownUpload(core)
      if (!row.complete || row.state === 'finished' || row.state === 'blocked') return
      const intent = uploadIntent(core, id)
      const change = { state: 'pending', reason: undefined } as const
      if (intent === undefined) return enqueue(core, row, change)
      core.stores.outbox.transaction((tx) => table.change(tx, id, change))
      core.outbox.revive(intent.id)
      core.runner.retryNow(intent.id)
    },
    pause: async ({ id }) => pauseUpload(core, pending(id)),
    describe: ({ id, alt, name }) => {
      const row = pending(id)
      if (row.messageId !== undefined) throw new AppError('upload/unknown')
      if (name !== undefined && uploadRefusal({ ...row, name }, rulesFor(core, row.kind)) !== undefined) {
        throw new AppError('upload/name-refused')
      }
      const texts = alt?.trim()
      const change = {
        ...(texts === undefined ? {} : { alt: texts === '' ? undefined : texts }),
        ...(name === undefined ? {} : { name }),
      }
      if (row.state !== 'blocked') core.stores.outbox.transaction((tx) => table.change(tx, id, change))
      else if (name === undefined || !row.complete) throw new AppError('upload/unknown')
      else enqueue(core, row, { ...change, reason: undefined, listed: undefined })
    },
    cancel: ({ id }) => {
      receiving.forget(id)
      const row = table.byId(core.stores.outbox.reader, id)
      // A sent file belongs to its message: canceling that removes the file.
      if (row === undefined || row.messageId !== undefined) return
      forgetUploads(core, [id])
      if (row.url !== undefined) eraseUploaded(core, row, row.url)
    },
  }
}

/**
 * Ends the request, because a server has no part of a file to continue from, and parks the intent. The messages that carry
 * the file wait.
 */
export async function pauseUpload(
  core: Pick<Core, 'memory' | 'outbox' | 'runner'>,
  { id }: Pick<UploadRow, 'id'>,
): Promise<void> {
  const running = uploadIntent(core, id)
  if (running === undefined) return
  await core.runner.cancel(running.id)
  // Its last byte may have been accepted meanwhile, or it failed.
  const intent = core.outbox.byId(running.id)
  if (intent === undefined || intent.state === 'parked') return
  core.memory.progress.delete(id)
  core.memory.speed.delete(id)
  const parked = { ...intent, state: 'parked', reason: { code: UPLOAD_PAUSED }, retryable: true } as const
  core.outbox.advance([], [parked], (tx) => void table.change(tx, id, { state: 'paused' }))
}

/** Whether its bytes are accepted: it is not blocked, or only because of a name that can be changed. */
const isAccepted = (row: UploadRow): boolean => row.state !== 'blocked' || row.renamable === true

/** The file is complete in the staging folder: it is queued for upload. */
function enqueue(
  core: Pick<Core, 'outbox' | 'runner'>,
  { id, cid }: UploadRow,
  change: Parameters<typeof table.change>[2],
): void {
  core.outbox.add({ kind: 'upload', cid, payload: { uploadId: id } }, (tx) => {
    table.change(tx, id, { ...change, state: 'pending' })
  })
  core.runner.kick()
}

function begin(core: Parts, input: BeginInput): Upload {
  const kind = input.voice ? 'voiceRecording' : input.asFile ? 'file' : uploadKind(input.mimeType)
  const facts: UploadFacts = { name: input.name, mimeType: input.mimeType, sizeBytes: input.sizeBytes }
  const rules = rulesFor(core, kind)
  const reason = refusalOf(core, input, facts, rules)
  const announced = table.announcedBytes(core.stores.outbox.reader) - replacedBytes(core, input)
  const fits = announced + input.sizeBytes <= OUTBOX_MAX_STAGED_BYTES
  if (reason === undefined && !fits) throw new AppError('outbox/full', { params: { max: OUTBOX_MAX_STAGED_BYTES } })
  const id = core.ports.ids.uuid()
  core.stores.outbox.transaction((tx) =>
    table.put(tx, {
      ...facts,
      id,
      cid: input.cid,
      kind,
      width: input.width,
      height: input.height,
      ...input.voice,
      alt: input.alt,
      stagedName: id,
      stagedBytes: 0,
      complete: false,
      state: reason === undefined ? 'pending' : 'blocked',
      ...(reason === undefined ? {} : { reason, ...ruleBehind(reason, rules) }),
      renamable: fits && helpsRenaming(reason, facts, rules) ? true : undefined,
      createdAt: core.ports.clock.now(),
    }),
  )
  if (reason !== undefined) {
    core.notify({ ...NOTICES.uploadBlocked, params: { name: input.name, reason } })
  }
  return shown(core, id)
}

/** Size of the file that a new one takes the place of: in the same channel, and not sent yet. */
function replacedBytes(core: Pick<Core, 'stores'>, { cid, replaces }: BeginInput): number {
  const row = replaces === undefined ? undefined : table.byId(core.stores.outbox.reader, replaces)
  return row?.cid === cid && row.messageId === undefined ? row.sizeBytes : 0
}

const rulesFor = (core: Pick<Core, 'memory'>, kind: AttachmentKind): UploadRules =>
  core.memory.uploadRules[kind === 'image' ? 'image' : 'file']

/** The limit of the rule that was broken, for the message to the user. */
function ruleBehind(reason: UploadReason, rules: UploadRules): Pick<UploadRow, 'limit' | 'listed'> {
  switch (reason) {
    case 'allowed_file_extensions':
    case 'blocked_file_extensions':
    case 'allowed_mime_types':
    case 'blocked_mime_types':
      return { listed: rules[reason] }
    case 'size_limit':
      return { limit: sizeLimitOf(rules) }
    case 'empty':
    case 'capability':
    case 'slots':
    case 'missing':
    case 'network':
      return {}
  }
}

function refusalOf(
  core: Pick<Core, 'context' | 'memory' | 'stores'>,
  place: Composer,
  file: UploadFacts,
  rules: UploadRules,
): UploadReason | undefined {
  const channel = visibleChannel(core.context, place.cid)
  if (channel && !mayUpload(channel)) return 'capability'
  if (freeSlots(composedIn(core, place)) === 0) return 'slots'
  // Servers refuse it too, without a reason.
  return file.sizeBytes === 0 ? 'empty' : uploadRefusal(file, rules)
}

type Composer = Pick<BeginInput, 'cid' | 'parentId' | 'replaces'>

/**
 * Files of this composer. Files of other composers of the channel do not count, nor do those of a discarded draft that can
 * still be restored. See docs/wire.md 7.20 "permission".
 */
function composedIn(
  core: Pick<Core, 'memory' | 'stores'>,
  { cid, parentId, replaces }: Composer,
): readonly UploadRow[] {
  const { reader } = core.stores.outbox
  const key = composerKey(cid, parentId)
  const others = drafts.ofChannel(reader, cid).filter((row) => row.key !== key)
  const elsewhere = new Set(others.flatMap(({ uploadIds }) => uploadIds))
  return table
    .all(reader)
    .filter((row) => row.cid === cid && row.messageId === undefined)
    .filter(({ id }) => id !== replaces && !elsewhere.has(id) && !core.memory.discarded.has(id))
}

function shown(core: Pick<Core, 'context'>, id: string): Upload {
  const upload = visibleUpload(core.context, id)
  if (upload === undefined) throw new AppError('upload/unknown')
  return upload
}

export const uploadIntent = (core: Pick<Core, 'outbox'>, uploadId: string) =>
  core.outbox.all().find((intent) => intent.kind === 'upload' && intent.payload.uploadId === uploadId)

const AGAIN_MS = 30_000

/**
 * Deletes from the server what no message will carry: it may be a photo whose secrets were painted over in a later version.
 * Repeated until the server has answered, for as long as Parlor runs.
 */
export function eraseUploaded(
  core: Pick<Core, 'api' | 'background' | 'life' | 'ports'>,
  { kind, cid }: Pick<UploadRow, 'kind' | 'cid'>,
  url: string,
): void {
  const endpoint = kind === 'image' ? deleteImage : deleteFile
  core.background('erase-upload', async () => {
    for (;;) {
      try {
        await core.api.send(endpoint, { params: splitCid(cid), query: { url }, signal: core.life })
        return
      } catch (error) {
        if (core.life.aborted || !(error instanceof ApiError && error.retryable)) throw error
        await pause(core.ports.clock, AGAIN_MS, core.life)
      }
    }
  })
}

/** Bytes of one chunk. Source: contract `uploads.chunk`. */
const CHUNK_LIMIT = 512 * 1024

type Arriving = { readonly id: string; readonly path: string; readonly sizeBytes: number }

/** Files that a window hands over in chunks. In memory: an incomplete file is useless after a restart. */
export function createReceiving({ ports }: Pick<Core, 'ports'>) {
  /** Received bytes, and the end of the last write. */
  const receiving = new Map<string, { bytes: number; last: Promise<void> }>()
  return {
    /**
     * Resolves with how many bytes have been received. Rejects with `upload/size-mismatch` for more bytes than were
     * announced, and with `disk/full`.
     */
    async append({ id, path, sizeBytes }: Arriving, base64: string): Promise<number> {
      const bytes = Buffer.from(base64, 'base64')
      const state = receiving.get(id) ?? { bytes: 0, last: Promise.resolve() }
      const received = state.bytes + bytes.length
      if (bytes.length > CHUNK_LIMIT || received > sizeBytes) throw new AppError('upload/size-mismatch')
      const last = state.last.then(() => onDisk(ports.files.append(path, bytes)))
      receiving.set(id, { bytes: received, last })
      await last
      return received
    },
    /** Resolves once it is on disk. Rejects with `upload/size-mismatch` for fewer bytes, and with `disk/full`. */
    async complete({ id, path, sizeBytes }: Arriving): Promise<void> {
      const state = receiving.get(id)
      await state?.last
      if (sizeBytes === 0) await onDisk(ports.files.append(path, new Uint8Array()))
      if ((state?.bytes ?? 0) !== sizeBytes) throw new AppError('upload/size-mismatch')
      await onDisk(ports.files.sync(path))
      receiving.delete(id)
    },
    forget: (id: string): void => void receiving.delete(id),
  }
}

/** If the disk fails, the file is rejected; what it belongs to stays. */
async function onDisk(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (cause) {
    throw new AppError('disk/full', { cause })
  }
}
