import { statSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, shell } from 'electron'
import { AppError } from '#shared/lib/app-error.ts'
import type { FolderCapability } from '../host.ts'
import { markForeign } from '../node/foreign.ts'

/** The system's own dialogs and file manager. */
export const electronFolders: FolderCapability = {
  async chooseFolder() {
    const { canceled, filePaths } = await dialog.showOpenDialog({ properties: ['openDirectory', 'createDirectory'] })
    return canceled ? undefined : filePaths[0]
  },
  async placeFor(name) {
    const { canceled, filePath } = await dialog.showSaveDialog({ defaultPath: join(app.getPath('downloads'), name) })
    return canceled || filePath === '' ? undefined : filePath
  },
  async show(path) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return shell.showItemInFolder(path)
    const problem = await shell.openPath(path)
    if (problem !== '') throw new AppError('data/not-shown')
  },
  async open(path) {
    await markForeign(path)
    const problem = await shell.openPath(path)
    if (problem !== '') throw new AppError('data/not-opened')
  },
}
