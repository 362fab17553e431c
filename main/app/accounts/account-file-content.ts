import { createHash, createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import * as v from 'valibot'
import { ACCOUNT_FILE_BYTES } from '#shared/domain/account-file.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { shapeProblem } from '#main/bridge/dispatch.ts'
import { type Carried, carriedEntries, type CarriedKind } from '#main/engine/features/export/carried.ts'
import { carriedSchemas, type CarriedParts, type CarriedSettings } from '#main/settings/carried-settings.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { PASSPHRASE_BYTES, passphraseKey } from '#main/lib/secrets.ts'

/**
 * Whose file it is. `server` identifies the server without naming its key: two accounts of one person on one server have
 * the same mark, whichever address they use for it.
 */
const ownerSchema = v.object({
  kind: v.picklist(['demo', 'own', 'hosted']),
  userId: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  userName: v.pipe(v.string(), v.maxLength(500)),
  workspaceName: v.pipe(v.string(), v.maxLength(500)),
  server: v.pipe(v.string(), v.regex(/^[\da-f]{32}$/)),
  /** The address of a hosted server, without path, where its key alone does not identify it. */
  host: v.optional(v.pipe(v.string(), v.maxLength(300))),
  /** The name that an own workspace was created with. */
  founded: v.optional(v.pipe(v.string(), v.maxLength(500))),
})
export type FileOwner = v.InferOutput<typeof ownerSchema>

const contentSchema = v.object({
  kind: v.literal('parlor-account'),
  savedAt: v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15)),
  owner: ownerSchema,
  settings: v.object({
    parts: v.record(v.string(), v.unknown()),
    changed: v.record(v.string(), v.pipe(v.number(), v.minValue(0))),
  }),
  entries: v.record(v.string(), v.unknown()),
})

export type FileContent = {
  readonly savedAt: number
  readonly owner: FileOwner
  readonly settings: CarriedSettings
  readonly carried: Carried
  /** How many entries and settings are not valid; they are left out. */
  readonly invalid: number
}

/**
 * A key of this length is random, as those of local servers are: no two servers share it, and the same one may have another
 * address on every network. A short one may have been chosen by hand, for several servers.
 */
const RANDOM_KEY = 16

export function ownerOf(
  ref: AccountRef,
  { apiKey, ...names }: { readonly apiKey: string; readonly userName: string; readonly workspaceName: string },
): FileOwner {
  const server = createHash('sha256').update(`parlor account file\n${apiKey}`).digest('hex').slice(0, 32)
  const { kind, userId } = ref
  return {
    kind,
    userId,
    ...names,
    server,
    host: ref.kind === 'hosted' && apiKey.length < RANDOM_KEY ? new URL(ref.url).host : undefined,
    founded: ref.kind === 'own' ? ref.name : undefined,
  }
}

/**
 * Whether both are one account. An own workspace is the same for its owner and for those who reach it over the network;
 * copied to another device it has another key, and is recognized by its name. Demos differ only in their people.
 */
export function isSameAccount(one: FileOwner, other: FileOwner): boolean {
  if (one.userId !== other.userId) return false
  if (one.kind === 'demo' || other.kind === 'demo') return one.kind === other.kind
  if (one.kind === 'own' && other.kind === 'own') return one.server === other.server || one.founded === other.founded
  return one.server === other.server && (one.host ?? other.host) === (other.host ?? one.host)
}

export const writeContent = ({ savedAt, owner, settings, carried }: Omit<FileContent, 'invalid'>): Buffer =>
  Buffer.from(JSON.stringify({ kind: 'parlor-account', savedAt, owner, settings, entries: carried }))

const LIMITS = { bytes: ACCOUNT_FILE_BYTES, depth: 24, nodes: 1_000_000 }

/** Far above normal use: an outbox has at most a thousand entries. */
const MOST_ENTRIES = 20_000

/** Reads decrypted content, each entry on its own. Throws `account-file/damaged` if it is not a content at all. */
export function readContent(bytes: Uint8Array): FileContent {
  const raw = jsonOf(bytes)
  const parsed = shapeProblem(raw, LIMITS) === undefined ? v.safeParse(contentSchema, raw) : undefined
  if (!parsed?.success) throw new AppError('account-file/damaged')
  const { savedAt, owner, settings, entries } = parsed.output
  let invalid = 0
  const refuse = (count: number): void => void (invalid += count)
  const kinds = Object.keys(carriedEntries) as CarriedKind[]
  // Kinds that this version does not know come from a newer one.
  for (const [kind, list] of Object.entries(entries)) {
    if (!Object.hasOwn(carriedEntries, kind)) refuse(Array.isArray(list) ? list.length : 1)
  }
  const carried = Object.fromEntries(kinds.map((kind) => [kind, entriesOf(kind, entries[kind], refuse)]))
  const parts = partsOf(settings.parts, refuse)
  return {
    savedAt,
    owner,
    settings: { parts, changed: settings.changed },
    carried: carried as Carried,
    invalid,
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new AppError('account-file/damaged', { cause: error })
  }
}

