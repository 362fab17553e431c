import { fork, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { queryChannel, queryChannels } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { API_KEY, callAs, connectUrl, frameText, SECRET, tokenOf } from './kit.ts'

const ENTRY = fileURLToPath(new URL('../../main/entry/server.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-process-'))
  folders.push(folder)
  return folder
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

type Started = { readonly child: ChildProcess; readonly url: string; readonly line: string }
type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

const run = (words: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, [ENTRY, ...words], {
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

function start(folder: string, words: readonly string[] = []): Promise<Started> {
  const child = run(['--data', folder, '--api-key', API_KEY, ...words], { PARLOR_SECRET: SECRET })
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

test('it prints one line, keeps its keys to itself, stops on SIGTERM, and makes tokens for its people', async () => {
  const folder = newFolder()
  const child = run(['--data', folder])
  const line = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (part: Buffer) => resolve(part.toString())),
  )
  const { event, url, apiKey } = JSON.parse(line) as { event: string; url: string; apiKey: string }
  expect(event).toBe('listening')
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600)
  const { out } = await ended(run(['token', 'ann', '--data', folder]))
  const answer = await fetch(`${url}/app?api_key=${apiKey}&user_id=ann`, { headers: { Authorization: out.trim() } })
  expect(answer.status).toBe(200)
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
}, 30_000)

test('what keeps it from starting is said in one line', async () => {
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
  for (const [words, says] of cases) {
    const { code, out, err } = await ended(run(words))
    expect([words, code, out, says.test(err), /\n\s+at /.test(err)]).toEqual([words, 1, '', true, false])
  }
  const { code, out, err } = await ended(run(['--nonsense', '1']))
  expect([code, out, err]).toEqual([2, '', 'Unknown option --nonsense. See npm run server -- --help.\n'])
  await stop(holder.child)
  busy.close()
}, 60_000)

test.skipIf(process.getuid?.() === 0)('a folder that may not be written is said in one line', async () => {
  const locked = newFolder()
  chmodSync(locked, 0o500)
  const { code, err } = await ended(run(['--data', locked]))
  chmodSync(locked, 0o700)
  expect([code, /permission|cannot be written/.test(err)]).toEqual([1, true])
})

test('it ends when the parent that forked it is gone', async () => {
  const child = fork(ENTRY, ['--data', newFolder()], { cwd: ROOT, silent: true })
  const message = await new Promise<{ event: string }>((resolve) =>
    child.once('message', (value) => resolve(value as { event: string })),
  )
  expect(message.event).toBe('listening')
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.disconnect()
  expect(await gone).toBe(0)
})

/** Rounds of `kill -9`; the reliability paper asks for many more outside the everyday run. */
const ROUNDS = Number(process.env['PARLOR_KILL_ROUNDS'] ?? 4)
const PARAMS = { type: 'messaging', id: 'durable' }

test('nothing acknowledged or announced is lost by kill -9, and nothing is doubled', async () => {
  const folder = newFolder()
  const acknowledged = new Set<string>()
  const announced = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const { child, url } = await start(folder)
    const listener = await listenTo(url, announced)
    const create = await callAs(url, { userId: 'ann', connectionId: listener }, queryChannel, PARAMS, {
      body: { data: { members: ['ann'] }, watch: true },
    })
    expect(create.status).toBe(201)
    const target = acknowledged.size + 30 + round * 17
    const senders = Array.from({ length: 4 }, async (_none, lane) => {
      for (let index = 0; ; index += 1) {
        const id = `r${round}-${lane}-${index}`
        const sent = await callAs(url, { userId: 'ann' }, sendMessage, PARAMS, {
          body: { message: { id, text: id } },
        }).catch(() => undefined)
        if (!sent) return
        if (sent.status === 201) acknowledged.add(id)
        if (acknowledged.size === target) void stop(child, 'SIGKILL')
      }
    })
    await Promise.all(senders)
    await stop(child, 'SIGKILL')
  }
  const { child, url } = await start(folder)
  const stored = await everyMessage(url)
  await stop(child)
  expect(new Set(stored).size).toBe(stored.length)
  const kept = new Set(stored)
  expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([])
  expect([...announced].filter((id) => !kept.has(id))).toEqual([])
  expect(acknowledged.size).toBeGreaterThanOrEqual(30 * ROUNDS)
}, 120_000)

/** Watches as Ann; answers the connection id. */
function listenTo(url: string, heard: Set<string>): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(connectUrl(url, 'ann', { token: tokenOf('ann') }))
    socket.on('error', () => socket.terminate())
    socket.on('message', (data) => {
      const event = JSON.parse(frameText(data)) as { type: string; connection_id?: string; message?: { id: string } }
      if (event.connection_id) resolve(event.connection_id)
      if (event.type === 'message.new' && event.message) heard.add(event.message.id)
    })
  })
}

async function everyMessage(url: string): Promise<string[]> {
  const ids: string[] = []
  for (let before: string | undefined; ;) {
    const messages = { limit: 300, ...(before === undefined ? {} : { id_lt: before }) }
    const page = await callAs(url, { userId: 'ann' }, queryChannel, PARAMS, { body: { messages } })
    const found = (page.body.messages ?? []).map((message) => message.id)
    if (found.length === 0) return ids
    ids.push(...found)
    before = found[0]
  }
}
