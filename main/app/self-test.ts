import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '#main/hosts/host.ts'
import type { Clock } from '#main/lib/clock.ts'
import { openForWriting } from '#main/lib/sqlite/connection.ts'
import { nodeDisk } from '#main/lib/sqlite/disk.ts'

/** Returns what was found; `skipped`: it does not apply here. Throws why it failed. */
type Check = () => Promise<string | { readonly skipped: string }>

type CheckResult = {
  readonly name: string
  readonly result: 'passed' | 'failed' | 'skipped'
  readonly detail: string
  readonly milliseconds: number
}

/** What `--self-test` prints as JSON. */
export type SelfTestReport = {
  readonly passed: boolean
  readonly version: string
  readonly host: 'electron' | 'browser'
  readonly dataFolder: string
  readonly checks: readonly CheckResult[]
}

/** A check that takes longer has failed. */
const PATIENCE_MS = 30_000

/**
 * Tests what Parlor needs of this device: each check tries the real thing once. Leaves nothing behind, and does not
 * touch messages or settings.
 */
export async function selfTest(host: Host): Promise<SelfTestReport> {
  const { clock } = host.ports
  const checks: CheckResult[] = []
  for (const [name, check] of Object.entries(checksOf(host))) checks.push(await timed(name, check, clock))
  return {
    passed: checks.every(({ result }) => result !== 'failed'),
    version: host.info.version,
    host: host.info.kind,
    dataFolder: host.paths.data,
    checks,
  }
}

function checksOf(host: Host): Readonly<Record<string, Check>> {
  return {
    policies: () => policies(host),
    folders: () => folders(host),
    databases: () => databases(host),
    keyStore: () => keyStore(host),
    localServer: () => localServer(host),
    window: () => window(host),
    notifications: () => notifications(host),
  }
}

async function timed(name: string, check: Check, clock: Clock): Promise<CheckResult> {
  const startedAt = clock.monotonic()
  let stop = (): void => undefined
  const late = new Promise<never>((_resolve, reject) => {
    stop = clock.after(PATIENCE_MS, () => reject(new Error(`No result after ${PATIENCE_MS / 1_000} seconds.`)))
  })
  const result = await Promise.race([check(), late]).then(
    (found): Pick<CheckResult, 'result' | 'detail'> =>
      typeof found === 'string' ? { result: 'passed', detail: found } : { result: 'skipped', detail: found.skipped },
    (error: unknown): Pick<CheckResult, 'result' | 'detail'> => ({
      result: 'failed',
      detail: error instanceof Error ? error.message : String(error),
    }),
  )
  stop()
  return { name, ...result, milliseconds: Math.round(clock.monotonic() - startedAt) }
}

async function policies({ info: { managed } }: Host): ReturnType<Check> {
  if (managed === undefined) return { skipped: 'There are none on this device.' }
  const wrong = [
    ...managed.sources.flatMap(({ from, problem }) => (problem === undefined ? [] : `${from} (${problem})`)),
    ...[...managed.unknown, ...managed.refused].map(({ name, from }) => `${name} in ${from}`),
  ]
  if (wrong.length > 0) throw new Error(`Not understood: ${wrong.join(', ')}. See --print-policies.`)
  return `${Object.keys(managed.values).length} from ${managed.sources.map(({ from }) => from).join(', ')}`
}

async function folders({ paths }: Host): ReturnType<Check> {
  for (const folder of [paths.data, join(paths.data, 'logs')]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, '.self-test')
    writeFileSync(file, 'test', { mode: 0o600 })
    rmSync(file)
  }
  const { bavail, bsize } = statfsSync(paths.data)
  return `${paths.data} can be written, ${Math.floor((bavail * bsize) / 1_000_000)} MB are free`
}

async function databases({ paths }: Host): ReturnType<Check> {
  const folder = join(paths.data, 'self-test')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    const raw = openForWriting(nodeDisk, join(folder, 'test.db'), { busyMs: 0, synchronous: 2, cacheKib: 1_024 })
    try {
      raw.exec('CREATE VIRTUAL TABLE texts USING fts5(text)')
      raw.prepare('INSERT INTO texts (text) VALUES (?)').run('Hello from the self-test')
      const found = raw.prepare("SELECT count(*) FROM texts WHERE texts MATCH 'hello'").pluck().get()
      if (found !== 1) throw new Error('A database returned something else than was written.')
      return `SQLite ${String(raw.prepare('SELECT sqlite_version()').pluck().get())} writes and searches`
    } finally {
      raw.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function keyStore({ secrets, info }: Host): ReturnType<Check> {
  const name = 'self-test'
  const value = randomBytes(16).toString('hex')
  await secrets.set(name, value)
  const stored = await secrets.get(name)
  await secrets.remove(name)
  if (stored !== value) throw new Error('A secret that was stored could not be read again.')
  switch (secrets.kind) {
    case 'keychain':
      return 'Sign-ins are encrypted by the key store of the system'
    case 'file':
      return 'Sign-ins are stored in a file that only this user can read'
    case 'memory':
      if (info.kind === 'browser') return 'Sign-ins are not stored'
      throw new Error('The system has no key store that can be used: users sign in again at each start.')
  }
}

async function localServer({ server, info, paths, ports }: Host): ReturnType<Check> {
  if (info.managed?.values.AllowLocalServer === false) return { skipped: 'A policy turns it off.' }
  const dataFolder = join(paths.data, 'self-test-server')
  try {
    const secret = randomBytes(32).toString('hex')
    const running = await server.start({ dataFolder, seed: 'none', apiKey: 'self-test', secret, port: 0 })
    try {
      const { status } = await ports.http.request({
        method: 'GET',
        url: `${running.url}/health`,
        headers: {},
        timeoutMs: PATIENCE_MS,
      })
      if (status !== 200) throw new Error(`The local server responds with ${status}.`)
    } finally {
      await running.stop()
    }
    return 'The local server starts and responds'
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function window({ windows }: Host): ReturnType<Check> {
  if (!windows.tryOne) return { skipped: 'In the browser host the browser has the windows.' }
  await windows.tryOne()
  return 'A window paints'
}

async function notifications({ notifier }: Host): ReturnType<Check> {
  if (!notifier) return { skipped: 'In the browser host the browser shows notifications.' }
  if (!notifier.isAvailable()) throw new Error('The system does not show notifications.')
  return 'The system shows notifications'
}
