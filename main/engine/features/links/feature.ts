import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { linkCalls, previewPicture } from './calls.ts'

declare module '../../registry/feature.ts' {
  interface Offers {
    /** The address of a picture that `LinkPreview.picture` names. */
    previewPicture(ref: string): string | undefined
  }
}

type Parts = Pick<Core, 'api' | 'isHealthy' | 'life' | 'memory' | 'once' | 'ports'>

export const linksFeature = defineFeature({
  create: (core: Parts) => ({
    calls: { links: linkCalls(core) },
    offers: { previewPicture: (ref: string) => previewPicture(core, ref) },
  }),
})
