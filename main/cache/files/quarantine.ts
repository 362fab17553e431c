import { basename, dirname, join } from 'node:path'
import { SIDES } from '#main/lib/sqlite/connection.ts'
import type { Disk } from '#main/lib/sqlite/disk.ts'
import { moveDatabase } from '#main/lib/sqlite/salvage.ts'

const KEPT_FOR_MS = 30 * 24 * 3_600_000
const LIMIT_BYTES = 500 * 1024 * 1024

/**
 * Moves a bad database with its side files to `quarantine/<name>.<time>`, and removes the oldest ones beyond `maxCopies` or
 * beyond 500 MB in total. `copyAlso` names a file that is copied with it.
 */
export function quarantine(
  disk: Disk,
  path: string,
  now: number,
  options: { maxCopies: number; copyAlso?: string },
): string {
  const folder = join(dirname(path), 'quarantine')
  disk.folder(folder)
  const target = freeName(disk, join(folder, `${basename(path)}.${now}`))
  if (options.copyAlso !== undefined && disk.exists(options.copyAlso)) disk.copy(options.copyAlso, `${target}-journal`)
  moveDatabase(disk, path, target)
  disk.syncFolder(dirname(path))
  prune(disk, folder, basename(path), options.maxCopies)
  return target
}

/** Removes files that have been in an account's quarantine for 30 days: they contain messages. */
export function expireQuarantine(disk: Disk, folder: string, now: number): void {
  const quarantined = join(folder, 'quarantine')
  for (const entry of disk.list(quarantined)) {
    const [time] = numbersOf(entry.replace(/-(wal|shm|journal)$/, ''))
    if (time !== undefined && now - time >= KEPT_FOR_MS) disk.remove(join(quarantined, entry))
  }
}

function freeName(disk: Disk, wanted: string): string {
  let name = wanted
  for (let count = 2; disk.exists(name); count += 1) name = `${wanted}.${count}`
  return name
}

function prune(disk: Disk, folder: string, name: string, maxCopies: number): void {
  const isMain = (entry: string) => entry.startsWith(`${name}.`) && !/-(wal|shm|journal)$/.test(entry)
  const entries = disk.list(folder).filter(isMain).toSorted(byTime).toReversed()
  let bytes = 0
  entries.forEach((entry, index) => {
    bytes += disk.isFolder(join(folder, entry)) ? 0 : disk.size(join(folder, entry))
    if (index < maxCopies && (index === 0 || bytes <= LIMIT_BYTES)) return
    for (const side of [...SIDES, '-journal']) disk.remove(join(folder, entry + side))
  })
}

const byTime = (a: string, b: string): number => {
  const [first = 0, second = 0] = numbersOf(a)
  const [otherFirst = 0, otherSecond = 0] = numbersOf(b)
  return first - otherFirst || second - otherSecond
}

const numbersOf = (name: string): readonly number[] => name.split('.').map(Number).filter(Number.isFinite)
