import { part } from '../../../lib/page/part.tsx'
import { useMayManage } from '../state.ts'

const Chip = part(async () => (await import('./Chip.tsx')).Chip)

/** In the title strip while an import runs, wherever the user is. */
export function ImportChip() {
  return useMayManage('imports') ? <Chip /> : null
}
