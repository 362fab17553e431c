import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { MEMORY_DISK } from '#kit/sim/memory-disk.ts'
import { aDraftRow, anIntent } from '#kit/rows.ts'
import { PATIENCE_MS, replayLine, seedsOf, type Amount } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { openStores, type Stores } from '#main/cache/files/open.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import * as intents from '#main/cache/outbox/intents.ts'
import * as notes from '#main/cache/outbox/reminder-notes.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import type { UploadRow } from '#main/cache/rows.ts'
import { silentSink } from '#main/lib/logger.ts'
import { asCid, asMessageId, asUserId } from '#shared/lib/brand.ts'
import { canBeDamaged, FORMS, type Form } from './damage.ts'

/**
 * Bytes of the outbox or of its second copy are damaged, after a normal exit or after a kill. The start works, all that
 * either copy held is there, letter by letter, and the damaged file is preserved and reported.
 */
const UNSENT = 120
const CID = asCid('team:general')
const FILES = ['outbox.db', 'outbox.db-wal', 'outbox.journal'] as const
const ENDS = ['an orderly end', 'a kill'] as const
type File = (typeof FILES)[number]
type End = (typeof ENDS)[number]

const open = (folder: string): Stores =>
  openStores({
    folder,
    viewerId: asUserId('me'),
    installId: 'install-1',
    clock: { now: () => 1_000_000, monotonic: () => 0 },
    ids: { uuid: () => 'install-1', random: () => 0.5 },
    log: silentSink,
  })

/** Everything that was accepted and is still there, by what it is. */
const held = ({ outbox: { reader } }: Stores): Map<string, unknown> =>
  new Map<string, unknown>([
    ...intents.all(reader).map((row) => [`intent ${row.id}`, row] as const),
    ...drafts.all(reader).map((row) => [`draft ${row.key}`, row] as const),
    ...uploads.all(reader).map((row) => [`upload ${row.id}`, row] as const),
    ...notes.all(reader).map((row) => [`note ${row.messageId}`, row] as const),
  ])

type Master = { readonly folder: string; readonly rows: ReadonlyMap<string, unknown> }

/** An account with unsent intents of every kind: some from an earlier run, some changed and some canceled since. */
function makeMaster(end: End): Master {
  const folder = mkdtempSync(join(MEMORY_DISK, 'parlor-damage-'))
  const first = open(folder)
  fill(first, 0, UNSENT / 2)
  first.close()
  const second = open(folder)
  fill(second, UNSENT / 2, UNSENT)
  second.outbox.transaction((tx) => {
    for (const n of [3, 40, 70, 110]) intents.remove(tx, `i${n}`)
    for (const n of [5, 50, 75, 115]) {
      const row = intents.byId(tx, `i${n}`)
      if (row)
        intents.update(tx, { ...row, state: 'waiting', attempts: 2, reason: { code: 'server/busy', retryable: true } })
    }
    drafts.remove(tx, 'team:c7')
  })
  const rows = held(second)
  if (end === 'an orderly end') second.close()
  else kill(second, folder)
  return { folder, rows }
}

/** What a killed process leaves behind: its files as they are, with their write-ahead logs. */
function kill(stores: Stores, folder: string): void {
  cpSync(folder, `${folder}-killed`, { recursive: true })
  stores.close()
  rmSync(folder, { recursive: true })
  cpSync(`${folder}-killed`, folder, { recursive: true })
  rmSync(`${folder}-killed`, { recursive: true })
}

function fill({ outbox }: Stores, from: number, to: number): void {
  for (let n = from; n < to; n += 1) {
    outbox.transaction((tx) => {
      const payload = { text: `zażółć ${n} `.repeat(1 + ((n * 7) % 90)) }
      intents.add(tx, anIntent({ id: `i${n}`, entityId: `m${n}`, payload }))
      if (n % 6 === 1) drafts.put(tx, aDraftRow({ key: `team:c${n}`, cid: asCid(`team:c${n}`), text: `half ${n}` }))
      if (n % 9 === 2) uploads.put(tx, anUpload(n))
      if (n % 8 === 3) notes.put(tx, { messageId: asMessageId(`r${n}`), cid: CID, rangFor: n, rangAt: n + 1 })
    })
  }
}

