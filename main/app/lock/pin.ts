import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'

/** What is kept of a PIN: never itself. `wrong`: how often another one was typed since the right one. */
const keptSchema = v.object({
  salt: v.string(),
  hash: v.string(),
  wrong: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type KeptPin = v.InferOutput<typeof keptSchema>

const SALT_BYTES = 16
const HASH_BYTES = 32
/** About a twentieth of a second and 16 MB a try. */
const COST = { N: 2 ** 14, r: 8, p: 1, maxmem: 32 * 2 ** 20 } as const

function hashOf(pin: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // However a keyboard composes a letter, it is the same PIN.
    scrypt(pin.normalize('NFKC'), salt, HASH_BYTES, COST, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}

export async function keepPin(pin: string): Promise<KeptPin> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await hashOf(pin, salt)
  return { salt: salt.toString('base64'), hash: hash.toString('base64'), wrong: 0 }
}

export async function isPin(kept: KeptPin, typed: string): Promise<boolean> {
  const wanted = Buffer.from(kept.hash, 'base64')
  const hash = await hashOf(typed, Buffer.from(kept.salt, 'base64'))
  return wanted.length === hash.length && timingSafeEqual(wanted, hash)
}

/** `undefined`: there is none, or what is there is none. */
export function readPin(text: string | undefined): KeptPin | undefined {
  if (text === undefined) return undefined
  try {
    const parsed = v.safeParse(keptSchema, JSON.parse(text))
    return parsed.success ? parsed.output : undefined
  } catch {
    // Not JSON.
    return undefined
  }
}
