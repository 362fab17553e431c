/** How the other common form of these files begins: the bare bytes of a certificate. */
const SEQUENCE = 0x30

/** A certificate as text, whichever of the two common forms its file has. */
export function pemOf(bytes: Uint8Array): string {
  if (bytes[0] !== SEQUENCE) return new TextDecoder().decode(bytes)
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`
}
