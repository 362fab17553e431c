import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterPack as production, type PackedFolder } from '../../../.ci/packaging/hooks.ts'

/** As in production, with better-sqlite3's addon for the Electron of the tests instead of its own. */
export async function afterPack(context: PackedFolder): Promise<void> {
  await production(context)
  const addon = process.env['PARLOR_ADDON']
  if (addon === undefined) throw new Error('PARLOR_ADDON is missing.')
  const prebuilds = 'resources/app.asar.unpacked/node_modules/better-sqlite3/prebuilds'
  cpSync(addon, join(context.appOutDir, prebuilds), { recursive: true })
}
