import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Host } from '#main/hosts/host.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import { accountFolder, accountKey } from './account.ts'

/**
 * Signing out takes several steps on disk. The request is stored first, as `DATA/accounts/<key>.leaving`, and that file is
 * deleted last: if the app is killed in between, the next start completes it, so that no text or token stays on a device
 * that was supposed to delete them.
 */
const ENDING = '.leaving'
const WIPE = 'wipe'
const KEEP = 'keep'

type Place = Pick<Host, 'paths' | 'secrets'>

/** Credentials of hosted servers, by account folder. */
export const credentialName = (key: string): string => `token/${key}`

/** API secrets of hosted servers, by account folder. */
export const apiSecretName = (key: string): string => `api-secret/${key}`

const notePath = (dataFolder: string, key: string): string => accountFolder(dataFolder, key) + ENDING

export async function noteLeaving(dataFolder: string, key: string, wipe: boolean): Promise<void> {
  const path = notePath(dataFolder, key)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, wipe ? WIPE : KEEP, { mode: 0o600, flush: true })
}

/** `undefined` if there is none, or one that was truncated: then nothing was started either. */
async function readNote(dataFolder: string, key: string): Promise<string | undefined> {
  const translate = await readFile(notePath(dataFolder, key), 'utf8').catch(() => undefined)
  return translate === WIPE || translate === KEEP ? translate : undefined
}

/** Completes a stored sign-out of this account; does nothing without one. The account is closed. */
export async function finishLeaving({ paths, secrets }: Place, key: string): Promise<void> {
  const wanted = await readNote(paths.data, key)
  if (wanted === undefined) return
  if (wanted === WIPE) await rm(accountFolder(paths.data, key), { recursive: true, force: true })
  await secrets.remove(credentialName(key))
  await secrets.remove(apiSecretName(key))
  await rm(notePath(paths.data, key), { force: true })
}

/** At start, before any account is opened. */
export async function finishAllLeaving(host: Place, store: SettingsStore): Promise<void> {
  const names = await readdir(join(host.paths.data, 'accounts')).catch(() => [])
  for (const name of names) {
    if (!name.endsWith(ENDING)) continue
    const key = name.slice(0, -ENDING.length)
    const isMeant = (await readNote(host.paths.data, key)) !== undefined
    if (isMeant) removeFromProfile(store, key)
    await finishLeaving(host, key)
  }
}

/** Removes the account from the profile: the next one is shown at this start, if there is one. */
function removeFromProfile(store: SettingsStore, key: string): void {
  const { account, accounts } = store.profile()
  const others = accounts.filter(({ ref }) => accountKey(ref) !== key)
  const shown = account && accountKey(account) === key ? others[0]?.ref : account
  store.saveProfile({ accounts: others, account: shown, signedOut: shown === undefined })
}
