import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshFrom, noteCovered, PATIENCE_MS, replaySeed, timeFor } from '#kit/runs.ts'
import { ServerLane } from './server-lane.ts'

/**
 * `kill -9` of a real server process under load. What was acknowledged is stored, nothing is stored twice, no event was
 * sent about what was not written, and uploads are complete or absent.
 */
const ROUNDS = 4_000
/** Its share of the long run's time, where that is limited. */
const SHARE = 0.12
/** Workspaces in parallel; while one starts, another works. */
const LANES = 4
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Below the root, so that better-sqlite3 is found. */
const BUILT = join(ROOT, 'test-results', 'crash-server')
const folder = mkdtempSync(join(tmpdir(), 'parlor-kill-'))
const seed = replaySeed ?? freshFrom
const lanes: ServerLane[] = []

beforeAll(async () => {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: { ssr: join(ROOT, 'main/entry/server.ts'), outDir: BUILT, emptyOutDir: true, target: 'node24' },
  })
  for (let index = 0; index < LANES; index += 1) {
    lanes.push(
      new ServerLane({ entry: join(BUILT, 'server.js'), folder: join(folder, `lane${index}`), seed: seed + index }),
    )
  }
})
afterAll(() => {
  for (const lane of lanes) lane.stop()
  rmSync(folder, { recursive: true, force: true })
})

test(
  'kills of the server under load lose nothing, duplicate nothing, and announce nothing unwritten',
  { timeout: PATIENCE_MS },
  async () => {
    const isOver = timeFor(SHARE)
    let count = 0
    await Promise.all(
      lanes.map(async (lane) => {
        for (let round = 1; round <= ROUNDS / LANES && !isOver(); round += 1) {
          await lane.round(round)
          count += 1
        }
        await lane.finish()
      }),
    )
    const replay = `PARLOR_SEED=${seed} npm run test:long -- tests/crash/server-kill`
    expect(
      lanes.flatMap((lane) => lane.faults),
      replay,
    ).toEqual([])
    const sum = (pick: (lane: ServerLane) => number): number => lanes.reduce((total, lane) => total + pick(lane), 0)
    // A run in which nothing was killed has shown nothing.
    expect(sum((lane) => lane.counts.acknowledged)).toBeGreaterThan(count * 5)
    expect(sum((lane) => lane.counts.received)).toBeGreaterThan(count * 5)
    expect(sum((lane) => lane.counts.retried)).toBeGreaterThan(count / 4)
    expect(sum((lane) => lane.counts.edits)).toBeGreaterThan(count / 2)
    expect(sum((lane) => lane.counts.uploadKills)).toBeGreaterThanOrEqual(Math.floor(count / 4))
    expect(sum((lane) => lane.counts.cutUploads)).toBeGreaterThan(count / 8)
    expect(sum((lane) => lane.counts.uploads)).toBeGreaterThan(count / 8)
    noteCovered({ kind: 'kills of the server', isFresh: true, count, from: seed, to: seed })
  },
)
