import { closeSync, existsSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs'
import type { Ids } from '#main/lib/ids.ts'

/** What can happen to the bytes of a file. Each returns what it did, for the report of a failure. */
export const FORMS = {
  'one byte': (path, ids) => {
    const at = placeIn(path, 1, ids)
    const [was = 0] = readFileSync(path).subarray(at, at + 1)
    return overwrite(path, at, Buffer.of(was ^ (1 + Math.floor(ids.random() * 255))))
  },
  '20 bytes': (path, ids) => {
    const bytes = Buffer.from(Array.from({ length: 20 }, () => Math.floor(ids.random() * 256)))
    return overwrite(path, placeIn(path, 20, ids), bytes)
  },
  '4 KB of 0xFF': (path, ids) => overwrite(path, placeIn(path, 4_096, ids), Buffer.alloc(4_096, 0xff)),
  'a zeroed page': (path, ids) => {
    const pages = Math.max(1, Math.floor(statSync(path).size / 4_096))
    return overwrite(path, Math.floor(ids.random() * pages) * 4_096, Buffer.alloc(4_096))
  },
  'cut short': (path, ids) => {
    const length = Math.floor(ids.random() * statSync(path).size)
    truncateSync(path, length)
    return `cut to ${length}`
  },
} as const satisfies Readonly<Record<string, (path: string, ids: Ids) => string>>

export type Form = keyof typeof FORMS

/** False when there is nothing to damage. */
export const canBeDamaged = (path: string): boolean => existsSync(path) && statSync(path).size > 0

function placeIn(path: string, length: number, ids: Ids): number {
  return Math.floor(ids.random() * Math.max(1, statSync(path).size - length + 1))
}

/** In place, as a disk does it: a program that has the file open reads the same bytes. Never makes it longer. */
function overwrite(path: string, at: number, bytes: Buffer): string {
  const file = openSync(path, 'r+')
  try {
    const { size } = statSync(path)
    const length = Math.min(bytes.length, size - at)
    writeSync(file, bytes, 0, length, at)
    return `${length} bytes at ${at} of ${size}`
  } finally {
    closeSync(file)
  }
}
