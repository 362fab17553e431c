import type { LogLevel } from '#main/lib/logger.ts'
import { isUserId } from '#shared/wire/users.ts'
import { HIGHEST_MAX_CONNECTIONS, MAX_CONNECTIONS } from '../realtime/hub.ts'

export type ServerCommand = 'serve' | 'token' | 'backup' | 'restore' | 'export' | 'salvage'

export type ServerArguments = {
  readonly command: ServerCommand
  readonly port: number
  readonly dataFolder: string
  readonly seed: 'demo' | 'none'
  readonly apiKey: string | undefined
  readonly logLevel: LogLevel
  /** What follows the command: a user id or a file. Empty for commands without one. */
  readonly subject: string
  /** How long a token is valid; absent: without an end. */
  readonly expires: string | undefined
  /** Overwrites a file, or sets a workspace aside. */
  readonly force: boolean
  /** Fetches previews for links of sent messages without being asked. */
  readonly enrichSent: boolean
  /** Realtime connections of all people together. */
  readonly maxConnections: number
  /** Calls per minute: for people on this machine, or for a server that strangers reach. */
  readonly rates: 'loose' | 'strict'
}

/** What a command takes as its argument, if anything. */
const COMMANDS: Readonly<
  Record<Exclude<ServerCommand, 'serve'>, { readonly takes?: string; readonly missing?: string }>
> = {
  token: { takes: 'USER', missing: 'token needs the id of a user.' },
  backup: { takes: 'FILE', missing: 'backup needs a file to write.' },
  restore: { takes: 'FILE', missing: 'restore needs the file of a backup.' },
  export: { takes: 'FILE', missing: 'export needs a file to write, or - for standard output.' },
  salvage: {},
}

export const USAGE = `Usage: npm run server -- [COMMAND] --data DIR [OPTIONS]

Without a command the server runs until it is stopped; it listens on 127.0.0.1 and prints one line when it does.

Commands
  token USER      Prints a token that signs this person in.
  backup FILE     Copies the workspace with its uploads into one file, also while its server runs.
  restore FILE    Puts a backup in the place of the workspace; the server must be stopped.
  export FILE|-   Writes people, channels, messages and the rest as JSON lines, also while the server runs.
  salvage         Keeps what can still be read of a damaged workspace; the damaged file is set aside.

Options
  --data DIR            The folder of the workspace; needed by every command.
  --port N              The port to listen on; 0, the usual one, takes a free one.
  --seed demo|none      Writes the demo team into an empty workspace, or leaves it empty (none).
  --api-key KEY         The key clients send; by default made at the first start and stored in the folder.
  --log-level LEVEL     What is logged to standard error: error, warn (the usual), info or debug.
  --link-previews on    Lets the server fetch previews of sent links; off by default.
  --connections N       Realtime connections of all users together, ${MAX_CONNECTIONS} to ${HIGHEST_MAX_CONNECTIONS}.
  --limits WHICH        Calls per minute of each user: loose (the usual), or strict, where strangers call.
  --expires WHEN        token: how long it is valid, as 90m, 12h, 30d or a date; by default without an end.
  --force               backup, export: writes over the file. restore: sets the workspace that is there aside.
  --help                Prints this.

Environment
  PARLOR_SECRET         Signs and checks tokens, 32 bytes or more; by default made and stored in the folder.

Ends with 0 when all went well, 1 when it could not be done, 2 when the arguments are wrong.`

const NAMES: ReadonlySet<string> = new Set([
  '--port',
  '--data',
  '--seed',
  '--api-key',
  '--log-level',
  '--link-previews',
  '--connections',
  '--limits',
  '--expires',
])
const LEVELS: readonly string[] = ['error', 'warn', 'info', 'debug']

/** Reads the command line; a returned text says what is wrong with it. */
export function readArguments(args: readonly string[]): ServerArguments | string {
  const given = new Map<string, string>()
  const plain: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (!word.startsWith('--')) {
      plain.push(word)
      continue
    }
    if (word === '--force') {
      given.set(word, 'yes')
      continue
    }
    const [name = '', inline] = word.split(/=(.*)/s, 2)
    if (!NAMES.has(name)) return `Unknown option ${name}.`
    const value = inline ?? args[(at += 1)]
    if (value === undefined || value === '') return `${name} needs a value.`
    given.set(name, value)
  }
  const subject = checkCommand(given, plain)
  return typeof subject === 'string' ? subject : checkOptions(given, subject)
}

type CommandLine = Pick<ServerArguments, 'command' | 'subject'>

