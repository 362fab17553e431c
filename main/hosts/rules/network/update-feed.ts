import { createPublicKey, verify } from 'node:crypto'
import type { NoUpdates } from '#shared/domain/desktop/desktop.ts'
import type { Os } from '../windows/window-options.ts'

/** The file `app-update.yml` of the packager: where versions are downloaded from, and who signs them. */
type PackagedFeed = { readonly url: string | undefined; readonly namesPublisher: boolean }

/** The packager writes one value a line; nothing else of the file matters here. */
export function readPackagedFeed(text: string): PackagedFeed {
  const url = /^url:[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|([^\n]*?))[ \t]*$/m.exec(text)
  const found = url?.slice(1).find((part) => part !== undefined && part !== '')
  return { url: found, namesPublisher: /^publisherName:[ \t]*\S|^publisherName:[ \t]*\n[ \t]*-/m.test(text) }
}

/** Encrypted, or on this device, where no one can intercept. */
export function isFeedAddress(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(url.hostname))
}

export type FeedFacts = {
  readonly os: Os
  readonly forbidden: boolean
  readonly packaged: boolean
  /** Installed by an installer that the updater can run again: not an unpacked folder. */
  readonly installed: boolean
  readonly url: string | undefined
  /** Windows: the package says whose signature an installer must have. */
  readonly namesPublisher: boolean
  /** The program has the public key of signed version lists. */
  readonly hasKey: boolean
}

/**
 * Why this program cannot update, or `undefined` if it can. Someone's signature must be checked before anything is
 * installed: the system does it on macOS, the updater on Windows where the package names a publisher, and the key of
 * the program everywhere it has one.
 */
export function noUpdatesWhy(facts: FeedFacts): NoUpdates | undefined {
  if (facts.forbidden) return 'forbidden'
  if (!facts.packaged) return 'files'
  if (!facts.installed) return 'unpacked'
  if (facts.url === undefined || !isFeedAddress(facts.url)) return 'no-feed'
  if (facts.hasKey || facts.os === 'macos' || (facts.os === 'windows' && facts.namesPublisher)) return undefined
  return 'unsigned'
}

/** A version as its feed lists it. */
export type ListedVersion = {
  readonly version: string
  readonly files: readonly { readonly url: string; readonly sha512: string; readonly size?: number }[]
}

/** The signed text of a list: the version, and each file with its hash and size. */
export const signedText = ({ version, files }: ListedVersion): string =>
  [version, ...files.map(({ url, sha512, size }) => `${url} ${sha512} ${size ?? ''}`)].join('\n')

/**
 * Whether the list was signed with the private key.
 *
 * @param key Ed25519, in base64 of its DER (SPKI)
 * @param signature base64
 */
export function isSignedBy(key: string, listed: ListedVersion, signature: unknown): boolean {
  if (typeof signature !== 'string' || !Array.isArray(listed.files) || listed.files.length === 0) return false
  try {
    const half = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
    return verify(null, Buffer.from(signedText(listed)), half, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
