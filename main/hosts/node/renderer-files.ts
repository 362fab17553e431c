import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Manifest } from '../rules/pages/serving.ts'
import { StartError } from './profile.ts'

/** Written by the build next to the renderer folder: every file it created. Nothing else is ever served. */
export const MANIFEST_NAME = 'renderer-files.json'

export function readManifest(rendererFolder: string): Manifest {
  try {
    const paths = JSON.parse(readFileSync(join(dirname(rendererFolder), MANIFEST_NAME), 'utf8')) as string[]
    return new Set(paths)
  } catch (cause) {
    throw new StartError('The built pages are missing. Run "npm run build" and start again.', 1, { cause })
  }
}