function entriesOf(kind: CarriedKind, list: unknown, refuse: (count: number) => void): readonly unknown[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) return (refuse(1), [])
  refuse(Math.max(0, list.length - MOST_ENTRIES))
  return list.slice(0, MOST_ENTRIES).flatMap((each: unknown) => {
    const parsed = v.safeParse(carriedEntries[kind], each)
    if (parsed.success) return [parsed.output]
    refuse(1)
    return []
  })
}

/** Parts that this version does not know come from a newer one, and count as not valid too. */
function partsOf(given: Readonly<Record<string, unknown>>, refuse: (count: number) => void): CarriedParts {
  const accepted: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(carriedSchemas, name) ? carriedSchemas[name as keyof CarriedParts] : undefined
    const parsed = schema && v.safeParse(schema, value)
    if (parsed?.success) accepted[name] = parsed.output
    else refuse(1)
  }
  return accepted
}

/**
 * The encryption of an account file, in the format of docs/account-file.md: `ParlorAF`, the version, salt, check, nonce,
 * the encrypted content, its tag, and a checksum of all of it. The version determines everything else: a file cannot ask
 * for another algorithm, or for more memory.
 */
const MAGIC = Buffer.from('ParlorAF', 'latin1')
const VERSION = 1
const { salt: SALT, check: CHECK } = PASSPHRASE_BYTES
const NONCE = 12
const TAG = 16
const SUM = 4
const HEAD = MAGIC.length + 1 + SALT + CHECK + NONCE

/** Encrypts content under a passphrase. Throws `account-file/too-large`. */
export async function seal(content: Uint8Array, passphrase: string): Promise<Buffer> {
  if (HEAD + content.length + TAG + SUM > ACCOUNT_FILE_BYTES) throw new AppError('account-file/too-large')
  const salt = randomBytes(SALT)
  const { key, check } = await passphraseKey(passphrase, salt)
  const nonce = randomBytes(NONCE)
  const head = Buffer.concat([MAGIC, Buffer.of(VERSION), salt, check, nonce])
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(head)
  const body = [head, cipher.update(content), cipher.final()]
  return withSum(Buffer.concat([...body, cipher.getAuthTag()]))
}

/**
 * Checks whether these bytes are a whole file of this format, before anyone is asked for a passphrase. Throws
 * `account-file/too-large`, `account-file/not-one`, `account-file/newer` or `account-file/damaged`.
 */
export function checkSealed(file: Buffer): void {
  if (file.length > ACCOUNT_FILE_BYTES) throw new AppError('account-file/too-large')
  const start = file.subarray(0, MAGIC.length)
  if (!start.equals(MAGIC.subarray(0, start.length)) || start.length === 0) throw new AppError('account-file/not-one')
  const version = file[MAGIC.length] ?? 0
  if (version > VERSION) throw new AppError('account-file/newer')
  const isWhole = version === VERSION && file.length >= HEAD + TAG + SUM
  const body = file.subarray(0, -SUM)
  if (!isWhole || !withSum(body).equals(file)) throw new AppError('account-file/damaged')
}

/** Decrypts a file. Throws as {@link checkSealed}, and `account-file/passphrase` if the passphrase is not its own. */
export async function unseal(file: Buffer, passphrase: string): Promise<Buffer> {
  checkSealed(file)
  const head = file.subarray(0, HEAD)
  const [salt, given, nonce] = cut(head.subarray(MAGIC.length + 1), [SALT, CHECK, NONCE])
  const { key, check } = await passphraseKey(passphrase, salt)
  if (!timingSafeEqual(check, given)) throw new AppError('account-file/passphrase')
  const end = file.length - SUM - TAG
  const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(head)
  cipher.setAuthTag(file.subarray(end, end + TAG))
  try {
    return Buffer.concat([cipher.update(file.subarray(HEAD, end)), cipher.final()])
  } catch (error) {
    throw new AppError('account-file/damaged', { cause: error })
  }
}

function withSum(body: Buffer): Buffer {
  const sum = Buffer.alloc(SUM)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([body, sum])
}

function cut(bytes: Buffer, [first, second, third]: readonly [number, number, number]): [Buffer, Buffer, Buffer] {
  const at = first + second
  return [bytes.subarray(0, first), bytes.subarray(first, at), bytes.subarray(at, at + third)]
}
