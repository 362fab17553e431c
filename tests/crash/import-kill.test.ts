import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshFrom, noteCovered, PATIENCE_MS, replayLine, replaySeed, runsTo } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import type { ImportState } from '#shared/domain/imports.ts'
import { largeSlack, writeZip } from '../contract/imports/samples.ts'
import { asOperator, bundle, Process, startServer, type Server } from './kill-process.ts'

/** `kill -9` of a real server in the middle of an import, again and again: nothing is missing, and nothing is twice. */
const MESSAGES = runsTo(6_000, 60_000)
const KILLS = runsTo(3, 40)
const folder = mkdtempSync(join(tmpdir(), 'parlor-import-'))
const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
const data = join(folder, 'server')
const seed = replaySeed ?? freshFrom
let entry: string

beforeAll(async () => {
  entry = join(await bundle('crash-import', { server: 'main/entry/server.ts' }), 'server.js')
})
afterAll(() => {
  for (const child of Process.running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const start = (): Promise<Server> => startServer(entry, data, 0, env)

/** Read beside the server, or after it has ended. */
function count(sql: string): number {
  const db = new Database(join(data, 'server.db'), { readonly: true })
  try {
    return (db.prepare(sql).get() as { found: number }).found
  } finally {
    db.close()
  }
}
const added = (): number => count('SELECT count(*) AS found FROM messages')

async function reached(many: number): Promise<void> {
  while (added() < many) await new Promise((resolve) => setImmediate(resolve))
}

async function stepOf(url: string): Promise<string> {
  const reply = (await asOperator(url, '/imports', { action: 'state' })) as unknown as { import: ImportState }
  return reply.import.progress.step
}

async function leaves(url: string, step: string): Promise<string> {
  let now = step
  while (now === step) now = await stepOf(url)
  return now
}

test('killed in the middle of an import, the server adds every message once', { timeout: PATIENCE_MS }, async () => {
  const chance = seededIds(seed)
  const path = writeZip(join(folder, 'export.zip'), largeSlack(MESSAGES))
  const first = await start()
  await asOperator(first.url, '/users', { users: { owner: { id: 'owner', role: 'admin' } } })
  await asOperator(first.url, '/imports', { action: 'check', source: 'slack', path, name: 'export.zip' })
  expect(await leaves(first.url, 'reading')).toBe('checked')
  await asOperator(first.url, '/imports', { action: 'start', owner: 'owner', people: {}, channels: {} })
  let server = first
  const kills: number[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = added()
    const share = (MESSAGES - before) / (KILLS + 1 - kill)
    await reached(before + Math.floor(chance.random() * share))
    await server.process.kill()
    kills.push(added())
    server = await start()
  }
  expect(await leaves(server.url, 'running')).toBe('done')
  await server.process.stop()
  const replay = replayLine('tests/crash/import-kill', seed)
  expect(
    kills.some((many) => many > 0 && many < MESSAGES),
    replay,
  ).toBe(true)
  expect(added(), replay).toBe(MESSAGES)
  expect(count('SELECT done AS found FROM imports'), replay).toBe(MESSAGES)
  expect(count(`SELECT count(*) AS found FROM imported WHERE kind = 'message'`), replay).toBe(MESSAGES)
  const wrong = `SELECT count(*) AS found FROM channels c WHERE message_count <>
    (SELECT count(*) FROM messages m WHERE m.cid = c.cid AND m.in_channel = 1)`
  expect(count(wrong), replay).toBe(0)
  expect(count('SELECT count(*) AS found FROM members WHERE unread > 0'), replay).toBe(0)
  noteCovered({ kind: 'kills of a server in an import', isFresh: true, count: KILLS, from: seed, to: seed })
})
