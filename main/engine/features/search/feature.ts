import type { Core, Requests } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { searchCalls } from './calls.ts'

type Parts = Requests & Pick<Core, 'cache' | 'context' | 'log' | 'me' | 'ports' | 'search'>

export const searchFeature = defineFeature({
  create: (core: Parts) => ({ calls: { search: searchCalls(core) } }),
})
