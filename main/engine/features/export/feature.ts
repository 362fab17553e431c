import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { type ExportOrder, type ExportPiece, exportPieces } from './pieces.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** The stored messages as a file, piece by piece. */
    exported(what: ExportOrder): Iterable<ExportPiece>
  }
}

export const exportFeature = defineFeature({
  create: ({ context }: Pick<Core, 'context'>) => ({
    offers: { exported: (what: ExportOrder) => exportPieces(context, what) },
  }),
})
