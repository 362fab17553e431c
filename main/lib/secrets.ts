import { createHmac, scrypt, timingSafeEqual, X509Certificate } from 'node:crypto'

/**
 * What scrypt makes of the secret of an invitation. The client shows the identifier first; the server shows with the key
 * that it is the one that made the invitation. Neither reveals the secret, not even a short one: see ADR 45.
 */
export type InvitationKey = { readonly id: string; readonly key: string }

/** 16 MB and some tens of milliseconds for one guess. */
const COST = { N: 2 ** 14, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const ID_BYTES = 16
const KEY_BYTES = 32
/** Secrets are random, so one salt for all of them loses nothing. */
const SALT = 'parlor invitation 1'

export function invitationKey(secret: string): Promise<InvitationKey> {
  return new Promise((resolve, reject) =>
    scrypt(secret, SALT, ID_BYTES + KEY_BYTES, COST, (error, bytes) => {
      if (error) return reject(error)
      resolve({
        id: bytes.subarray(0, ID_BYTES).toString('base64url'),
        key: bytes.subarray(ID_BYTES).toString('base64url'),
      })
    }),
  )
}

/**
 * Shows that whoever answers knows the invitation, and owns the certificate of this connection.
 *
 * @param fingerprint SHA-256 of the certificate, base64url
 */
export const invitationProof = (key: string, nonce: string, fingerprint: string): string =>
  createHmac('sha256', Buffer.from(key, 'base64url')).update(`${nonce}\n${fingerprint}`).digest('base64url')

/** SHA-256 of a certificate, base64url, as invitations contain it. */
export const fingerprintOf = (certificate: string): string =>
  Buffer.from(new X509Certificate(certificate).fingerprint256.replaceAll(':', ''), 'hex').toString('base64url')

/** Constant time. */
export function sameProof(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** 128 MB of memory and half a second for each attempt to guess a passphrase. */
const PASSPHRASE_COST = { N: 131_072, r: 8, p: 1, maxmem: 268_435_456 }

export const PASSPHRASE_BYTES = { salt: 16, key: 32, check: 16 } as const

/** The key, and a part of the same derivation that tells a wrong passphrase from a damaged file. */
export function passphraseKey(passphrase: string, salt: Uint8Array): Promise<{ key: Buffer; check: Buffer }> {
  const { key, check } = PASSPHRASE_BYTES
  return new Promise((resolve, reject) => {
    // The same text may be typed in different forms on different systems.
    scrypt(passphrase.normalize('NFKC'), salt, key + check, PASSPHRASE_COST, (error, derived) => {
      if (error) reject(error)
      else resolve({ key: derived.subarray(0, key), check: derived.subarray(key) })
    })
  })
}
