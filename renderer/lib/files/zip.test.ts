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
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
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

test('an archive has the times of its files, within the years that the format supports', async () => {
  const dates = [new Date(2026, 10, 22, 10, 30, 8), new Date(1975, 0, 1), new Date(2200, 0, 1)]
  const zip = await zipOf(
    'times.zip',
    dates.map((date, index) => ({ path: `${index}`, file: new File(['x'], 'x', { lastModified: date.getTime() }) })),
  )
  const bytes = Buffer.from(await zip.arrayBuffer())
  let at = bytes.readUInt32LE(bytes.length - 22 + 16)
  const times = dates.map(() => {
    const [time, day] = [bytes.readUInt16LE(at + 12), bytes.readUInt16LE(at + 14)]
    at += 46 + bytes.readUInt16LE(at + 28)
    return [(day >> 9) + 1980, (day >> 5) & 15, day & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2]
  })
  expect(times).toEqual([
    [2026, 11, 22, 10, 30, 8],
    [1980, 1, 1, 0, 0, 0],
    [2099, 12, 31, 0, 0, 0],
  ])
})

test('a file of many chunks is read and compressed in a stream', async () => {
  const chunk = 'a line of a log that repeats itself, more or less; '
  const text = chunk.repeat(100_000)
  const zip = await zipOf('log.zip', [{ path: 'log/big.txt', file: new File([text], 'big.txt') }])
  expect(zip.size).toBeLessThan(text.length / 50)
  expect((await unzipped(zip)).map((entry) => [entry.sound, entry.text.length])).toEqual([[true, text.length]])
})

test('a file that cannot be read anymore fails the archive', async () => {
  const file = new File(['x'], 'x')
  file.stream = () => new ReadableStream({ start: (controller) => controller.error(new Error('gone')) })
  await expect(zipOf('a.zip', [{ path: 'a/x', file }])).rejects.toThrow('gone')
})
