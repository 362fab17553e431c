import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { signedFeed } from '../sign-feed.ts'
import { NOTICES_NAME, softwareBill } from '../third-party.ts'

export const SUMS = 'SHA256SUMS'
const NOTICES = 'THIRD_PARTY_NOTICES.txt'

/**
 * The files of a release, by electron-builder's names. Lists of versions are not among them: they change during a
 * rollout.
 */
const PACKAGE = /\.(AppImage|deb|rpm|tar\.gz|exe|msi|dmg|pkg|zip)$/
const LIST = /^[\w-]+\.yml$/

/** What a run of packaging leaves, whatever it packed, and nothing else: the folder may hold other things. */
const OF_A_RUN = [
  /^parlor[-_].*\d/i,
  /^(SHA256SUMS(\.asc)?|THIRD_PARTY_NOTICES\.txt)$/,
  /^(latest(-linux|-mac)?(-arm64)?|builder-debug)\.yml$/,
  /^((linux|win)(-arm64)?-unpacked|mac(-arm64)?)$/,
]

export function removeEarlier(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => OF_A_RUN.some((pattern) => pattern.test(entry))))
    rmSync(join(folder, name), { recursive: true, force: true })
}

/**
 * Completes a release: adds to the packages in the folder a list of their contents with licenses, the checksum of each
 * file, and the signatures by the keys of the environment. Returns the names of the files it wrote.
 */
export async function completeRelease(root: string, folder: string, version: string): Promise<string[]> {
  const bill = `parlor-${version}.cdx.json`
  writeFileSync(join(folder, bill), softwareBill(root, version))
  await copyFile(join(root, 'out', NOTICES_NAME), join(folder, NOTICES))
  const packages = readdirSync(folder).filter((name) => PACKAGE.test(name))
  const sums: string[] = []
  for (const name of [...packages, bill, NOTICES].toSorted()) {
    sums.push(`${await sha256Of(join(folder, name))}  ${name}\n`)
  }
  writeFileSync(join(folder, SUMS), sums.join(''))
  return [bill, NOTICES, SUMS, ...signFiles(folder, [...packages, SUMS]), ...signLists(folder)]
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** A gpg signature for each file, by the key that PARLOR_SIGN_AS names. */
function signFiles(folder: string, names: readonly string[]): string[] {
  // Signatures of an earlier run would not match.
  for (const name of names) rmSync(join(folder, `${name}.asc`), { force: true })
  const signer = gpgSigner()
  if (!signer) return []
  for (const name of names) execFileSync('gpg', [...signer, '--armor', '--detach-sign', join(folder, name)])
  return names.map((name) => `${name}.asc`)
}

/** The arguments with which gpg signs without a prompt; undefined where no key is named. */
function gpgSigner(): readonly string[] | undefined {
  const key = process.env['PARLOR_SIGN_AS']
  if (key === undefined || key === '') return undefined
  const unlock = process.env['PARLOR_SIGN_UNLOCK']
  const passphrase = unlock ? ['--pinentry-mode', 'loopback', '--passphrase-file', unlock] : []
  return ['--batch', '--yes', '--local-user', key, ...passphrase]
}

/** The lists that installed copies of Parlor read, signed with the key of updates. */
function signLists(folder: string): string[] {
  const key = process.env['PARLOR_UPDATE_SIGNING_KEY']
  if (key === undefined || key === '') return []
  const lists = listsIn(folder)
  for (const [name, text] of lists) writeFileSync(join(folder, name), signedFeed(text, key))
  return [...lists.keys()]
}

/** Lists of versions by their names. */
export function listsIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter((name) => LIST.test(name))
  const lists = names.map((name) => [name, textOf(join(folder, name))] as const)
  return new Map(lists.filter(([, text]) => /^version: /m.test(text)))
}

/** Adds to a list the files of another one: each run of the packager lists only what it packed. */
export function joinLists(path: string, earlier: string): void {
  const text = textOf(path)
  const [, files = ''] = /^files:\n((?:[ -].*\n)+)/m.exec(earlier) ?? []
  if (text !== earlier)
    writeFileSync(
      path,
      text.replace(/^files:\n/m, (line) => `${line}${files}`),
    )
}

const textOf = (path: string): string => readFileSync(path, 'utf8')
