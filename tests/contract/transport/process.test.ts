import { fork, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { queryChannels } from '#shared/wire/channels.ts'
import { API_KEY, callAs, SECRET } from '../kit.ts'

const ENTRY = fileURLToPath(new URL('../../../main/entry/server.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-process-'))
  folders.push(folder)
  return folder
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

type Started = { readonly child: ChildProcess; readonly url: string; readonly line: string }
type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

const run = (text: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, [ENTRY, ...text], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const ended = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve) => {
    let [out, err] = ['', '']
    child.stdout?.on('data', (part: Buffer) => (out += part.toString()))
    child.stderr?.on('data', (part: Buffer) => (err += part.toString()))
    child.on('close', (code) => resolve({ code, out, err }))
  })

function start(folder: string, text: readonly string[] = []): Promise<Started> {
  const child = run(['--data', folder, '--api-key', API_KEY, ...text], { PARLOR_SECRET: SECRET })
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (part: Buffer) => {
      const line = part.toString()
      resolve({ child, line, url: (JSON.parse(line) as { url: string }).url })
    })
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)))
  })
}

const stop = (child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode)
    child.once('exit', (code) => resolve(code))
    child.kill(signal)
  })

test('it prints one line, does not show its keys, stops on SIGTERM, and makes tokens for its users', async () => {
  const folder = newFolder()
  const child = run(['--data', folder, '--limits', 'strict', '--connections', '300'])
  const line = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (part: Buffer) => resolve(part.toString())),
  )
  const { event, url, apiKey } = JSON.parse(line) as { event: string; url: string; apiKey: string }
  expect(event).toBe('listening')
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
  const { out } = await ended(run(['token', 'ann', '--data', folder]))
  const answer = await fetch(`${url}/app?api_key=${apiKey}&user_id=ann`, { headers: { Authorization: out.trim() } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-ratelimit-limit')).toBe('120')
  expect(await stop(child)).toBe(0)
})

test('the demo team is written once, and a restart leaves it as it is', async () => {
  const folder = newFolder()
  const body = { filter_conditions: { members: { $in: ['ola'] } }, limit: 30, message_limit: 1 }
  const count = async (url: string) => {
    const answer = await callAs(url, { userId: 'ola' }, queryChannels, {}, { body })
    return answer.body.channels.map((each) => `${each.channel.cid} ${Number(each.channel['message_count'])}`)
  }
  const first = await start(folder, ['--seed', 'demo'])
  const before = await count(first.url)
  expect(before.length).toBeGreaterThan(10)
  await stop(first.child)
  const second = await start(folder, ['--seed', 'demo'])
  expect(await count(second.url)).toEqual(before)
  await stop(second.child)
}, 120_000)

test('what prevents it from starting is reported in one line', async () => {
  const busy = createServer()
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
  const port = String((busy.address() as { port: number }).port)
  const used = newFolder()
  const holder = await start(used)
  const notFolder = join(newFolder(), 'file')
  writeFileSync(notFolder, '')
  const damaged = newFolder()
  writeFileSync(join(damaged, 'server.db'), 'not a database at all, but long enough to look like one'.repeat(100))
  const cases: readonly (readonly [words: readonly string[], says: RegExp])[] = [
    [['--data', newFolder(), '--port', port], /port is taken/],
    [['--data', used], /used by another/],
    [['--data', notFolder], /not a folder/],
    [['--data', damaged], /damaged/],
    [['token', 'ann', '--data', newFolder()], /no secret/],
    [['backup', join(newFolder(), 'b'), '--data', newFolder()], /^There is no workspace/],
    [['restore', join(newFolder(), 'b'), '--data', used], /^There is no file/],
  ]
  for (const [text, pattern] of cases) {
    const { code, out, err } = await ended(run(text))
    const command = text.join(' ')
    expect(code, command).toBe(1)
    expect(out, command).toBe('')
    expect(pattern.test(err), command).toBe(true)
    expect(/\n\s+at /.test(err), command).toBe(false)
  }
  const { code, out, err } = await ended(run(['--nonsense', '1']))
  expect(code).toBe(2)
  expect(out).toBe('')
  expect(err).toBe('Unknown flag "--nonsense". See npm run server -- --help.\n')
  for (const text of [
    ['token', 'ann', '--data', used],
    ['--data', newFolder()],
  ]) {
    const refused = await ended(run(text, { PARLOR_SECRET: 'short' }))
    expect(refused.code).toBe(2)
    expect(refused.out).toBe('')
    expect(/shorter than 32 bytes/.test(refused.err)).toBe(true)
  }
  await stop(holder.child)
  busy.close()
}, 240_000)

test.skipIf(process.getuid?.() === 0)('a folder that is not writable is reported in one line', async () => {
  const locked = newFolder()
  chmodSync(locked, 0o500)
  const { code, err } = await ended(run(['--data', locked]))
  chmodSync(locked, 0o700)
  expect(code).toBe(1)
  expect(/permission|cannot be written/.test(err)).toBe(true)
})

test('it ends when the parent that forked it is gone', async () => {
  const child = fork(ENTRY, ['--data', newFolder()], { cwd: ROOT, silent: true })
  const message = await new Promise<{ event: string }>((resolve) =>
    child.once('message', (value) => resolve(value as { event: string })),
  )
  expect(message.event).toBe('listening')
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.disconnect()
  expect(await exited).toBe(0)
})
