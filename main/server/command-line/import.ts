import { basename, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { IMPORT_SOURCES, type ImportProgress, type ImportSource } from '#shared/domain/imports.ts'
import type { Clock } from '#main/lib/clock.ts'
import { systemIds } from '#main/lib/ids.ts'
import { openServices } from '../app.ts'
import { openArchive } from '../imports/archive.ts'
import { NotAnExport } from '../imports/history.ts'
import { lastImport } from '../imports/import-tables.ts'
import { Imports, READERS } from '../imports/imports.ts'
import { NotDone } from '../store/backup.ts'
import { MS } from '../store/time.ts'
import { firstAdministrator } from '../users/user-table.ts'
import { ensureUser } from '../users/users.ts'
import { transact, type Services } from '../work.ts'
import type { ServerArguments } from './arguments.ts'

type Ports = { readonly clock: Clock; readonly out: Writable }

/** Adds the history in an export to a workspace whose server is stopped, and prints what it does as JSON lines. */
export async function runImport(
  { dataFolder, subject, dryRun, owner }: ServerArguments,
  { clock, out }: Ports,
): Promise<string> {
  const path = resolve(subject)
  const print = (line: object): void => void out.write(`${JSON.stringify(line)}\n`)
  const source = await sourceOf(path)
  const services = servicesOf(dataFolder, clock)
  const imports = new Imports(services)
  try {
    const row = lastImport(services.db)
    const isUnfinished = row?.state === 'running' || row?.state === 'paused' || row?.state === 'undoing'
    if (isUnfinished && (row.path !== path || row.state === 'undoing' || dryRun))
      throw new NotDone('Another import is under way here. Start the server, and end it in the app.')
    if (isUnfinished) {
      imports.resume()
      await imports.obey({ action: 'continue' })
    } else {
      await imports.obey({ action: 'check', source, path, name: basename(path).slice(0, 255) || 'import' })
      await imports.settled()
      const { progress } = imports.state()
      if (progress.step !== 'checked') throw new NotDone(REFUSED[refusalIn(progress)])
      const { people, channels, ...figures } = progress.check
      print({ event: 'check', source, ...figures })
      for (const person of people) print({ event: 'person', ...person })
      for (const channel of channels) print({ event: 'channel', ...channel })
      if (dryRun) return ''
      await imports.obey({ action: 'start', owner: ownerOf(services, owner), people: {}, channels: {} })
    }
    await imports.settled()
    const end = imports.state().progress
    if (end.step !== 'done')
      throw new NotDone(NOT_FINISHED[end.step === 'paused' ? (end.problem ?? 'failed') : 'failed'])
    print({ event: 'report', ...end.report })
    await imports.obey({ action: 'close' })
    return ''
  } finally {
    services.presence.stop()
    services.db.close()
  }
}

/** Removes what the last import into a workspace whose server is stopped has added, and prints how much that was. */
export async function undoLastImport({ dataFolder }: ServerArguments, { clock, out }: Ports): Promise<string> {
  const services = servicesOf(dataFolder, clock)
  const imports = new Imports(services)
  try {
    const row = lastImport(services.db)
    if (!row || row.state === 'undone') throw new NotDone('There is no import to undo.')
    const before = countOf(services)
    // What an earlier run has begun goes on; what is under way ends first.
    if (row.state === 'undoing') imports.resume()
    else {
      await imports.obey({ action: 'stop' })
      await imports.obey({ action: 'undo' })
    }
    await imports.settled()
    if (lastImport(services.db)?.state !== 'undone')
      throw new NotDone('The undo ended with an error. Run the same command again: it goes on from there.')
    out.write(`${JSON.stringify({ event: 'undone', name: row.name, messages: before - countOf(services) })}\n`)
    return ''
  } finally {
    services.presence.stop()
    services.db.close()
  }
}

const countOf = ({ db }: Services): number =>
  db.get<{ count: number }>('SELECT count(*) AS count FROM messages')?.count ?? 0

const servicesOf = (dataFolder: string, clock: Clock): Services =>
  openServices({
    dataFolder: resolve(dataFolder),
    clock,
    ids: systemIds,
    log: () => undefined,
    // Nobody connects; stored addresses have no origin.
    localUrl: () => 'http://127.0.0.1:0',
    apiKey: '',
    secret: '',
  })

const REFUSED = {
  'not-one': 'This is no export of Slack, Mattermost, Telegram or Discord.',
  bomb: 'The archive was refused: it would unpack to far more than its size.',
  names: 'The archive was refused: it has names that lead out of it.',
  damaged: 'The file is damaged.',
  gone: 'There is no such file or folder.',
} as const

const refusalIn = (progress: ImportProgress): keyof typeof REFUSED =>
  progress.step === 'refused' ? progress.refusal.reason : 'damaged'

const NOT_FINISHED = {
  'disk-full': 'The disk is full. Free some space and run the same command again: what is there is passed over.',
  'file-gone': 'The file is gone. Run the same command again once it is back.',
  failed: 'The import ended with an error. Run the same command again: what is there is passed over.',
} as const

/** The first kind whose reader accepts the beginning. */
async function sourceOf(path: string): Promise<ImportSource> {
  for (const source of IMPORT_SOURCES) {
    const archive = await openArchive(path).catch((error: unknown) => {
      throw new NotDone(REFUSED[error instanceof NotAnExport ? error.refusal.reason : 'damaged'])
    })
    try {
      for await (const item of READERS[source](archive)) if (item.kind !== 'left') return source
    } catch (error) {
      if (!(error instanceof NotAnExport)) throw error
    } finally {
      archive.close()
    }
  }
  throw new NotDone(REFUSED['not-one'])
}

function ownerOf(services: Services, named: string | undefined): string {
  const owner = named ?? firstAdministrator(services.db)
  if (owner === undefined) throw new NotDone('There is no administrator yet. Say with --owner who joins the channels.')
  transact(services, ({ db }) => ensureUser(db, owner, Math.round(services.clock.now() * MS)))
  return owner
}
