import { defineFeature } from '../../../registry/feature.ts'
import { bansCalls } from './calls.ts'

export const bansFeature = defineFeature({
  create: (core: Parameters<typeof bansCalls>[0]) => ({ calls: { bans: bansCalls(core) } }),
})
