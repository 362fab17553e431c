import { resolve } from 'node:path'
import type { Credential } from '#main/app/accounts/credential.ts'
import type { LaunchOptions } from '#main/app/launch-options.ts'
import { StartError } from '#main/hosts/node/profile.ts'

/** The options of `npm start -- …`. */
export type StartOptions = {
  readonly host: 'electron' | 'browser' | undefined
  readonly open: boolean
  readonly dataFolder: string | undefined
  readonly json: boolean
  readonly help: boolean
  readonly launch: LaunchOptions
}

export const HELP = `Parlor, a desktop chat client with a local workspace built in.

  npm start -- [flags]

  --host electron|browser   where to run; without it, Electron if it can be had, else a browser window
  --no-open                 do not open a window; print the address instead (browser host)
  --data DIR                profile folder; one Parlor at a time per folder
  --as USER                 a person of the local workspace to be signed in as
  --connect URL             use this server instead of the local workspace, with:
    --api-key KEY             the application's key
    --token TOKEN             the user's token, better given as PARLOR_TOKEN
    --token-url URL           an address that answers with a token, asked again when one expires
    --token-command COMMAND   a program that prints one (words are split at spaces, no shell)
  --json                    print one line of JSON when the app can be opened; logs go to standard error
  --help                    show this
`

const WITH_VALUE = new Set([
  '--host',
  '--data',
  '--as',
  '--connect',
  '--api-key',
  '--token',
  '--token-url',
  '--token-command',
])
const ALONE = new Set(['--no-open', '--json', '--help'])
const USAGE = 2

/** Reads the flags. Throws a {@link StartError} with exit code 2 and one line that names what is wrong. */
export function readStartOptions(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): StartOptions {
  const { values, alone } = splitFlags(argv)
  const host = values.get('--host')
  if (host !== undefined && host !== 'electron' && host !== 'browser') {
    throw new StartError(`--host is electron or browser, not "${host}".`, USAGE)
  }
  const asUserId = values.get('--as')
  const connect = readConnect(values, environment)
  if (connect && asUserId !== undefined) {
    throw new StartError('--as names a person of the local workspace and cannot be used with --connect.', USAGE)
  }
  const data = values.get('--data')
  return {
    host,
    open: !alone.has('--no-open'),
    dataFolder: data === undefined ? undefined : resolve(data),
    json: alone.has('--json'),
    help: alone.has('--help'),
    launch: { ...(asUserId === undefined ? {} : { asUserId }), ...(connect ? { connect } : {}) },
  }
}

function splitFlags(argv: readonly string[]): { values: Map<string, string>; alone: Set<string> } {
  const values = new Map<string, string>()
  const alone = new Set<string>()
  for (let index = 0; index < argv.length; index += 1) {
    const [flag, inline] = splitOnce(argv[index] ?? '')
    if (ALONE.has(flag) && inline === undefined) {
      alone.add(flag)
    } else if (WITH_VALUE.has(flag)) {
      const value = inline ?? argv[(index += 1)]
      if (value === undefined || value === '' || value.startsWith('--'))
        throw new StartError(`${flag} needs a value.`, USAGE)
      values.set(flag, value)
    } else {
      throw new StartError(`Unknown flag "${flag}". See npm start -- --help.`, USAGE)
    }
  }
  return { values, alone }
}

function splitOnce(argument: string): [string, string | undefined] {
  const at = argument.indexOf('=')
  return argument.startsWith('--') && at > 0 ? [argument.slice(0, at), argument.slice(at + 1)] : [argument, undefined]
}

function readConnect(
  values: ReadonlyMap<string, string>,
  environment: Readonly<Record<string, string | undefined>>,
): LaunchOptions['connect'] {
  const url = values.get('--connect')
  const apiKey = values.get('--api-key')
  if (url === undefined) {
    const alone = ['--api-key', '--token', '--token-url', '--token-command'].find((flag) => values.has(flag))
    if (alone !== undefined) throw new StartError(`${alone} goes together with --connect URL.`, USAGE)
    return undefined
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new StartError('--connect needs an address that starts with https:// or http://.', USAGE)
  }
  if (apiKey === undefined) throw new StartError('--connect needs --api-key KEY.', USAGE)
  return { url, apiKey, credential: readCredentialFlags(values, environment) }
}

function readCredentialFlags(
  values: ReadonlyMap<string, string>,
  environment: Readonly<Record<string, string | undefined>>,
): Credential {
  const given = ['--token', '--token-url', '--token-command'].filter((flag) => values.has(flag))
  if (given.length > 1) throw new StartError(`${given.join(' and ')} exclude each other.`, USAGE)
  const url = values.get('--token-url')
  if (url !== undefined) return { kind: 'endpoint', url }
  const command = values.get('--token-command')
  if (command !== undefined) return { kind: 'command', argv: command.split(/\s+/).filter((word) => word !== '') }
  const token = values.get('--token') ?? environment['PARLOR_TOKEN']
  if (token === undefined || token === '') {
    throw new StartError(
      '--connect needs --token TOKEN (or PARLOR_TOKEN), --token-url URL or --token-command COMMAND.',
      USAGE,
    )
  }
  return { kind: 'token', token }
}
