import { createHmac, sign, verify, X509Certificate } from 'node:crypto'
import * as v from 'valibot'
import { isAddress } from '#shared/rules/server/network-address.ts'

/**
 * What the device that a workspace moved from says to its people: where it is now. They trust that device's certificate
 * alone, so only a note that it signed counts.
 */
export const movedNoteSchema = v.object({
  addresses: v.pipe(v.array(v.pipe(v.string(), v.check(isAddress))), v.minLength(1), v.maxLength(16)),
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  /** PEM. */
  certificate: v.pipe(v.string(), v.maxLength(8_000), v.check(isCertificate)),
})
export type MovedNote = v.InferOutput<typeof movedNoteSchema>

export const signedNoteSchema = v.object({
  note: v.pipe(v.string(), v.maxLength(20_000)),
  signature: v.pipe(v.string(), v.maxLength(500)),
})
type SignedNote = v.InferOutput<typeof signedNoteSchema>

/** So that nothing else that this key signs can be taken for a note, and no note for anything else. */
const SIGNED = 'parlor workspace moved 1\n'
const ANNOUNCED = 'parlor workspace announced 1\n'

/** @param key of the certificate that the people of the workspace trust (PEM) */
export function signNote(note: MovedNote, key: string): SignedNote {
  const text = JSON.stringify(note)
  return { note: text, signature: sign('sha256', Buffer.from(SIGNED + text), key).toString('base64url') }
}

/** The note, if the owner of this certificate signed it and it is valid. */
export function readNote({ note, signature }: SignedNote, certificate: string): MovedNote | undefined {
  const { publicKey } = new X509Certificate(certificate)
  const isSigned = verify('sha256', Buffer.from(SIGNED + note), publicKey, Buffer.from(signature, 'base64url'))
  return isSigned ? parseNote(note) : undefined
}

export function parseNote(text: string): MovedNote | undefined {
  try {
    const parsed = v.safeParse(movedNoteSchema, JSON.parse(text))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

/** Shows that whoever tells the new address has the workspace file. */
export const announcementProof = (secret: string, note: string): string =>
  createHmac('sha256', secret)
    .update(ANNOUNCED + note)
    .digest('base64url')

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).toString() === text
  } catch {
    return false
  }
}
