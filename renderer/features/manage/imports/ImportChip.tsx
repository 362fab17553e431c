import { part } from '../../../lib/page/part.tsx'
import { useDelayed } from '../../../lib/time/clocks.ts'
import { useMayManage } from '../state.ts'

const Chip = part(async () => (await import('./Chip.tsx')).Chip)

/** A start has better things to do than to ask for an import that went on from the last one. */
const AFTER_START_MS = 3_000

/** In the title strip while an import runs, wherever the user is. */
export function ImportChip() {
  return useDelayed(useMayManage('imports'), AFTER_START_MS) ? <Chip /> : null
}
