import { chmodSync, createWriteStream, existsSync, renameSync, rmSync, readFileSync } from 'node:fs'
import { resolve, basename } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { isLongEnough, PASSPHRASE_LENGTH } from '#shared/domain/account-file.ts'
import { IMPORT_SOURCES, type ImportProgress, type ImportSource } from '#shared/domain/imports.ts'
import type { Clock } from '#main/lib/clock.ts'
import { codeOf } from '#main/lib/disk-error.ts'
import { systemIds } from '#main/lib/ids.ts'
import { readExpiry, type ServerArguments, type ServerCommand } from './arguments.ts'
import { keysOf, tokenFor } from '../run.ts'
import { backUp, NotDone, restore, verify } from '../store/backup.ts'
import { isWorkspaceFile, BadWorkspaceFile, cameFromSchema } from '../store/moving/container.ts'
import { moveTo, SENT_AT, type MoveReport } from './move.ts'
import { exportLines } from '../store/export.ts'
import { salvage } from '../store/salvage.ts'
import { createToken } from '../http/auth/identify.ts'
import { StoreProblem } from '../store/db.ts'
import { lookInto, unpack, verifyPacked, writeKeys, pack, type OnProgress } from '../store/moving/workspace-file.ts'
import { openServices } from '../app.ts'
import { NotAnExport, openArchive } from '../imports/history.ts'
import { lastImport } from '../imports/import-tables.ts'
import { Imports, READERS } from '../imports/imports.ts'
import { MS } from '../store/time.ts'
import { firstAdministrator } from '../users/user-tables.ts'
import { ensureUser } from '../users/users.ts'
import { transact, type Services } from '../work.ts'

type CommandPorts = {
  readonly clock: Clock
  readonly secret: string | undefined
  /** From the app, for its workspaces. */
  readonly order?: string | undefined
  /** Standard output. */
  readonly out: Writable
}

type Run = (given: ServerArguments, ports: CommandPorts) => Promise<string> | string

const COMMANDS: Readonly<Record<Exclude<ServerCommand, 'serve'>, Run>> = {
  async token({ dataFolder, subject, expires, create, port, apiKey }, { clock, secret }) {
    const nowMs = clock.now()
    const expiresAtMs = expires === undefined ? undefined : readExpiry(expires, nowMs)
    if (expires !== undefined && expiresAtMs === undefined)
      throw new NotDone('--expires must be like 90m, 12h or 30d, or a date in the future.')
    const token = tokenFor(dataFolder, subject, {
      secret,
      nowMs,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    })
    if (create) await createPerson(subject, { port, ...keysOf(dataFolder, { secret, apiKey }) })
    return token
  },

  async backup({ dataFolder, subject, force }, { clock }) {
    const { uploads, missing } = await backUp(dataFolder, subject, { force, nowMs: clock.now() })
    const lost = missing === 0 ? '' : ` ${missing} uploads were not there any more.`
    return `Backed up to ${subject} with ${uploads} uploads.${lost}`
  },

  verify(given) {
    const { subject } = given
    if (existsSync(resolve(subject)) && isWorkspaceFile(resolve(subject))) return verifyWorkspaceFile(given)
    const { uploads, createdAt } = verify(subject)
    return `${subject} is whole: a workspace with ${uploads} uploads, backed up at ${createdAt}.`
  },

  restore({ dataFolder, subject, force }) {
    const { uploads, setAside } = restore(dataFolder, subject, { force })
    const before = setAside === undefined ? '' : ` What was there is in ${setAside}.`
    return `Restored with ${uploads} uploads.${before}`
  },

  pack: (given, ports) => moveCommand(given, { ...ports, nowMs: ports.clock.now() }),
  unpack: (given, ports) => moveCommand(given, { ...ports, nowMs: ports.clock.now() }),
  look: (given, ports) => moveCommand(given, { ...ports, nowMs: ports.clock.now() }),

  move: (given, { clock }) => moveToServer(given, clock),

  async export({ dataFolder, subject, force }, { out }) {
    const count = { lines: 0 }
    const lines = Readable.from(counted(exportLines(dataFolder), count))
    if (subject === '-') {
      await pipeline(lines, out, { end: false })
      return ''
    }
    const target = resolve(subject)
    if (existsSync(target) && !force) throw new NotDone(`${subject} is there already. Use --force to write over it.`)
    try {
      await pipeline(lines, createWriteStream(`${target}.partial`, { mode: 0o600 }))
      renameSync(`${target}.partial`, target)
      chmodSync(target, 0o600)
    } finally {
      rmSync(`${target}.partial`, { force: true })
    }
    return `Exported ${count.lines} lines to ${subject}.`
  },

  import: (given, ports) => runImport(given, ports),
  'undo-import': (given, ports) => undoLastImport(given, ports),

  salvage({ dataFolder }) {
    const { rows, setAside } = salvage(dataFolder)
    return `Recovered ${rows} rows. The damaged file is ${setAside}. Start the server to use the recovered data.`
  },
}

