import { isIP } from 'node:net'
import { readFlags, type FlagValues } from '#main/lib/flags.ts'
import type { LogLevel } from '#main/lib/logger.ts'
import { isUserId } from '#shared/wire/users.ts'
import { isLinkLocal } from '#shared/rules/server/network-address.ts'
import type { BackupPlan } from '../store/scheduled-backups.ts'
import { HIGHEST_MAX_CONNECTIONS, MAX_CONNECTIONS } from '../realtime/hub.ts'
import type { CertificateFiles } from '../network/network.ts'

export type ServerCommand =
  | 'serve'
  | 'token'
  | 'backup'
  | 'verify'
  | 'restore'
  | 'pack'
  | 'unpack'
  | 'look'
  | 'move'
  | 'export'
  | 'import'
  | 'undo-import'
  | 'salvage'

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
  /** Adds the person to the running server on `port` first. */
  readonly create: boolean
  /** Changes nothing: says what would be done. */
  readonly dryRun: boolean
  /** Overwrites a file, or sets a workspace aside. */
  readonly force: boolean
  /** Who joins the imported channels; of a workspace file: who is its owner where it is opened. */
  readonly owner: string | undefined
  /** Of a workspace file: contains its passphrase. */
  readonly passphraseFile: string | undefined
  /** Of a move to another server: its address, and the file with its secret. */
  readonly to: string | undefined
  readonly secretFile: string | undefined
  /** Prints lines of JSON while it works, for the program that started it. */
  readonly progress: boolean
  /** Fetches previews for links of sent messages automatically. */
  readonly enrichSent: boolean
  /** Realtime connections of all people together. */
  readonly maxConnections: number
  /** Calls per minute: for people on this machine, or for a server that strangers reach. */
  readonly rates: 'loose' | 'strict'
  /** Where the log goes instead of standard error. */
  readonly logFile: LogFile | undefined
  /** Bytes of one upload, and of all of them. */
  readonly uploadBytes: number | undefined
  readonly mostUploadBytes: number | undefined
  /** Serves metrics on the port of loopback. */
  readonly metrics: boolean
  /** Backups that the running server makes. */
  readonly backups: BackupPlan | undefined
  /** The port for people on other devices. */
  readonly network: (NetworkArguments & Pick<ServerArguments, 'rates'>) | undefined
}

/** What a command takes as its argument, if anything. */
const COMMANDS: Readonly<
  Record<Exclude<ServerCommand, 'serve'>, { readonly takes?: string; readonly missing?: string }>
> = {
  token: { takes: 'USER', missing: 'token needs the id of a user.' },
  backup: { takes: 'FILE', missing: 'backup needs a file to write.' },
  verify: { takes: 'FILE', missing: 'verify needs the file of a backup or of a workspace.' },
  restore: { takes: 'FILE', missing: 'restore needs the file of a backup.' },
  pack: { takes: 'FILE', missing: 'pack needs a file to write.' },
  unpack: { takes: 'FILE', missing: 'unpack needs a workspace file.' },
  look: { takes: 'FILE', missing: 'look needs a workspace file.' },
  move: {},
  export: { takes: 'FILE', missing: 'export needs a file to write, or - for standard output.' },
  import: { takes: 'FILE', missing: 'import needs the file or folder of an export.' },
  'undo-import': {},
  salvage: {},
}

