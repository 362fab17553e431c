import type { ExportSpan } from '#shared/domain/export.ts'
import type { Cid } from '#shared/lib/brand.ts'
import type { Core, Timelines } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { type CarriedAway, carriedAway, carryIn, type CarryPlan, planCarryIn, type Carried } from './carried.ts'
import { loadOlder, missingBefore, type OlderOrder } from './older.ts'
import {
  channelNameOf,
  type ExportOrder,
  type ExportPiece,
  exportPieces,
  type ExportScope,
  surveyed,
  type SurveyedMessage,
} from './pieces.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** The stored messages as a file, piece by piece. */
    exported(what: ExportOrder): Iterable<ExportPiece>
    /** The messages that would be in it, one by one, with their files and authors. */
    surveyed(what: ExportScope): Iterable<SurveyedMessage>
    /** The name of a channel, or of the people of a direct conversation. */
    channelName(cid: Cid): string
    /** Up to when messages of a period may be missing on this device (epoch milliseconds). Absent: nothing is missing. */
    missingBefore(cid: Cid, span: ExportSpan): number | undefined
    /** Fetches what is only on the server. Rejects as calls of the network do. */
    loadOlder(what: OlderOrder): Promise<void>
    /** What an account file takes to another device, without settings. */
    carriedAway(): CarriedAway
    /** What opening such a file would change here. */
    planCarryIn(carried: Carried): CarryPlan
    /** Carries it out, all or nothing; `within` runs in the same transaction. Throws `outbox/full` and disk errors. */
    carryIn(plan: CarryPlan, within: () => void): void
  }
}

type Parts = Timelines &
  Pick<Core, 'cache' | 'context' | 'isHealthy' | 'outbox' | 'ports' | 'runner' | 'serverNow' | 'stores'>

export const exportFeature = defineFeature({
  create: (core: Parts) => ({
    offers: {
      exported: (what: ExportOrder) => exportPieces(core.context, what),
      surveyed: (what: ExportScope) => surveyed(core.context, what),
      channelName: (cid: Cid) => channelNameOf(core.context, cid),
      missingBefore: (cid: Cid, span: ExportSpan) => missingBefore(core.context, cid, span),
      loadOlder: (what: OlderOrder) => loadOlder(core, what),
      carriedAway: () => carriedAway(core),
      planCarryIn: (carried: Carried) => planCarryIn(core, carried),
      carryIn: (plan: CarryPlan, within: () => void) => carryIn(core, plan, within),
    },
  }),
})
