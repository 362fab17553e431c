import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { ACCOUNT_FILE_BYTES } from '#shared/domain/account-file.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { PASSPHRASE_BYTES, passphraseKey } from '#main/lib/passphrase.ts'

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
