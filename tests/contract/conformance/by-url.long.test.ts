import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { noteCovered } from '#kit/runs.ts'
import { APPENDIX_D } from './appendix-d.ts'
import { caller, listAt, sign } from './foreign.ts'
import { must, PLACE } from './stage.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const SECRET = 'a secret of a server somewhere else, long enough'
const KEY = 'a-key-of-somewhere'

/** Without the environment of the surrounding run. */
const plainEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|PARLOR_|TEST$)/.test(name)))

/** With an IPC channel to this process: a server ends with the test that started it, however that ends. */
const run = (text: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, text, {
    cwd: ROOT,
    env: { ...plainEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })

const ended = (child: ChildProcess): Promise<{ code: number | null; out: string }> =>
  new Promise((resolve) => {
    let out = ''
    child.stdout?.on('data', (part: Buffer) => (out += part.toString()))
    child.stderr?.on('data', (part: Buffer) => (out += part.toString()))
    child.once('close', (code) => resolve({ code, out }))
  })

type Report = { readonly testResults: readonly { readonly assertionResults: readonly Result[] }[] }
type Result = { readonly title: string; readonly status: string }

/** A server in another process, known by its URL, key and secret. */
test.skipIf(process.env['PARLOR_CONFORM_URL'] !== undefined)(
  'the suite runs against any server given by URL, key and secret, and leaves nothing behind',
  async () => {
    const folder = mkdtempSync(join(PLACE, 'parlor-by-url-'))
    const server = run(['main/entry/server.ts', '--data', folder, '--api-key', KEY], { PARLOR_SECRET: SECRET })
    const line = await new Promise<string>((resolve) =>
      server.stdout?.once('data', (part: Buffer) => resolve(part.toString())),
    )
    const { url } = JSON.parse(line) as { readonly url: string }
    try {
      const output = join(folder, 'report.json')
      const files = ['checks', 'events'].map((name) => `tests/contract/conformance/${name}.test.ts`)
      const text = ['run', '-c', 'tests/vitest.config.ts', '--project', 'node', '--reporter=json']
      const { code, out } = await ended(
        run([VITEST, ...text, `--outputFile=${output}`, ...files], {
          PARLOR_CONFORM_URL: url,
          PARLOR_CONFORM_KEY: KEY,
          PARLOR_CONFORM_SECRET: SECRET,
          PARLOR_CONFORM_PATIENCE: '4000',
        }),
      )
      expect(code).toBe(0)
      expect(code === 0 ? '' : out).toBe('')
      const report = JSON.parse(readFileSync(output, 'utf8')) as Report
      const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
      const statusOf = (number: number) => results.find(({ title }) => title.startsWith(`${number}. `))?.status
      const waited = APPENDIX_D.filter(([number]) => statusOf(number) !== 'passed').map(([number]) => number)
      // The idle poll takes twenty seconds, which is longer than this run may wait.
      expect(waited).toEqual([41])
      expect(statusOf(41)).toBe('skipped')
      expect(results.filter(({ status }) => status === 'passed').length).toBeGreaterThan(100)
      await expectEmpty(url)
      noteCovered({ kind: 'checks of a server known by its URL', isFresh: false, count: results.length })
    } finally {
      server.kill('SIGTERM')
      await ended(server)
      rmSync(folder, { recursive: true, force: true })
    }
  },
  // A complete run inside this one: a bound in case it hangs.
  300_000,
)

async function expectEmpty(url: string): Promise<void> {
  const server = { url, apiKey: KEY, secret: SECRET }
  const admin = caller(server, { userId: '', token: sign({ server: true }, SECRET) })
  const payload = { filter_conditions: {}, limit: 100, include_deactivated_users: true }
  expect(listAt(await must(admin.get('/users', { payload })), 'users')).toEqual([])
  expect(listAt(await must(admin.post('/channels', { filter_conditions: {} })), 'channels')).toEqual([])
  for (const [path, key] of [
    ['/usergroups', 'user_groups'],
    ['/emoji', 'emoji'],
    ['/blocklists', 'blocklists'],
  ] as const) {
    expect(listAt(await must(admin.get(path)), key)).toEqual([])
  }
}
