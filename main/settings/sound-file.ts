import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#shared/lib/app-error.ts'

/** The sound that someone chose from a file of theirs, kept as it came: `DATA/sound`. */
const pathIn = (dataFolder: string): string => join(dataFolder, 'sound')

/** Put in place in one step, so that a start in between finds the old one or the new one whole. */
export async function keepSound(dataFolder: string, bytes: Uint8Array): Promise<void> {
  const path = pathIn(dataFolder)
  try {
    await writeFile(`${path}.new`, bytes, { mode: 0o600 })
    await rename(`${path}.new`, path)
  } catch (cause) {
    await rm(`${path}.new`, { recursive: true, force: true })
    throw new AppError('settings/sound-not-kept', { cause })
  }
}

export const readSound = (dataFolder: string): Promise<Uint8Array | undefined> =>
  readFile(pathIn(dataFolder)).catch(() => undefined)

export const dropSound = (dataFolder: string): Promise<void> => rm(pathIn(dataFolder), { force: true })
