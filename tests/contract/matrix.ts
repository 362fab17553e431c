import type { Call } from './in-process.ts'
import { ROWS } from './matrix/rows.ts'

export { createMatrixWorld as makeMatrixWorld } from './matrix/world.ts'

/** One request per operation that is valid for a caller with the permission. */
export const SAMPLES: Readonly<Record<string, Call>> = Object.fromEntries(
  ROWS.map(([name, , call]) => [name.split(':')[0] ?? '', typeof call === 'function' ? call('creator') : call]),
)
