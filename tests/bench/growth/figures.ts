import type { Runs } from '../hosts/host.ts'
import { growthFigure, median, quantile, type Figure } from '../stats.ts'
import { inTurn } from '../turns.ts'
import { createBed, SIZES, type Bed } from './beds.ts'
import { ONLINE, SERVER_DOWN, type Gesture } from './gestures.ts'

/** Every gesture at every size, all of them up at once and in turn; reported as soon as it is measured. */
export async function* measureGestures({ runs, log, host }: Runs): AsyncGenerator<Figure[]> {
  const beds: Bed[] = []
  try {
    for (const size of SIZES) beds.push(await createBed(size, host, log))
    for (const gesture of ONLINE) yield await measure(gesture, beds, runs)
    for (const { server } of beds) await server.stop()
    for (const gesture of SERVER_DOWN) yield await measure(gesture, beds, runs)
  } finally {
    for (const bed of beds) await bed.stop()
  }
}

async function measure({ name, run }: Gesture, beds: readonly Bed[], runs: number): Promise<Figure[]> {
  const samples = await inTurn(runs, beds, async (bed, turn) => {
    // A window behind another one is drawn once a second.
    await bed.app.page.bringToFront()
    return run(bed, turn)
  })
  const [small, ...larger] = beds.map((bed) => ({ label: bed.size.label, values: samples.get(bed) ?? [] }))
  if (!small) return []
  return larger.map((large) =>
    growthFigure(name, pointOf(small), pointOf(large), { unit: 'ms', p95: quantile(large.values, 0.95) }),
  )
}

const pointOf = ({ label, values }: { label: string; values: readonly number[] }) => ({ label, value: median(values) })
