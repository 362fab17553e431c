import { defineFeature } from '../../../registry/feature.ts'
import { campaignCalls } from './calls.ts'

export const campaignsFeature = defineFeature({
  create: (core: Parameters<typeof campaignCalls>[0]) => ({ calls: { campaigns: campaignCalls(core) } }),
})
