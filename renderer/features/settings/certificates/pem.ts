/** First byte of a DER file: an ASN.1 SEQUENCE. */
const ASN1_SEQUENCE = 0x30

/** The content of a PEM or DER file as PEM. */
export function pemOf(bytes: Uint8Array): string {
  if (bytes[0] !== ASN1_SEQUENCE) return new TextDecoder().decode(bytes)
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`
}