const anUpload = (n: number): UploadRow => ({
  id: `u${n}`,
  cid: CID,
  name: `file ${n}.pdf`,
  sizeBytes: n,
  mimeType: 'application/pdf',
  kind: 'file',
  stagedName: `u${n}`,
  stagedBytes: n,
  complete: true,
  state: 'pending',
  createdAt: n,
})

const masters = new Map<End, Master>()
afterAll(() => masters.forEach(({ folder }) => rmSync(folder, { recursive: true, force: true })))

function masterOf(end: End): Master {
  const known = masters.get(end) ?? makeMaster(end)
  masters.set(end, known)
  return known
}

/** Of each form, in each place. */
const AMOUNT: Amount = { fixed: 2, fresh: 1, long: 50, share: 0.02 / 25 }

/** Why the promise was broken; undefined when it held. */
function play(end: End, file: File, form: Form, seed: number): string[] {
  const { folder: master, rows } = masterOf(end)
  const folder = mkdtempSync(join(MEMORY_DISK, 'parlor-damaged-'))
  try {
    cpSync(master, folder, { recursive: true })
    const path = join(folder, file)
    if (!canBeDamaged(path)) return []
    const done = FORMS[form](path, seededIds(seed))
    return judge(folder, rows).map((fault) => `${done}: ${fault}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function judge(folder: string, rows: ReadonlyMap<string, unknown>): string[] {
  let stores: Stores
  try {
    stores = open(folder)
  } catch (error) {
    return [`the start failed: ${String(error)}`]
  }
  const faults: string[] = []
  const { outbox } = stores.report
  const now = held(stores)
  for (const key of rows.keys()) if (!now.has(key)) faults.push(`${key} is lost`)
  for (const [key, row] of now) {
    if (!rows.has(key)) faults.push(`${key} came back`)
    else if (JSON.stringify(row) !== JSON.stringify(rows.get(key)))
      faults.push(`${key} is another one: ${JSON.stringify(row)}`)
  }
  if (outbox.missing > 0) faults.push(`${outbox.missing} are said to be missing`)
  if (outbox.state === 'salvaged' && outbox.recovered !== rows.size) faults.push(`${outbox.recovered} of ${rows.size}`)
  const quarantined = existsSync(join(folder, 'quarantine')) ? readdirSync(join(folder, 'quarantine')) : []
  if ((outbox.state === 'salvaged') !== quarantined.length > 0)
    faults.push(`${outbox.state}, kept: ${quarantined.join()}`)
  stores.outbox.transaction((tx) => intents.add(tx, anIntent({ id: 'next', entityId: 'next' })))
  stores.close()
  const again = open(folder)
  if (again.report.outbox.state !== 'ok') faults.push(`the next start: ${JSON.stringify(again.report.outbox)}`)
  if (held(again).size !== now.size + 1) faults.push('the next start holds something else')
  again.close()
  return faults
}

const PLACES = ENDS.flatMap((end) => FILES.map((file) => [end, file] as const)).filter(
  ([end, file]) => !(end === 'an orderly end' && file === 'outbox.db-wal'),
)

test.each(PLACES)(
  'after %s, damaged bytes of %s: the start works, nothing is lost or changed, and the damage is reported',
  { timeout: PATIENCE_MS },
  (end, file) => {
    const failures = (Object.keys(FORMS) as Form[]).flatMap((form) =>
      [...seedsOf('damaged bytes of the outbox', AMOUNT)].flatMap((seed) => {
        const faults = play(end, file, form, seed)
        if (faults.length === 0) return []
        return [`${form}: ${replayLine('tests/sim/disk/damaged-outbox', seed)}\n  ${faults.slice(0, 4).join('\n  ')}`]
      }),
    )
    expect(failures.join('\n')).toBe('')
  },
)
