import { scrypt } from 'node:crypto'

/** 128 MB of memory and half a second for each attempt to guess a passphrase. */
const COST = { N: 131_072, r: 8, p: 1, maxmem: 268_435_456 }

export const PASSPHRASE_BYTES = { salt: 16, key: 32, check: 16 } as const

/** The key, and a part of the same derivation that tells a wrong passphrase from a damaged file. */
export function passphraseKey(passphrase: string, salt: Uint8Array): Promise<{ key: Buffer; check: Buffer }> {
  const { key, check } = PASSPHRASE_BYTES
  return new Promise((resolve, reject) => {
    // The same text may be typed in different forms on different systems.
    scrypt(passphrase.normalize('NFKC'), salt, key + check, COST, (error, derived) => {
      if (error) reject(error)
      else resolve({ key: derived.subarray(0, key), check: derived.subarray(key) })
    })
  })
}
