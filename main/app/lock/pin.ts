import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'

/** Stored data of a PIN, never the PIN itself. `wrong`: failed attempts since the last correct one. */
const pinSchema = v.object({
  salt: v.string(),
  hash: v.string(),
  wrong: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type StoredPin = v.InferOutput<typeof pinSchema>

const SALT_BYTES = 16
const HASH_BYTES = 32
/** About 50 ms and 16 MB per attempt. */
const COST = { N: 2 ** 14, r: 8, p: 1, maxmem: 32 * 2 ** 20 } as const

function hashOf(pin: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same PIN however a keyboard composes its characters.
    scrypt(pin.normalize('NFKC'), salt, HASH_BYTES, COST, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}

export async function hashPin(pin: string): Promise<StoredPin> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await hashOf(pin, salt)
  return { salt: salt.toString('base64'), hash: hash.toString('base64'), wrong: 0 }
}

export async function isPin(stored: StoredPin, typed: string): Promise<boolean> {
  const wanted = Buffer.from(stored.hash, 'base64')
  const hash = await hashOf(typed, Buffer.from(stored.salt, 'base64'))
  return wanted.length === hash.length && timingSafeEqual(wanted, hash)
}

/** `undefined` if there is none, or if it is malformed. */
export function readPin(text: string | undefined): StoredPin | undefined {
  if (text === undefined) return undefined
  try {
    const parsed = v.safeParse(pinSchema, JSON.parse(text))
    return parsed.success ? parsed.output : undefined
  } catch {
    // Not JSON.
    return undefined
  }
}
