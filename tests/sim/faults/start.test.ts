import { cpSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aMemoryFolder, openTestStores } from '#kit/stores.ts'
import { nodeDisk, type Disk } from '#main/lib/sqlite/disk.ts'
import * as intents from '#main/cache/outbox/intents.ts'
import { asCid } from '#shared/lib/brand.ts'

/** The start sequence, interrupted or refused at each of its file operations. */
const ROWS = 5

class Broken extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

const WRITES = ['rename', 'copy', 'remove', 'write', 'append', 'protect', 'syncFolder', 'folder'] as const

/** A disk whose nth change fails. A torn write leaves half of the text behind. */
function failingDisk(nth: number, code: string): { disk: Disk; count: () => number } {
  let count = 0
  const changes = Object.fromEntries(
    WRITES.map((name) => [
      name,
      (path: string, more: string) => {
        count += 1
        if (count !== nth) return nodeDisk[name](path, more)
        if (code === 'TORN' && name === 'write') nodeDisk.write(path, more.slice(0, more.length / 2))
        throw new Broken(code === 'TORN' ? 'EIO' : code)
      },
    ]),
  )
  return { disk: { ...nodeDisk, ...changes }, count: () => count }
}

/** What a start may find. */
const STATES: readonly (readonly [name: string, spoil: (folder: string) => void])[] = [
  ['a clean end', () => undefined],
  ['a damaged outbox', (folder) => truncateSync(join(folder, 'outbox.db'), 5_000)],
  ['a vanished outbox', (folder) => rmSync(join(folder, 'outbox.db'))],
  ['an emptied cache', (folder) => truncateSync(join(folder, 'cache.db'), 0)],
]

function prepared(spoil: (folder: string) => void): string {
  const folder = aMemoryFolder()
  const stores = openTestStores({ folder, installId: 'install-1' })
  for (let n = 0; n < ROWS; n++) {
    const row = { id: `i${n}`, cid: asCid('team:a'), threadRoot: undefined, dependsOn: undefined, entityId: `i${n}` }
    stores.outbox.transaction((tx) =>
      intents.add(tx, { ...row, kind: 'send-message', payload: { text: `${n}` }, createdAt: n }),
    )
  }
  stores.close()
  spoil(folder)
  return folder
}

const CODES = ['ENOSPC', 'EIO', 'EACCES', 'TORN']

test.each(STATES)('after %s, a start that fails at any of its writes loses nothing', (_name, spoil) => {
  const origin = prepared(spoil)
  const faults: string[] = []
  for (const code of CODES) {
    for (let nth = 1; ; nth++) {
      const folder = aMemoryFolder()
      cpSync(origin, folder, { recursive: true })
      const { disk, count } = failingDisk(nth, code)
      tryToOpen(folder, { disk })
      const stores = openTestStores({ folder, installId: 'install-1' })
      const ids = intents.all(stores.outbox.reader).map(({ id }) => id)
      if (ids.length !== ROWS) faults.push(`${code} at write ${nth}: ${ids.join()} of ${ROWS}`)
      stores.close()
      if (count() < nth) break
    }
  }
  expect(faults).toEqual([])
})

/** A process that ends at the nth statement: each statement reads the clock. */
function endingClock(nth: number): { clock: { now: () => number; monotonic: () => number }; count: () => number } {
  let count = 0
  const monotonic = (): number => {
    count += 1
    if (count === nth) throw new Broken('ENDED')
    return 0
  }
  return { clock: { now: () => 1_000_000, monotonic }, count: () => count }
}

test.each(STATES)('after %s, a start that ends at any of its statements loses nothing', (_name, spoil) => {
  const origin = prepared(spoil)
  const faults: string[] = []
  for (let nth = 1; ; nth++) {
    const folder = aMemoryFolder()
    cpSync(origin, folder, { recursive: true })
    const { clock, count } = endingClock(nth)
    tryToOpen(folder, { clock })
    const stores = openTestStores({ folder, installId: 'install-1' })
    const ids = intents.all(stores.outbox.reader).map(({ id }) => id)
    if (ids.length !== ROWS) faults.push(`ended at statement ${nth}: ${ids.join()} of ${ROWS}`)
    stores.close()
    if (count() < nth) break
  }
  expect(faults).toEqual([])
})

/** Fails with an error, or starts all the same; the process ends either way. */
function tryToOpen(folder: string, parts: Partial<Parameters<typeof openTestStores>[0]>): void {
  try {
    const stores = openTestStores({ folder, installId: 'install-1', ...parts })
    for (const { reader } of [stores.cache, stores.outbox]) reader.db.raw.close()
  } catch (error) {
    // The refusal itself does not matter here: the test is about what the next start finds.
    if (!(error instanceof Error)) throw error
  }
}
