import { rmSync } from 'node:fs'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SecretStore } from '../host.ts'

/**
 * Secrets in `secrets.json`, mode 0600: readable by anyone who can read this user's files. The settings screen shows
 * this, from `kind`. One writer at a time; a file is replaced, never half written.
 */
export function fileSecrets(dataFolder: string): SecretStore {
  return jsonSecrets(join(dataFolder, 'secrets.json'), 'file', { seal: asIs, unseal: asIs })
}

const asIs = (text: string): Promise<string> => Promise.resolve(text)

/** Encodes a value for the file, and decodes it. Decoding may fail: the secret is then absent. */
type Seal = { seal(value: string): Promise<string>; unseal(sealed: string): Promise<string | undefined> }

export function jsonSecrets(path: string, kind: SecretStore['kind'], seal: Seal): SecretStore {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next
    return next
  }
  const change = (edit: (all: Map<string, string>) => void) =>
    inTurn(async () => {
      const all = await readAll(path)
      edit(all)
      await replaceFile(path, JSON.stringify(Object.fromEntries(all)))
    })
  return {
    kind,
    get: (name) =>
      inTurn(async () => {
        const sealed = (await readAll(path)).get(name)
        return sealed === undefined ? undefined : seal.unseal(sealed)
      }),
    async set(name, value) {
      const sealed = await seal.seal(value)
      await change((all) => all.set(name, sealed))
    },
    remove: (name) => change((all) => all.delete(name)),
  }
}

/**
 * For a policy that forbids plain text secrets: those of an earlier run are removed, and the user signs in again at
 * each start.
 */
export function noFileSecrets(dataFolder: string): SecretStore {
  rmSync(join(dataFolder, 'secrets.json'), { force: true })
  return memorySecrets()
}

/** Secrets in memory, where only plain text could be stored and the user has not agreed to that. */
export function memorySecrets(): SecretStore {
  const all = new Map<string, string>()
  return {
    kind: 'memory',
    get: (name) => Promise.resolve(all.get(name)),
    set: (name, value) => Promise.resolve(void all.set(name, value)),
    remove: (name) => Promise.resolve(void all.delete(name)),
  }
}

/** A damaged file counts as empty: the user signs in again. The damaged file is renamed. */
async function readAll(path: string): Promise<Map<string, string>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw error
  }
  try {
    const parsed = JSON.parse(text) as Record<string, unknown>
    return new Map(Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    await rename(path, `${path}.damaged`)
    return new Map()
  }
}

/** Mode 0600, whole or not at all. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const next = `${path}.new`
  const file = await open(next, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
}