function* counted(lines: Iterable<string>, count: { lines: number }): Generator<string> {
  for (const line of lines) {
    count.lines += 1
    yield line
  }
}

/** Runs every command except `serve`. Returns one sentence to print, or an empty text. */
export async function runServerCommand(given: ServerArguments, ports: CommandPorts): Promise<string> {
  return given.command === 'serve' ? '' : COMMANDS[given.command](given, ports)
}

type Running = { readonly port: number; readonly secret: string; readonly apiKey: string }

/**
 * Adds a person to the running server, which lets in only people it knows from the network. Someone it knows stays as
 * they are.
 */
async function createPerson(id: string, { port, secret, apiKey }: Running): Promise<void> {
  const url = new URL(`http://127.0.0.1:${port}/users`)
  url.searchParams.set('api_key', apiKey)
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: createToken({}, secret), 'stream-auth-type': 'jwt', 'Content-Type': 'application/json' },
    body: JSON.stringify({ users: { [id]: { id } } }),
  }).catch(() => {
    throw new NotDone(`No server answers on port ${port} of this device. Start it, or give the port that it uses.`)
  })
  await response.text()
  if (!response.ok) {
    throw new NotDone(
      response.status === 401
        ? `The server on port ${port} is not the one of this folder: it refused its keys.`
        : `The server on port ${port} refused to add ${id} (${response.status}).`,
    )
  }
}

/** The refusals that are printed; the rest is counted. */
const PRINTED = 20

/** `move`: to another server of the contract. Says what is there now, and what is not. */
async function moveToServer(given: ServerArguments, clock: Clock): Promise<string> {
  const { dataFolder, dryRun, to: url = '', apiKey = '', secretFile = '' } = given
  const secret = readFileSync(secretFile, 'utf8').trim()
  const options = { dataFolder, dryRun, url, apiKey, secret }
  return reportOf(await moveTo(options, { request: (address, init) => fetch(address, init), clock }), dryRun)
}

function reportOf({ moved, left, refused }: MoveReport, dryRun: boolean): string {
  const list = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([type, count]) => `${count} ${type}`).join(', ') || 'nothing'
  const lines = [
    `${dryRun ? 'Would move' : 'Moved'}: ${list(moved)}.`,
    `Not moved, because the contract has no call for it or it is of this server alone: ${list(left)}.`,
    `Messages have the time of the move; when they were written is in their field ${SENT_AT}.`,
  ]
  if (refused.length > 0) lines.push(`The server did not take ${refused.length}:`, ...refused.slice(0, PRINTED))
  if (refused.length > PRINTED) lines.push(`and ${refused.length - PRINTED} more.`)
  return lines.join('\n')
}

type Ports = {
  readonly secret: string | undefined
  /** What the app gives along that nobody else on the machine may see; see {@link orderSchema}. */
  readonly order?: string | undefined
  readonly nowMs: number
  readonly out: Writable
}

/** What the app knows of a workspace and its server does not. In the environment: others can see arguments. */
const orderSchema = v.object({
  passphrase: v.optional(v.string()),
  apiKey: v.optional(v.string()),
  name: v.optional(v.string()),
  founded: v.optional(v.string()),
  came: v.optional(cameFromSchema),
})
type Order = v.InferOutput<typeof orderSchema>

/** `pack`, `unpack` and `look`: with `--progress` lines of JSON, otherwise a sentence. */
async function moveCommand(given: ServerArguments, ports: Ports): Promise<string> {
  const order = ports.order === undefined ? {} : v.parse(orderSchema, JSON.parse(ports.order))
  const passphrase = passphraseOf(given, order)
  if (!given.progress) return run(given, { ...ports, given: order, passphrase })
  const say = (line: object): void => void ports.out.write(`${JSON.stringify(line)}\n`)
  try {
    const sentence = await run(given, { ...ports, given: order, passphrase, say })
    if (sentence !== '') say({ event: 'done' })
  } catch (error) {
    say({ event: 'failed', code: failureOf(error) })
  }
  return ''
}

