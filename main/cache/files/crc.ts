import { crc32 as crcOfBytes } from 'node:zlib'

/** CRC-32 (IEEE) of a text's UTF-8 bytes, as an unsigned number. Protects single rows and journal lines. */
export const crc32 = (text: string): number => crcOfBytes(text)
