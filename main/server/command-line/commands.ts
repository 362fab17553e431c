import { chmodSync, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '#main/lib/clock.ts'
import { readExpiry, type ServerArguments, type ServerCommand } from './arguments.ts'
import { keysOf, tokenFor } from '../run.ts'
import { runImport, undoLastImport } from './import.ts'
import { createPerson } from './create-person.ts'
import { backUp, NotDone, restore, verify } from '../store/backup.ts'
import { isWorkspaceFile } from '../store/moving/container.ts'
import { moveToServer } from './move/command.ts'
import { moveCommand, verifyWorkspaceFile } from './move-commands.ts'
import { exportLines } from '../store/export.ts'
import { salvage } from '../store/salvage.ts'

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
