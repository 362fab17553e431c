import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { VIEWER, type SeedSize } from '../seeds.ts'
import { makeRig } from '../rig.ts'
import { round, type Figure } from '../stats.ts'

/** What an engine of so many channels takes, in a process of its own: all channels listed, the first open, one window. */
const CHANNELS = 10_000
const MIB = 1024 * 1024

type Memory = { readonly rss: number; readonly heap: number; readonly listed: number; readonly listMs: number }

export function memoryFigures(): Figure[] {
  const bare = measure(1)
  const full = measure(CHANNELS)
  const note = `${full.listed} channels listed; heap ${round(full.heap / MIB)} MiB; list read again in ${round(full.listMs)} ms`
  return [
    {
      name: `memory of an engine with ${CHANNELS} channels`,
      unit: 'MiB',
      median: round(full.rss / MIB),
      limit: { name: 'the same with one channel', median: round(bare.rss / MIB) },
      ratio: round(full.rss / bare.rss),
      note,
    },
  ]
}

function measure(channels: number): Memory {
  const self = fileURLToPath(import.meta.url)
  const child = spawnSync(process.execPath, ['--expose-gc', self, String(channels)], { encoding: 'utf8' })
  if (child.status !== 0) throw new Error(`The engine did not start: ${child.stderr}`)
  return JSON.parse(child.stdout) as Memory
}

async function report(count: number): Promise<Memory> {
  const size: SeedSize = { name: 'L', people: 12, messages: Array.from({ length: count }, () => 1) }
  const rig = await makeRig(size)
  const listed = (): number =>
    rig.engine.stores.cache.reader.db.get<{ n: number }>('SELECT count(*) AS n FROM members WHERE user_id = ?', VIEWER)
      ?.n ?? 0
  for (let turn = 0; turn < 2_000 && listed() < count; turn += 1) await rig.settle()
  rig.takeChanges()
  const startedAt = performance.now()
  rig.engine.attach('w2', {})
  const listMs = performance.now() - startedAt
  rig.engine.detach('w2')
  globalThis.gc?.()
  const { rss, heapUsed: heap } = process.memoryUsage()
  const found = { rss, heap, listed: listed(), listMs }
  await rig.stop()
  return found
}

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await report(Number(process.argv[2]))))
  process.exit(0)
}