export const USAGE = `Usage: npm run server -- [COMMAND] --data DIR [OPTIONS]

Without a command the server runs until it is stopped; it listens on 127.0.0.1 and, with --listen, for other devices.
It prints one line when it does.

Commands
  token USER      Prints a token that signs this person in.
  backup FILE     Copies the workspace with its uploads into one file, also while its server runs.
  verify FILE     Reads a whole backup or workspace file and checks it; needs no --data.
  restore FILE    Puts a backup in the place of the workspace; the server must be stopped.
  pack FILE       Writes the workspace into one file that another computer opens; stop the server first to move it.
  unpack FILE     Puts the workspace of such a file into an empty folder.
  look FILE       Says what is in such a file; needs no --data.
  export FILE|-   Writes people, channels, messages and the rest as JSON lines, also while the server runs.
  move            Copies the workspace to another server of the contract over its calls; stop the server first.
  import FILE     Adds the history in an export of Slack, Mattermost, Telegram or Discord; the server must be stopped.
                  Prints what it does as JSON lines. A file or a folder; the same one again adds nothing.
  undo-import     Removes what the last import added, but not what people have answered since; the server must be
                  stopped. After an end in the middle, the same command goes on.
  salvage         Keeps what can still be read of a damaged workspace; the damaged file is set aside.

Options
  --data DIR            The folder of the workspace; needed by every command but verify and look.
  --port N              The port to listen on; 0, the usual one, takes a free one.
  --seed demo|none      Writes the demo team into an empty workspace, or leaves it empty (none).
  --api-key KEY         The key clients send; by default made at the first start and stored in the folder.
  --log-level LEVEL     What is logged to standard error: error, warn (the usual), info or debug.
  --log-file FILE       Logs into this file instead of to standard error.
  --log-size MB         Size at which a new log file begins: 10 usually, 1 to 1000.
  --log-keep N          How many older log files stay, as FILE.1: 5 usually, 1 to 100.
  --link-previews on    Lets the server fetch previews of sent links; off by default.
  --connections N       Realtime connections of all users together, ${MAX_CONNECTIONS} to ${HIGHEST_MAX_CONNECTIONS}.
  --limits WHICH        Calls per minute of each user: loose (the usual), or strict (the usual with --listen).
  --listen ADDR:PORT    Opens a port for other devices as well, as 0.0.0.0:7443; needs --url, and TLS or a proxy.
  --url URL             The address that people type, as https://chat.example.org.
  --tls-cert FILE       The certificate for --url with those of its issuers, as PEM; loaded again when it changes.
  --tls-key FILE        The key of the certificate, as PEM.
  --behind-proxy ADDRS  Only these proxies may connect to --listen; they have the certificate and name the callers.
  --metrics on          Serves numbers for Prometheus at /metrics, on 127.0.0.1 only; off by default.
  --upload-size MB      The largest upload: 104 usually, 1 to 2000.
  --uploads-total GB    Uploads of all people together, 1 to 100000; usually what the disk has.
  --backups DIR         Makes backups into this folder while the server runs; best on another disk.
  --backup-every TIME   How often, as 6h or 1d (the usual); 15m at least.
  --backup-keep N       How many of them stay: 14 usually, 1 to 1000.
  --expires WHEN        token: how long it is valid, as 90m, 12h, 30d or a date; by default without an end.
  --create              token: adds the person to the server that runs on --port, if it does not know them.
  --dry-run             import, move: says what would come or be copied and what could not, and changes nothing.
  --owner USER          import: joins the channels, and is added if unknown. pack: who is its owner where it is opened.
                        For both, usually the first administrator.
  --passphrase-file F   pack, unpack, look, verify: the file with the passphrase, without which there is none.
  --to URL              move: the address of the other server; --api-key is its key.
  --secret-file FILE    move: the file with the secret of the other server.
  --progress            pack, unpack, look: prints lines of JSON while it works.
  --force               backup, pack, export: writes over the file. restore: sets the workspace that is there aside.
  --help                Prints this.

Environment
  PARLOR_SECRET         Signs and checks tokens, 32 bytes or more; by default made and stored in the folder.

Ends with 0 when all went well, 1 when it could not be done, 2 when the arguments are wrong.`

/** What one person may store in all is not much more. */
const MOST_UPLOAD_MB = 2_000

const FLAGS = {
  data: { type: 'text' },
  port: { type: 'number', from: 0, to: 65_535 },
  seed: { type: 'choice', of: ['demo', 'none'] },
  'api-key': { type: 'text' },
  'log-level': { type: 'choice', of: ['error', 'warn', 'info', 'debug'] },
  'link-previews': { type: 'choice', of: ['on', 'off'] },
  connections: { type: 'number', from: MAX_CONNECTIONS, to: HIGHEST_MAX_CONNECTIONS },
  limits: { type: 'choice', of: ['loose', 'strict'] },
  listen: { type: 'text' },
  url: { type: 'text' },
  'tls-cert': { type: 'text' },
  'tls-key': { type: 'text' },
  'behind-proxy': { type: 'list' },
  'log-file': { type: 'text' },
  'log-size': { type: 'number', from: 1, to: 1_000 },
  'log-keep': { type: 'number', from: 1, to: 100 },
  metrics: { type: 'choice', of: ['on', 'off'] },
  'upload-size': { type: 'number', from: 1, to: MOST_UPLOAD_MB },
  'uploads-total': { type: 'number', from: 1, to: 100_000 },
  backups: { type: 'text' },
  'backup-every': { type: 'text' },
  'backup-keep': { type: 'number', from: 1, to: 1_000 },
  expires: { type: 'text' },
  create: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  force: { type: 'boolean' },
  owner: { type: 'text' },
  'passphrase-file': { type: 'text' },
  to: { type: 'text' },
  'secret-file': { type: 'text' },
  progress: { type: 'boolean' },
} as const
type LogFile = { readonly path: string; readonly mostBytes: number; readonly older: number }

