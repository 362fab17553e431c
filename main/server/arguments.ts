import type { LogLevel } from '#main/lib/logger.ts'
import { HIGHEST_MAX_CONNECTIONS, MAX_CONNECTIONS } from './realtime/hub.ts'

export type ServerArguments = {
  readonly command: 'serve' | 'token'
  readonly port: number
  readonly dataFolder: string
  readonly seed: 'demo' | 'none'
  readonly apiKey: string | undefined
  readonly logLevel: LogLevel
  readonly userId: string | undefined
  /** Links of sent messages are looked at without being asked. */
  readonly enrichSent: boolean
  /** Realtime connections of all people together. */
  readonly maxConnections: number
}

export const USAGE =
  'Usage: npm run server -- --data DIR [--port N] [--seed demo|none] [--api-key KEY] [--link-previews on|off] [--connections N]\n       npm run server -- token USER --data DIR'

const NAMES: ReadonlySet<string> = new Set([
  '--port',
  '--data',
  '--seed',
  '--api-key',
  '--log-level',
  '--link-previews',
  '--connections',
])
const LEVELS: readonly string[] = ['error', 'warn', 'info', 'debug']

/** Reads the command line; a text is what is wrong with it. */
export function readArguments(words: readonly string[]): ServerArguments | string {
  const given = new Map<string, string>()
  const plain: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (!word.startsWith('--')) {
      plain.push(word)
      continue
    }
    const [name = '', inline] = word.split(/=(.*)/s, 2)
    if (!NAMES.has(name)) return `Unknown option ${name}.`
    const value = inline ?? words[(at += 1)]
    if (value === undefined || value === '') return `${name} needs a value.`
    given.set(name, value)
  }
  return check(given, plain)
}

function check(given: ReadonlyMap<string, string>, plain: readonly string[]): ServerArguments | string {
  const dataFolder = given.get('--data')
  if (dataFolder === undefined) return '--data is missing: the folder for the workspace.'
  const port = Number(given.get('--port') ?? '0')
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return '--port must be a number from 0 to 65535.'
  if (port === 3030) return '--port 3030 cannot be used: clients of the contract rewrite it.'
  const seed = given.get('--seed') ?? 'none'
  if (seed !== 'demo' && seed !== 'none') return '--seed must be demo or none.'
  const linkPreviews = given.get('--link-previews') ?? 'off'
  if (linkPreviews !== 'on' && linkPreviews !== 'off') return '--link-previews must be on or off.'
  const logLevel = given.get('--log-level') ?? 'warn'
  if (!LEVELS.includes(logLevel)) return `--log-level must be one of ${LEVELS.join(', ')}.`
  const maxConnections = Number(given.get('--connections') ?? MAX_CONNECTIONS)
  if (
    !Number.isInteger(maxConnections) ||
    maxConnections < MAX_CONNECTIONS ||
    maxConnections > HIGHEST_MAX_CONNECTIONS
  ) {
    return `--connections must be a number from ${MAX_CONNECTIONS} to ${HIGHEST_MAX_CONNECTIONS}.`
  }
  const [command, userId, ...more] = plain
  if (command !== undefined && command !== 'token') return `Unknown command ${command}.`
  if (command === 'token' && userId === undefined) return 'token needs the id of a user.'
  if (more.length > 0) return `Unexpected ${more.join(' ')}.`
  return {
    command: command ?? 'serve',
    port,
    dataFolder,
    seed,
    apiKey: given.get('--api-key'),
    logLevel: logLevel as LogLevel,
    userId,
    enrichSent: linkPreviews === 'on',
    maxConnections,
  }
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

/** Why the server did not start, in one line. */
export function explainStart(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = Object.keys(REASONS).find((each) => code === each || code.startsWith(`${each}_`))
  const reason = known ? REASONS[known] : error instanceof Error ? error.message.split('\n', 1)[0] : 'unknown reason'
  return `The Parlor server could not start. ${reason}`
}
