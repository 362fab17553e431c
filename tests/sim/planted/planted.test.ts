import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { MODEL_PLANTS, PLANTS, type Plant } from './plants.ts'

/** A judge that passes one of these bugs would pass a real one. */

/** Seeds a planted bug may take to show itself. */
const PATIENCE = 25
/** Seeds of the random schedule that the source as it is must pass: among them is every bug that takes luck to see. */
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

test('there are fourteen, each in a place that exists', () => {
  expect(PLANTS).toHaveLength(14)
  for (const { name, edits } of ALL) {
    for (const { file, find } of edits) {
      expect([name, file, readFileSync(`${root}/${file}`, 'utf8').split(find).length - 1]).toEqual([name, file, 1])
    }
  }
})

test.each(ALL)('$name is caught: it breaks $breaks', { timeout: 300_000 }, async (plant) => {
  const found = await play(plant, PATIENCE)
  expect(found.verdict?.join('\n') ?? `not caught within ${PATIENCE} runs`).toMatch(plant.complaint)
})

test.each([...new Set(ALL.map(({ scenario }) => scenario))])(
  'the source as it is passes the same runs: %s',
  { timeout: 300_000 },
  async (scenario) => {
    expect(await play({ scenario }, scenario === 'schedule' ? CLEAN : 1)).toEqual({})
  },
)