type Values = FlagValues<typeof FLAGS>

const SERVER_ONLY = [
  'upload-size',
  'uploads-total',
  'log-file',
  'listen',
  'url',
  'tls-cert',
  'tls-key',
  'behind-proxy',
  'backups',
  'backup-every',
  'backup-keep',
] as const

/** Reads the command line; a returned text says what is wrong with it. */
export function readArguments(args: readonly string[]): ServerArguments | string {
  const given = readFlags(args, FLAGS, { positionals: Infinity })
  if (typeof given === 'string') return given
  const command = checkCommand(given.values, given.positionals)
  return typeof command === 'string' ? command : checkOptions(given.values, command)
}

type CommandLine = Pick<ServerArguments, 'command' | 'subject'>

function checkCommand(values: Values, plain: readonly string[]): CommandLine | string {
  const [command, ...rest] = plain
  if (command === undefined)
    return NEED_A_COMMAND.some((name) => values[name] !== undefined && values[name] !== false)
      ? 'There is no command.'
      : SERVE
  if (!isCommand(command)) return `Unknown command ${command}.`
  const { takes, missing } = COMMANDS[command]
  if (values.expires !== undefined && command !== 'token') return '--expires belongs to token.'
  if (values.create && command !== 'token') return '--create belongs to token.'
  const strange = strangeTo(command, values)
  if (strange !== undefined) return strange
  if (values.create && values.port === undefined) return '--create needs --port: the port of the running server.'
  const [subject, ...more] = takes === undefined ? ['', ...rest] : rest
  if (subject === undefined) return missing ?? ''
  if (more.length > 0) return `Unexpected ${more.join(' ')}.`
  if (takes !== undefined && subject === '') return missing ?? ''
  if (command === 'token' && !isUserId(subject))
    return `${subject} cannot be the id of a user: letters, digits, @, _ and -, at most 255 of them.`
  return { command, subject }
}

/** Flags of one command that this one does not know, or does not have. */
function strangeTo(command: ServerCommand, values: Values): string | undefined {
  const ofMove = (['to', 'secret-file'] as const).find((name) => values[name] !== undefined)
  if (ofMove !== undefined && command !== 'move') return `--${ofMove} belongs to move.`
  if (values['dry-run'] && command !== 'import' && command !== 'move') return '--dry-run belongs to import and move.'
  if (values.owner !== undefined && command !== 'pack' && command !== 'import')
    return '--owner belongs to import and pack.'
  if (values.owner !== undefined && !isUserId(values.owner)) return `${values.owner} cannot be the id of a user.`
  if (values['passphrase-file'] !== undefined && !['pack', 'unpack', 'look', 'verify'].includes(command))
    return '--passphrase-file belongs to pack, unpack, look and verify.'
  if (values.progress && !['pack', 'unpack', 'look'].includes(command))
    return '--progress belongs to pack, unpack and look.'
  return command === 'move' ? missingToMove(values) : undefined
}

function missingToMove({ to, 'api-key': apiKey, 'secret-file': secretFile }: Values): string | undefined {
  if (to === undefined) return 'move needs --to: the address of the other server.'
  if (!URL.canParse(to) || !/^https?:$/.test(new URL(to).protocol))
    return '--to must be an address that starts with https:// or http://.'
  // The secret goes along with every call.
  if (new URL(to).protocol === 'http:' && !LOOPBACK.has(new URL(to).hostname))
    return '--to must start with https:// unless it is on this device.'
  if (apiKey === undefined) return 'move needs --api-key: the key of the other server.'
  if (secretFile === undefined) return 'move needs --secret-file: the file with the secret of the other server.'
  return undefined
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

const SERVE: CommandLine = { command: 'serve', subject: '' }

const NEED_A_COMMAND = [
  'expires',
  'force',
  'create',
  'owner',
  'passphrase-file',
  'progress',
  'to',
  'secret-file',
  'dry-run',
] as const

const isCommand = (word: string): word is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, word)

const NEEDS_NO_FOLDER: ReadonlySet<ServerCommand> = new Set(['verify', 'look'])

