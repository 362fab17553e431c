import { crc32, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { zipOf } from './zip.ts'

/** Reads an archive by its central directory, like other programs. */
async function unzipped(file: File): Promise<readonly { name: string; text: string; sound: boolean }[]> {
  const bytes = Buffer.from(await file.arrayBuffer())
  const end = bytes.length - 22
  let at = bytes.readUInt32LE(end + 16)
  return Array.from({ length: bytes.readUInt16LE(end + 10) }, () => {
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const start = bytes.readUInt32LE(at + 42) + 30 + nameLength
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20))
    const whole = bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed
    const sound = whole.length === bytes.readUInt32LE(at + 24) && crc32(whole) === bytes.readUInt32LE(at + 16)
    at += 46 + nameLength
    return { name, text: whole.toString(), sound }
  })
}

test('a folder becomes an archive that other programs can read: names, folders and bytes', async () => {
  const long = 'the same words again. '.repeat(200)
  const zip = await zipOf('trip.zip', [
    { path: 'trip/żółw.txt', file: new File(['tiny'], 'żółw.txt') },
    { path: 'trip/more/long.txt', file: new File([long], 'long.txt') },
    { path: 'trip/empty', file: new File([], 'empty') },
  ])
  expect(zip.name).toBe('trip.zip')
  expect(zip.type).toBe('application/zip')
  expect(zip.size).toBeLessThan(long.length)
  expect(await unzipped(zip)).toEqual([
    { name: 'trip/żółw.txt', text: 'tiny', sound: true },
    { name: 'trip/more/long.txt', text: long, sound: true },
    { name: 'trip/empty', text: '', sound: true },
  ])
})
