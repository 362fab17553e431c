import { defineFeature } from '../../../registry/feature.ts'
import { rulesCalls } from './calls.ts'

export const rulesFeature = defineFeature({
  create: (core: Parameters<typeof rulesCalls>[0]) => ({ calls: { rules: rulesCalls(core) } }),
})