function checkOptions(values: Values, command: CommandLine): ServerArguments | string {
  const {
    data: dataFolder = NEEDS_NO_FOLDER.has(command.command) ? '' : undefined,
    port = 0,
    seed = 'none',
    limits,
    connections = MAX_CONNECTIONS,
  } = values
  if (dataFolder === undefined) return '--data is missing: the folder for the workspace.'
  if (port === REWRITTEN_PORT) return `--port ${port} cannot be used: clients of the contract rewrite it.`
  const misplaced = command.command === 'serve' ? undefined : SERVER_ONLY.find((name) => values[name] !== undefined)
  if (misplaced !== undefined) return `--${misplaced} is for the running server, not for ${command.command}.`
  const alone = (['log-size', 'log-keep'] as const).find((name) => values[name] !== undefined)
  if (alone !== undefined && values['log-file'] === undefined)
    return `--${alone} belongs to --log-file, which is missing.`
  const backups = readBackups(values)
  if (typeof backups === 'string') return backups
  const network = readNetwork(values)
  if (typeof network === 'string') return network
  return {
    ...command,
    port,
    dataFolder,
    seed,
    apiKey: values['api-key'],
    logLevel: values['log-level'] ?? 'warn',
    expires: values.expires,
    create: values.create,
    dryRun: values['dry-run'],
    force: values.force,
    owner: values.owner,
    passphraseFile: values['passphrase-file'],
    to: values.to,
    secretFile: values['secret-file'],
    progress: values.progress,
    enrichSent: values['link-previews'] === 'on',
    maxConnections: connections,
    rates: limits ?? 'loose',
    logFile: logFileOf(values),
    uploadBytes: bytesOf(values['upload-size'], MEGABYTE),
    mostUploadBytes: bytesOf(values['uploads-total'], GIGABYTE),
    metrics: values.metrics === 'on',
    backups,
    // Strangers reach it.
    network: network && { ...network, rates: limits ?? 'strict' },
  }
}

const DEFAULT_LOG_SIZE = 10
const DEFAULT_LOG_KEEP = 5
const MEGABYTE = 1_000_000
const GIGABYTE = 1_000_000_000

const bytesOf = (count: number | undefined, unit: number): number | undefined =>
  count === undefined ? undefined : count * unit

function logFileOf(values: Values): LogFile | undefined {
  const { 'log-file': path, 'log-size': size = DEFAULT_LOG_SIZE, 'log-keep': older = DEFAULT_LOG_KEEP } = values
  return path === undefined ? undefined : { path, mostBytes: size * MEGABYTE, older }
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const DEFAULT_KEEP = 14
const SHORTEST_EVERY_MS = 15 * UNITS.m

/** Reads what belongs to `--backups`: `undefined` without it, and a text that says what is wrong. */
function readBackups(values: Values): BackupPlan | string | undefined {
  const { backups: folder, 'backup-every': every = '1d', 'backup-keep': keep = DEFAULT_KEEP } = values
  if (folder === undefined) {
    const alone = (['backup-every', 'backup-keep'] as const).find((name) => values[name] !== undefined)
    return alone === undefined ? undefined : `--${alone} belongs to --backups, which is missing.`
  }
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(every) ?? []
  const everyMs = Number(count) * UNITS[unit as keyof typeof UNITS]
  if (count === undefined || everyMs < SHORTEST_EVERY_MS)
    return `--backup-every must be a time of 15m or more, as 6h or 1d, not "${every}".`
  return { folder, everyMs, keep }
}

const SHORTEST_SECRET_BYTES = 32

/** What is wrong with a secret from the environment; `undefined` when it is fine or none is given. */
export function secretRefusal(secret: string | undefined): string | undefined {
  if (secret === undefined || new TextEncoder().encode(secret).byteLength >= SHORTEST_SECRET_BYTES) return undefined
  return `PARLOR_SECRET is shorter than ${SHORTEST_SECRET_BYTES} bytes: anyone who guesses it can sign in as any user.`
}

/** `90m`, `12h`, `30d`, or a date in the future, as epoch milliseconds; `undefined` for what is neither. */
export function readExpiry(text: string, nowMs: number): number | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const at = count === undefined ? Date.parse(text) : nowMs + Number(count) * UNITS[unit as keyof typeof UNITS]
  return Number.isNaN(at) || at <= nowMs ? undefined : at
}

