import { chmodSync, createWriteStream, existsSync, renameSync, rmSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { isLongEnough, PASSPHRASE_LENGTH } from '#shared/domain/account-file.ts'
import type { Clock } from '#main/lib/clock.ts'
import { codeOf } from '#main/lib/disk-error.ts'
import { readExpiry, type ServerArguments, type ServerCommand } from './arguments.ts'
import { keysOf, tokenFor } from '../run.ts'
import { runImport, undoLastImport } from './import.ts'
import { backUp, NotDone, restore, verify } from '../store/backup.ts'
import { isWorkspaceFile, BadWorkspaceFile, cameFromSchema } from '../store/moving/container.ts'
import { moveTo, SENT_AT, type MoveReport } from './move.ts'
import { exportLines } from '../store/export.ts'
import { salvage } from '../store/salvage.ts'
import { createToken } from '../http/auth/identify.ts'
import { pack, type OnProgress } from '../store/moving/pack.ts'
import { StoreProblem } from '../store/db.ts'
import { lookInto, unpack, verifyPacked, writeKeys } from '../store/moving/unpack.ts'

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