function checkCommand(given: ReadonlyMap<string, string>, plain: readonly string[]): CommandLine | string {
  const [command, ...rest] = plain
  if (command === undefined) return given.has('--expires') || given.has('--force') ? 'There is no command.' : SERVE
  if (!isCommand(command)) return `Unknown command ${command}.`
  const { takes, missing } = COMMANDS[command]
  if (given.has('--expires') && command !== 'token') return '--expires belongs to token.'
  const [subject, ...more] = takes === undefined ? ['', ...rest] : rest
  if (subject === undefined) return missing ?? ''
  if (more.length > 0) return `Unexpected ${more.join(' ')}.`
  if (takes !== undefined && subject === '') return missing ?? ''
  if (command === 'token' && !isUserId(subject))
    return `${subject} cannot be the id of a user: letters, digits, @, _ and -, at most 255 of them.`
  return { command, subject }
}

const SERVE: CommandLine = { command: 'serve', subject: '' }

const isCommand = (word: string): word is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, word)

function checkOptions(given: ReadonlyMap<string, string>, command: CommandLine): ServerArguments | string {
  const dataFolder = given.get('--data')
  if (dataFolder === undefined) return '--data is missing: the folder for the workspace.'
  const port = wholeOf(given.get('--port') ?? '0')
  if (Number.isNaN(port) || port > 65_535) return '--port must be a number from 0 to 65535.'
  if (port === 3030) return '--port 3030 cannot be used: clients of the contract rewrite it.'
  const seed = given.get('--seed') ?? 'none'
  if (seed !== 'demo' && seed !== 'none') return '--seed must be demo or none.'
  const linkPreviews = given.get('--link-previews') ?? 'off'
  if (linkPreviews !== 'on' && linkPreviews !== 'off') return '--link-previews must be on or off.'
  const logLevel = given.get('--log-level') ?? 'warn'
  if (!LEVELS.includes(logLevel)) return `--log-level must be one of ${LEVELS.join(', ')}.`
  const maxConnections = wholeOf(given.get('--connections') ?? String(MAX_CONNECTIONS))
  if (!(maxConnections >= MAX_CONNECTIONS && maxConnections <= HIGHEST_MAX_CONNECTIONS)) {
    return `--connections must be a number from ${MAX_CONNECTIONS} to ${HIGHEST_MAX_CONNECTIONS}.`
  }
  const rates = given.get('--limits') ?? 'loose'
  if (rates !== 'loose' && rates !== 'strict') return '--limits must be loose or strict.'
  return {
    ...command,
    port,
    dataFolder,
    seed,
    apiKey: given.get('--api-key'),
    logLevel: logLevel as LogLevel,
    expires: given.get('--expires'),
    force: given.has('--force'),
    enrichSent: linkPreviews === 'on',
    maxConnections,
    rates,
  }
}

/** Digits only: `0x1F`, `1e3` and ` 7` are typing mistakes. */
const wholeOf = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN)

const SHORTEST_SECRET_BYTES = 32

/** What is wrong with a secret from the environment; `undefined` when it is fine or none is given. */
export function secretRefusal(secret: string | undefined): string | undefined {
  if (secret === undefined || new TextEncoder().encode(secret).byteLength >= SHORTEST_SECRET_BYTES) return undefined
  return `PARLOR_SECRET is shorter than ${SHORTEST_SECRET_BYTES} bytes: whoever guesses it signs in as anybody.`
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `90m`, `12h`, `30d`, or a date in the future, as epoch milliseconds; `undefined` for what is neither. */
export function readExpiry(text: string, nowMs: number): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const at = count === undefined ? Date.parse(text) : nowMs + Number(count) * UNITS[unit as keyof typeof UNITS]
  return Number.isNaN(at) || at <= nowMs ? undefined : at
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is taken by another program. Choose another one with --port.',
  EACCES: 'The folder or the port may not be used: permission denied.',
  EPERM: 'The folder or the port may not be used: permission denied.',
  EROFS: 'The data folder is on a read-only disk.',
  ENOSPC: 'The disk is full.',
  ENOTDIR: 'The data folder is not a folder.',
  EEXIST: 'The data folder is not a folder.',
  SQLITE_CANTOPEN: 'The data folder cannot be written.',
  SQLITE_READONLY: 'The data folder cannot be written.',
  SQLITE_NOTADB: 'The data folder holds a damaged server.db.',
  SQLITE_CORRUPT: 'The data folder holds a damaged server.db.',
  SQLITE_FULL: 'The disk is full.',
}

/** Why the server did not start or the command failed, in one line. */
export function explain(error: unknown, isStart: boolean): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = Object.keys(REASONS).find((each) => code === each || code.startsWith(`${each}_`))
  const reason = known ? REASONS[known] : error instanceof Error ? error.message.split('\n', 1)[0] : 'unknown reason'
  return isStart ? `The Parlor server could not start. ${reason}` : String(reason)
}