/** Says what is in a workspace file, or `undefined` for another file. */
async function verifyWorkspaceFile(given: ServerArguments): Promise<string> {
  const { about, uploads } = await verifyPacked(given.subject, passphraseOf(given, {}))
  return `${given.subject} is whole: the workspace ${about.name} of ${about.owner.name} with ${uploads} uploads, saved at ${new Date(about.savedAt).toISOString()}.`
}

type Task = Ports & {
  readonly given: Order
  readonly passphrase: string | undefined
  readonly say?: (line: object) => void
}

async function run(given: ServerArguments, task: Task): Promise<string> {
  if (given.command === 'pack') return packIt(given, task)
  if (given.command === 'unpack') return unpackIt(given, task)
  const { about, sealed } = await lookInto(given.subject, task.passphrase)
  const { keys, came, ...shown } = about
  task.say?.({ event: 'about', about: { ...shown, keys: keys !== undefined, came: came !== undefined }, sealed })
  return `${given.subject} has the workspace ${about.name} of ${about.owner.name}, saved at ${new Date(about.savedAt).toISOString()}.`
}

async function packIt(given: ServerArguments, { given: order, passphrase, secret, nowMs, say }: Task): Promise<string> {
  const { dataFolder, subject, force, owner, apiKey = order.apiKey } = given
  const { uploads, missing } = await pack(dataFolder, subject, {
    owner,
    name: order.name,
    founded: order.founded,
    passphrase,
    keys: passphrase === undefined ? undefined : knownKeys(dataFolder, { secret, apiKey }),
    came: order.came,
    force,
    nowMs,
    onProgress: progressOf(say),
  })
  const lost = missing === 0 ? '' : ` ${missing} uploads were not there any more.`
  const keys = passphrase === undefined ? ' Without a passphrase it has no keys: people need new tokens.' : ''
  return `Packed into ${subject} with ${uploads} uploads.${lost}${keys}`
}

async function unpackIt({ dataFolder, subject }: ServerArguments, { passphrase, say }: Task): Promise<string> {
  const { about, uploads } = await unpack(subject, dataFolder, { passphrase, onProgress: progressOf(say) })
  // The app has a store for secrets; there they are never in a file.
  if (say) say({ event: 'keys', keys: about.keys, came: about.came })
  else writeKeys(dataFolder, about)
  return `Unpacked the workspace ${about.name} of ${about.owner.name} with ${uploads} uploads.`
}

function knownKeys(
  dataFolder: string,
  given: { readonly secret: string | undefined; readonly apiKey: string | undefined },
): { readonly apiKey: string; readonly secret: string } | undefined {
  try {
    return keysOf(dataFolder, given)
  } catch (error) {
    // A restored workspace that was never started has none yet.
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function passphraseOf({ command, passphraseFile }: ServerArguments, { passphrase }: Order): string | undefined {
  if (passphraseFile === undefined) return passphrase
  const given = readFileSync(passphraseFile, 'utf8').replace(/\r?\n$/, '')
  if (command === 'pack' && !isLongEnough(given))
    throw new NotDone(`The passphrase in ${passphraseFile} has fewer than ${PASSPHRASE_LENGTH.least} characters.`)
  return given
}

/** At most a hundred lines for each step. */
function progressOf(say: Task['say']): OnProgress | undefined {
  if (!say) return undefined
  let last = ''
  return (step, done, total) => {
    const share = total === 0 ? 100 : Math.floor((done * 100) / total)
    const now = `${step} ${share}`
    if (now === last) return
    last = now
    say({ event: 'progress', step, done, total })
  }
}

const FAILURES: Readonly<Record<string, string>> = {
  ENOSPC: 'data/disk-full',
  EDQUOT: 'data/disk-full',
  SQLITE_FULL: 'data/disk-full',
  EACCES: 'data/not-permitted',
  EPERM: 'data/not-permitted',
  EROFS: 'data/not-permitted',
  ENOENT: 'data/folder-gone',
  ENOTDIR: 'data/folder-gone',
}

function failureOf(error: unknown): string {
  if (error instanceof BadWorkspaceFile) return `workspace-file/${error.problem}`
  if (error instanceof StoreProblem) return 'workspace-file/unsound'
  return FAILURES[codeOf(error) ?? ''] ?? 'data/not-written'
}

type ImportPorts = { readonly clock: Clock; readonly out: Writable }

/** Adds the history in an export to a workspace whose server is stopped, and prints what it does as JSON lines. */
async function runImport(
  { dataFolder, subject, dryRun, owner }: ServerArguments,
  { clock, out }: ImportPorts,
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
async function undoLastImport({ dataFolder }: ServerArguments, { clock, out }: ImportPorts): Promise<string> {
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
