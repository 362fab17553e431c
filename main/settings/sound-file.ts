import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'

/** The user's notification sound, stored unchanged: `DATA/sound`. */
const pathIn = (dataFolder: string): string => join(dataFolder, 'sound')

/** Replaced atomically, so that a crash leaves either the old or the new file. */
export async function saveSound(dataFolder: string, bytes: Uint8Array): Promise<void> {
  const path = pathIn(dataFolder)
  try {
    await writeFile(`${path}.new`, bytes, { mode: 0o600 })
    await rename(`${path}.new`, path)
  } catch (cause) {
    await rm(`${path}.new`, { recursive: true, force: true })
    throw new AppError('settings/sound-not-saved', { cause })
  }
}

export const readSound = (dataFolder: string): Promise<Uint8Array | undefined> =>
  readFile(pathIn(dataFolder)).catch(() => undefined)

export const dropSound = (dataFolder: string): Promise<void> => rm(pathIn(dataFolder), { force: true })
