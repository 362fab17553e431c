import { splitCid } from '#shared/rules/channels/channels.ts'
import { deleteFile, deleteImage } from '#shared/wire/uploads.ts'
import type { UploadRow } from '#main/cache/rows.ts'
import { pause } from '#main/lib/clock.ts'
import { ApiError } from '../../api/errors.ts'
import type { Core } from '../../core.ts'

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
