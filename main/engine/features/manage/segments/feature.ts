import { defineFeature } from '../../../registry/feature.ts'
import { segmentsCalls } from './calls.ts'

/** No event tells of segments: a window that changes one shows it to the others. */
export const segmentsFeature = defineFeature({
  create: (core: Parameters<typeof segmentsCalls>[0]) => ({ calls: { segments: segmentsCalls(core) } }),
})
