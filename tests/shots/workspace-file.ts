import { closeSync, mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FRAME_KINDS, writeFrames, type AboutWorkspace } from '#main/server/store/moving/container.ts'

export const PASSPHRASE = 'seven lamps in a row'

const ABOUT: AboutWorkspace = {
  kind: 'parlor-workspace',
  savedAt: Date.UTC(2026, 10, 27, 17, 5),
  schema: 10,
  workspace: 'a-workspace-of-pictures',
  name: 'Studio Śródmieście',
  founded: 'Studio Śródmieście',
  owner: { id: 'lucja', name: 'Łucja Nowak' },
  bytes: 418_000_000,
  keys: { apiKey: 'a-key', secret: 'a-secret-for-pictures-of-32-bytes' },
  came: {
    addresses: ['192.168.1.24'],
    port: 7_443,
    certificate: 'a certificate',
    secret: 'a-secret-for-pictures-of-32-bytes',
  },
}

/** A workspace file with a passphrase: its beginning, which is all that a look reads. */
export async function workspaceFile(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'parlor-shots-file-')), 'studio.parlor-workspace')
  const file = openSync(path, 'w')
  const frames = await writeFrames(file, PASSPHRASE)
  frames.write(FRAME_KINDS.about, Buffer.from(JSON.stringify(ABOUT)))
  closeSync(file)
  return path
}