export const DISK_FULL = 'The disk is full.'

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is taken by another program. Choose another one with --port.',
  EACCES: 'The folder or the port may not be used: permission denied.',
  EPERM: 'The folder or the port may not be used: permission denied.',
  EROFS: 'The data folder is on a read-only disk.',
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  ENOTDIR: 'The data folder is not a folder.',
  EEXIST: 'The data folder is not a folder.',
  SQLITE_CANTOPEN: 'The data folder cannot be written.',
  SQLITE_READONLY: 'The data folder cannot be written.',
  SQLITE_NOTADB: 'The data folder holds a damaged server.db.',
  SQLITE_CORRUPT: 'The data folder holds a damaged server.db.',
  SQLITE_FULL: DISK_FULL,
}

/** Why the server did not start or the command failed, in one line. */
export function explain(error: unknown, isStart: boolean): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = Object.keys(REASONS).find((each) => code === each || code.startsWith(`${each}_`))
  const reason = known ? REASONS[known] : error instanceof Error ? error.message.split('\n', 1)[0] : 'unknown reason'
  return isStart ? `The Parlor server could not start. ${reason}` : String(reason)
}

/** The port for people on other devices, as the command line describes it. */
type NetworkArguments = {
  readonly address: string
  readonly port: number
  readonly url: string
  readonly certificate?: CertificateFiles
  readonly proxies?: readonly string[]
}

type Given = {
  readonly listen?: string
  readonly url?: string
  readonly 'tls-cert'?: string
  readonly 'tls-key'?: string
  readonly 'behind-proxy'?: readonly string[]
}

/** Clients of the contract rewrite this port. */
const REWRITTEN_PORT = 3030

/** Reads what belongs to `--listen`: `undefined` without it, and a text that says what is wrong. */
function readNetwork(given: Given): NetworkArguments | string | undefined {
  const { listen, url, 'tls-cert': cert, 'tls-key': key, 'behind-proxy': proxies } = given
  if (listen === undefined) {
    const alone = (['url', 'tls-cert', 'tls-key', 'behind-proxy'] as const).find((name) => given[name] !== undefined)
    return alone === undefined ? undefined : `--${alone} belongs to --listen, which is missing.`
  }
  const place = readPlace(listen)
  if (typeof place === 'string') return place
  const origin = readOrigin(url)
  if ('wrong' in origin) return origin.wrong
  if (proxies && (cert !== undefined || key !== undefined))
    return '--behind-proxy and --tls-cert exclude each other: TLS ends either at the proxy or here.'
  if (proxies) {
    const wrong = proxies.find((each) => isIP(each) === 0)
    return wrong === undefined
      ? { ...place, ...origin, proxies }
      : `--behind-proxy must be the addresses of the proxies, as 127.0.0.1 or 10.0.0.2,10.0.0.3, not "${wrong}".`
  }
  if (cert === undefined && key === undefined)
    return '--listen needs --tls-cert and --tls-key, or --behind-proxy: without them, tokens and messages would cross the network unencrypted.'
  if (cert === undefined) return '--tls-cert is missing: the file of the certificate, in PEM form.'
  if (key === undefined) return '--tls-key is missing: the file of the key of the certificate, in PEM form.'
  return { ...place, ...origin, certificate: { cert, key } }
}

const LINK_LOCAL =
  'it is link-local, an address that the device gave itself and that others cannot use. Choose one that the network gave it.'

function readPlace(text: string): Pick<NetworkArguments, 'address' | 'port'> | string {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? []
  const address = bracketed ?? plain ?? ''
  const port = Number(digits)
  const isRight = isIP(address) === (bracketed === undefined ? 4 : 6) && port <= 65_535
  if (!isRight)
    return `--listen must be an address of this device and a port, as 0.0.0.0:7443 or [::]:7443, not "${text}".`
  if (isLinkLocal(address)) return `--listen cannot use ${address}: ${LINK_LOCAL}`
  if (port === REWRITTEN_PORT) return `--listen cannot use port ${port}: clients of the contract rewrite it.`
  return { address, port }
}

function readOrigin(text: string | undefined): { readonly url: string } | { readonly wrong: string } {
  if (text === undefined)
    return { wrong: '--listen needs --url: the address that people type, as https://chat.example.org.' }
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || `${url.origin}/` !== url.href)
    return { wrong: `--url must be https:// and a name, with nothing after it but a port, not "${text}".` }
  if (isLinkLocal(url.hostname.replace(/^\[|\]$/g, '')))
    return { wrong: `--url cannot be ${url.hostname}: ${LINK_LOCAL}` }
  if (url.port === String(REWRITTEN_PORT))
    return { wrong: `--url cannot have port ${url.port}: clients of the contract rewrite it.` }
  return { url: url.origin }
}
