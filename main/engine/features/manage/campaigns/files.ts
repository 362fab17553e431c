import * as v from 'valibot'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { uploadKind, uploadRefusal } from '#shared/rules/uploads/uploads.ts'
import { uploadLooseFile, uploadLooseImage } from '#shared/wire/uploads.ts'
import { campaignContent } from '#shared/bridge/calls/campaigns.ts'
import type { KeptCampaignDraft } from '#shared/domain/manage/campaigns.ts'
import * as meta from '#main/cache/meta.ts'
import { fromJson, toJson, type Reader, type Tx } from '#main/cache/store.ts'
import type { CallContext } from '../../../context.ts'
import { requireConnection, type Core } from '../../../core.ts'
import { createReceiving } from '../../uploads/calls.ts'
import { stagedPath, attachmentOf } from '../../uploads/staging.ts'
import { asWire } from '../../../decode/read.ts'
import { requireRight, topicChanged } from '../authority.ts'
import { readAttachment } from './decode.ts'

/** In `outbox.db`: what somebody wrote can be had nowhere else. */
const KEY = 'campaign-drafts'
/** Of more drafts the oldest are dropped: one may be long. */
const MOST_DRAFTS = 50

const stored = v.record(
  v.string(),
  v.object({ content: campaignContent, version: v.optional(v.string()), at: v.number() }),
)
type Stored = Readonly<Record<string, KeptCampaignDraft>>

type DraftParts = Pick<Core, 'api' | 'cache' | 'ports' | 'stores' | 'me' | 'memory' | 'server' | 'collector'>
type DraftCalls = Pick<HandlersOf<'campaigns', CallContext>, 'drafts' | 'keepDraft'>

/** Campaigns that are being written, by their id; a new one has none. They need no connection. */
export function draftCalls(core: DraftParts): DraftCalls {
  return {
    drafts: () => {
      requireRight(core, 'campaigns')
      return { ...read(core.stores.outbox.reader) }
    },
    keepDraft: ({ id = '', draft }) => {
      requireRight(core, 'campaigns')
      const at = draft && core.ports.clock.now()
      core.stores.outbox.transaction((tx) => {
        if (draft === undefined || at === undefined) forgetDraft(tx, id)
        else write(tx, { ...read(tx), [id]: { ...draft, at } })
      })
      topicChanged(core, 'campaign-drafts')
      return at === undefined ? {} : { at }
    },
  }
}

export function forgetDraft(tx: Tx, id: string): void {
  const { [id]: known, ...others } = read(tx)
  if (known !== undefined) write(tx, others)
}

function read(reader: Reader): Stored {
  const text = meta.get(reader, KEY)
  if (text === undefined) return {}
  const checked = v.safeParse(stored, fromJson(reader.db, text))
  return checked.success ? checked.output : {}
}

function write(tx: Tx, drafts: Stored): void {
  const newest = Object.entries(drafts).toSorted(([, a], [, b]) => b.at - a.at)
  meta.set(tx, KEY, toJson(Object.fromEntries(newest.slice(0, MOST_DRAFTS))))
}

type Parts = Pick<Core, 'api' | 'cache' | 'isHealthy' | 'life' | 'me' | 'memory' | 'ports' | 'server' | 'stagingFolder'>
type Handlers = Pick<HandlersOf<'campaigns', CallContext>, 'sendFile' | 'dropFile'>
type Sent = Omit<Parameters<Handlers['sendFile']>[0], 'id' | 'base64'>
type Arriving = Sent & { readonly path: string }

/** Files that a window may hand over at once; of more the oldest is dropped. */
const MOST = 8

/**
 * Files of this computer that go out with a campaign. They belong to no channel and to whoever adds them: nobody knows
 * yet in which channels the message will stand.
 */
export function fileCalls(core: Parts): Handlers {
  const receiving = createReceiving(core)
  const arriving = new Map<string, Arriving>()
  const drop = async (id: string): Promise<void> => {
    const file = arriving.get(id)
    if (file === undefined) return
    arriving.delete(id)
    receiving.forget(id)
    await core.ports.files.remove(file.path)
  }
  const begin = async (sent: Sent): Promise<string> => {
    requireAllowed(core, sent)
    const [oldest] = arriving.keys()
    if (arriving.size >= MOST && oldest !== undefined) await drop(oldest)
    const id = core.ports.ids.uuid()
    arriving.set(id, { ...sent, path: stagedPath(core, id) })
    return id
  }
  return {
    async sendFile({ id: known, base64, ...sent }) {
      requireRight(core, 'campaigns')
      requireConnection(core)
      const id = known ?? (await begin(sent))
      const file = arriving.get(id)
      if (file === undefined) throw new AppError('upload/unknown')
      try {
        const received = await receiving.append({ ...file, id }, base64)
        if (received < file.sizeBytes) return { id }
        await receiving.complete({ ...file, id })
        const attachment = await upload(core, file)
        await drop(id)
        return { id, attachment }
      } catch (error) {
        await drop(id)
        throw error
      }
    },
    dropFile: ({ id }) => drop(id),
  }
}

function requireAllowed({ memory }: Parts, file: Sent): void {
  const rules = memory.uploadRules[uploadKind(file.mimeType) === 'image' ? 'image' : 'file']
  const refusal = uploadRefusal(file, rules)
  if (refusal === undefined) return
  throw new AppError(refusal === 'size_limit' ? 'upload/too-large' : 'upload/type-refused', {
    params: { name: file.name },
  })
}

async function upload(core: Parts, { path, ...file }: Arriving) {
  const kind = uploadKind(file.mimeType)
  const endpoint = kind === 'image' ? uploadLooseImage : uploadLooseFile
  const sent = { path, fileName: file.name, mimeType: file.mimeType, onProgress: () => undefined }
  const reply = asWire(await core.api.upload(endpoint, { file: sent, signal: core.life }))
  const [url, thumbUrl] = [reply?.['file'], reply?.['thumb_url']]
  if (typeof url !== 'string') throw new AppError('server/unavailable')
  const thumb = typeof thumbUrl === 'string' ? { thumbUrl } : {}
  const attachment = readAttachment(attachmentOf({ ...file, kind, url, ...thumb }))
  if (attachment === undefined) throw new AppError('server/unavailable')
  return attachment
}
