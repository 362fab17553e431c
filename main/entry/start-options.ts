import { resolve, join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Credential } from '#main/app/accounts/credential.ts'
import type { LaunchOptions } from '#main/app/launch-options.ts'
import { StartError, thisOs } from '#main/hosts/node/profile.ts'
import { INSPECTIONS, type Inspection } from '#main/hosts/rules/windows/argv.ts'
import { readFlags, type FlagValues } from '#main/lib/flags.ts'
import type { SelfTestReport } from '#main/app/self-test.ts'
import { devicePolicies } from '#main/hosts/node/policies.ts'
import { policyReport } from '#main/settings/policies/policies.ts'

/** The options of `npm start -- …`. */
export type StartOptions = {
  readonly host: 'electron' | 'browser' | undefined
  readonly open: boolean
  readonly dataFolder: string | undefined
  readonly json: boolean
  readonly help: boolean
  readonly inspect: Inspection | undefined
  readonly launch: LaunchOptions
}

export const HELP = `Parlor, a desktop chat client with a local workspace built in.

  npm start -- [flags]

  --host electron|browser   where to run; without it, Electron if it is available, else a browser window
  --no-open                 do not open a window; print the address instead (browser host)
  --data DIR                profile folder; one Parlor at a time per folder
  --demo                    open the demo team at once, as one of its people, without the start page
  --as USER                 a person of the local workspace to be signed in as
  --connect URL             use this server instead of the local workspace, with:
    --api-key KEY             the application's key
    --token TOKEN             the user's token, better given as PARLOR_TOKEN
    --token-url URL           an address that responds with a token; requested again when one expires
    --token-command COMMAND   a program that prints one (words are split at spaces, no shell)
  --json                    print one line of JSON when the app can be opened; logs go to standard error
  --version                 print the version
  --print-policies          print the policies of this device as JSON, with where each was read
  --self-test               check what Parlor needs on this device and print the results as JSON
  --help                    show this
`

const FLAGS = {
  host: { type: 'choice', of: ['electron', 'browser'] },
  'no-open': { type: 'boolean' },
  data: { type: 'text' },
  demo: { type: 'boolean' },
  as: { type: 'text' },
  connect: { type: 'text' },
  'api-key': { type: 'text' },
  token: { type: 'text' },
  'token-url': { type: 'text' },
  'token-command': { type: 'text' },
  json: { type: 'boolean' },
  version: { type: 'boolean' },
  'print-policies': { type: 'boolean' },
  'self-test': { type: 'boolean' },
  help: { type: 'boolean' },
} as const
type Values = Omit<FlagValues<typeof FLAGS>, 'demo'>

/** Reads the flags. Throws a {@link StartError} with exit code 2 and one line that names what is wrong. */
export function readStartOptions(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): StartOptions {
  const given = readFlags(argv, FLAGS)
  if (typeof given === 'string') throw wrong(`${given} See npm start -- --help.`)
  const { host, as: asUserId, data, demo, ...values } = given.values
  const connect = readConnect(values, environment)
  if (connect && asUserId !== undefined) {
    throw wrong('--as names a person of the local workspace and cannot be used with --connect.')
  }
  if (demo && (connect || asUserId !== undefined)) throw wrong('--demo cannot be used with --connect or --as.')
  return {
    host,
    open: !values['no-open'],
    dataFolder: data === undefined ? undefined : resolve(data),
    json: values.json,
    help: values.help,
    inspect: INSPECTIONS.find((name) => values[name]),
    launch: { asUserId, demo: demo || undefined, connect },
  }
}

const wrong = (line: string): StartError => new StartError(line, 2)

function readConnect(
  values: Values,
  environment: Readonly<Record<string, string | undefined>>,
): LaunchOptions['connect'] {
  const { connect: url, 'api-key': apiKey } = values
  if (url === undefined) {
    const alone = (['api-key', 'token', 'token-url', 'token-command'] as const).find((name) => name in values)
    if (alone !== undefined) throw wrong(`--${alone} goes together with --connect URL.`)
    return undefined
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw wrong('--connect needs an address that starts with https:// or http://.')
  }
  if (apiKey === undefined) throw wrong('--connect needs --api-key KEY.')
  return { url, apiKey, credential: readCredentialFlags(values, environment) }
}

function readCredentialFlags(values: Values, environment: Readonly<Record<string, string | undefined>>): Credential {
  const given = (['token', 'token-url', 'token-command'] as const).filter((name) => name in values)
  if (given.length > 1) throw wrong(`${given.map((name) => `--${name}`).join(' and ')} exclude each other.`)
  const { 'token-url': url, 'token-command': command, token = environment['PARLOR_TOKEN'] } = values
  if (url !== undefined) return { kind: 'endpoint', url }
  if (command !== undefined) return { kind: 'command', argv: command.split(/\s+/).filter((word) => word !== '') }
  if (token === undefined || token === '') {
    throw wrong('--connect needs --token TOKEN (or PARLOR_TOKEN), --token-url URL or --token-command COMMAND.')
  }
  return { kind: 'token', token }
}

/**
 * What needs no profile and no window is printed at once; the exit code is 1 if a policy was not understood.
 *
 * @returns whether that was all the start was for
 */
export function printAtOnce(inspect: Inspection | undefined, version: string): boolean {
  switch (inspect) {
    case 'version':
      console.log(`Parlor ${version}`)
      return true
    case 'print-policies': {
      const report = policyReport(devicePolicies(thisOs()))
      console.log(JSON.stringify(report, undefined, 2))
      process.exitCode = report.understood ? 0 : 1
      return true
    }
    case 'self-test':
    case undefined:
      return false
  }
}

/** Gives `run` the folder of a new profile and removes it afterwards: a self-test can run beside Parlor and leaves nothing. */
export async function inTemporaryProfile<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-self-test-'))
  try {
    return await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** @returns the exit code: 0 when every check passed or does not apply, else 1 */
export function printSelfTest(report: SelfTestReport): number {
  console.log(JSON.stringify(report, undefined, 2))
  return report.passed ? 0 : 1
}
