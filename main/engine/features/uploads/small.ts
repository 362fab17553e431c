import type { Core } from '../../core.ts'
import { stagedPath } from './staging.ts'

type Picture = { readonly base64: string; readonly mimeType: string }
type File = {
  readonly path: string
  readonly fileName: string
  readonly mimeType: string
  readonly onProgress: () => void
}

/** Sends a small picture, which is staged only for the duration of the upload. */
export async function sendSmall<T>(
  core: Pick<Core, 'ports' | 'stagingFolder'>,
  name: string,
  { base64, mimeType }: Picture,
  send: (file: File) => Promise<T>,
): Promise<T> {
  const path = stagedPath(core, core.ports.ids.uuid())
  try {
    await core.ports.files.append(path, Buffer.from(base64, 'base64'))
    const fileName = `${name}.${mimeType.slice('image/'.length)}`
    return await send({ path, fileName, mimeType, onProgress: () => undefined })
  } finally {
    await core.ports.files.remove(path)
  }
}
