import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshFrom, noteCovered, PATIENCE_MS, replayLine, replaySeed, runsTo } from '#kit/runs.ts'
import { seededIds } from '#kit/seeded-ids.ts'
import { asOperator, bundle, deleteAsOperator, Process, startServer, type Server } from './kill-process.ts'

/**
 * `kill -9` of a real server in the middle of a campaign, again and again until it is complete: everyone has the message
 * once.
 */
/** More than are gathered in one slice. */
const PEOPLE = runsTo(1_100, 20_000)
/** So many processes are killed; the next one finishes. */
const KILLS = runsTo(3, 40)
const PER_CALL = 90
const folder = mkdtempSync(join(tmpdir(), 'parlor-campaign-'))
const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
const data = join(folder, 'server')
const seed = replaySeed ?? freshFrom
let entry: string

beforeAll(async () => {
  entry = join(await bundle('crash-campaign', { server: 'main/entry/server.ts' }), 'server.js')
})
afterAll(() => {
  for (const child of Process.running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const start = (): Promise<Server> => startServer(entry, data, 0, env)
const idOf = (index: number): string => `p${String(index).padStart(6, '0')}`

async function settle(url: string): Promise<void> {
  for (let at = 0; at < PEOPLE; at += PER_CALL) {
    const ids = Array.from({ length: Math.min(PER_CALL, PEOPLE - at) }, (_none, index) => idOf(at + index))
    const users = Object.fromEntries(ids.map((id) => [id, { id, name: `Name ${id}`, crowd: 'yes' }]))
    await asOperator(url, '/users', { users: { ...users, desk: { id: 'desk' } } })
  }
  await asOperator(url, '/segments', { id: 'crowd', type: 'user', name: 'Crowd', filter: { crowd: 'yes' } })
  await asOperator(url, '/campaigns', {
    id: 'news',
    name: 'News',
    sender_id: 'desk',
    segment_ids: ['crowd'],
    message_template: { text: 'Hi {{receiver.name}}' },
    create_channels: true,
  })
}

/** Read beside the server, or after it has ended. */
function count(sql: string): number {
  const db = new Database(join(data, 'server.db'), { readonly: true })
  try {
    return (db.prepare(sql).get() as { found: number }).found
  } finally {
    db.close()
  }
}
const sent = (): number => count("SELECT count(*) AS found FROM campaign_targets WHERE state = 'sent'")

const targets = (): number => count('SELECT count(*) AS found FROM campaign_targets')

/** Kills a server that is removing the campaign, and says how many of its people are left. */
async function deletedAndKilled(): Promise<number> {
  const server = await start()
  await deleteAsOperator(server.url, '/campaigns/news')
  await server.process.kill()
  return targets()
}

/** Waits until so many have the message, and a moment more or less. */
async function reached(many: number): Promise<void> {
  while (sent() < many) await new Promise((resolve) => setImmediate(resolve))
}

test(
  'killed in the middle of a campaign, the server sends to everyone once, and removes it to the end',
  { timeout: PATIENCE_MS },
  async () => {
    const chance = seededIds(seed)
    const first = await start()
    await settle(first.url)
    await first.process.stop()
    let begun = false
    let gathering = 0
    const kills: number[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      const server = await start()
      if (!begun) await asOperator(server.url, '/campaigns/news/start', {})
      begun = true
      const before = sent()
      const share = (PEOPLE - before) / (KILLS + 1 - kill)
      // The first one while its people are still being gathered.
      if (kill > 0) await reached(before + Math.floor(chance.random() * share))
      await server.process.kill()
      if (kill === 0) gathering = count("SELECT count(*) AS found FROM campaigns WHERE gathering > ''")
      kills.push(sent())
    }
    const last = await start()
    await reached(PEOPLE)
    await last.process.stop()
    const replay = replayLine('tests/crash/campaign-kill', seed)
    expect(
      kills.some((many) => many > 0 && many < PEOPLE),
      replay,
    ).toBe(true)
    // Few people may be gathered before the kill arrives.
    expect(PEOPLE > 10_000 ? gathering : 1, replay).toBe(1)
    expect(count("SELECT count(*) AS found FROM campaigns WHERE status = 'completed'"), replay).toBe(1)
    expect(sent(), replay).toBe(PEOPLE)
    expect(count("SELECT count(*) AS found FROM messages WHERE user_id = 'desk'"), replay).toBe(PEOPLE)
    const twice = `SELECT count(*) AS found FROM (
    SELECT m.cid FROM messages m WHERE m.user_id = 'desk' GROUP BY m.cid HAVING count(*) > 1)`
    expect(count(twice), replay).toBe(0)
    const wrong = `SELECT count(*) AS found FROM campaign_targets t LEFT JOIN messages m ON m.id = t.message_id
    WHERE m.text IS NOT 'Hi Name ' || t.target_id`
    expect(count(wrong), replay).toBe(0)
    const lonely = 'SELECT count(*) AS found FROM channels WHERE cid NOT IN (SELECT cid FROM messages)'
    expect(count(lonely), replay).toBe(0)
    const left = await deletedAndKilled()
    // A short removal may be over before the kill arrives.
    expect(PEOPLE > 10_000 ? Math.sign(left) : 1, replay).toBe(1)
    const removing = await start()
    while (targets() > 0) await new Promise((resolve) => setImmediate(resolve))
    await removing.process.stop()
    expect(count('SELECT count(*) AS found FROM campaigns'), replay).toBe(0)
    expect(count("SELECT count(*) AS found FROM messages WHERE user_id = 'desk'"), replay).toBe(PEOPLE)
    noteCovered({ kind: 'kills of a server in a campaign', isFresh: true, count: KILLS, from: seed, to: seed })
  },
)
