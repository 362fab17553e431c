import type { HandlersOf } from '#shared/bridge/index.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { uploadKind, uploadRefusal } from '#shared/rules/uploads/uploads.ts'
import { uploadLooseFile, uploadLooseImage } from '#shared/wire/uploads.ts'
import type { CallContext } from '../../../context.ts'
import { requireConnection, type Core } from '../../../core.ts'
import { createReceiving } from '../../uploads/calls.ts'
import { stagedPath, attachmentOf } from '../../uploads/staging.ts'
import { asWire } from '../../../decode/read.ts'
import { requireRight } from '../authority.ts'
import { readAttachment } from './decode.ts'

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
