import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { type CarriedAway, carriedAway, carryIn, type CarryPlan, planCarryIn } from './carried.ts'
import type { Carried } from './carried-schema.ts'
import { type ExportOrder, type ExportPiece, exportPieces } from './pieces.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** The stored messages as a file, piece by piece. */
    exported(what: ExportOrder): Iterable<ExportPiece>
    /** What an account file takes to another device, without settings. */
    carriedAway(): CarriedAway
    /** What opening such a file would change here. */
    planCarryIn(carried: Carried): CarryPlan
    /** Carries it out, all or nothing; `within` runs in the same transaction. Throws `outbox/full` and disk errors. */
    carryIn(plan: CarryPlan, within: () => void): void
  }
}

type Parts = Pick<Core, 'cache' | 'context' | 'outbox' | 'ports' | 'runner' | 'serverNow' | 'stores'>

export const exportFeature = defineFeature({
  create: (core: Parts) => ({
    offers: {
      exported: (what: ExportOrder) => exportPieces(core.context, what),
      carriedAway: () => carriedAway(core),
      planCarryIn: (carried: Carried) => planCarryIn(core, carried),
      carryIn: (plan: CarryPlan, within: () => void) => carryIn(core, plan, within),
    },
  }),
})
