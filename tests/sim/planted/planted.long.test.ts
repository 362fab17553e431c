import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { noteCovered, PATIENCE_MS } from '#kit/runs.ts'
import { MODEL_PLANTS, PLANTS, type Plant } from './plants.ts'

/** A test that misses one of these bugs would miss a real one. */

/** Seeds a planted bug may need to show itself. */
const PATIENCE = 25
/**
 * Seeds of the random schedule that the unchanged source must pass; the bugs that need luck to be seen are caught among
 * them.
 */
const CLEAN = 12

const ALL = [...PLANTS, ...MODEL_PLANTS]

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

type Found = { readonly seed?: number; readonly verdict?: readonly string[] }

async function play(plant: Pick<Plant, 'scenario'> & { readonly name?: string }, last: number): Promise<Found> {
  const args = ['--disable-warning=ExperimentalWarning', '--import', here('planter.ts'), here('run.ts')]
  const { stdout } = await run(process.execPath, [...args, plant.scenario, '1', String(last)], {
    cwd: root,
    env: { ...process.env, PARLOR_PLANT: plant.name ?? '' },
  })
  return JSON.parse(stdout) as Found
}

test.each(ALL)('$name is caught: it breaks $breaks', { timeout: PATIENCE_MS }, async (plant) => {
  const found = await play(plant, PATIENCE)
  expect(found.verdict?.join('\n') ?? `not caught within ${PATIENCE} runs`).toMatch(plant.complaint)
  noteCovered({ kind: 'planted bugs in the product', isFresh: false, count: 1 })
})

test.each([...new Set(ALL.map(({ scenario }) => scenario))])(
  'the unchanged source passes the same runs: %s',
  { timeout: PATIENCE_MS },
  async (scenario) => {
    expect(await play({ scenario }, scenario === 'schedule' ? CLEAN : 1)).toEqual({})
  },
)
