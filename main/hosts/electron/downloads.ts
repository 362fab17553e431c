import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app, type DownloadItem, type Session } from 'electron'
import type { Logger } from '#main/lib/logger.ts'
import type { DownloadCapability } from '../host.ts'
import { freeFileName, safeFileName } from '../rules/download-name.ts'
import { downloadDecision } from '../rules/navigation.ts'

export type Downloads = DownloadCapability & { watch(session: Session): void }

/** Where what somebody saves goes: into their folder, or where the system is told when it asks. */
export function electronDownloads(log: Logger): Downloads {
  let folder = ''
  /** Under way, so that two of one name do not take the same place. */
  const taken = new Set<string>()

  function place(item: DownloadItem): void {
    const name = safeFileName(item.getFilename())
    // A folder that is gone (a drive that was pulled out): the system asks instead.
    if (folder === '' || !existsSync(folder)) {
      item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), name) })
      return
    }
    const into = folder
    const free = freeFileName(name, (each) => taken.has(join(into, each)) || existsSync(join(into, each)))
    const path = join(into, free)
    taken.add(path)
    item.setSavePath(path)
    item.once('done', (_event, state) => {
      taken.delete(path)
      if (state !== 'completed') log.warn('download-ended', { state })
    })
  }

  return {
    watch(session) {
      session.on('will-download', (event, item) => {
        if (downloadDecision(item.getURL(), new Set()) === 'cancel') event.preventDefault()
        else place(item)
      })
    },
    into: (next) => void (folder = next),
  }
}
