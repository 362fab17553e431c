import { defineFeature } from '../../../registry/feature.ts'
import { rolesCalls } from './calls.ts'

export const rolesFeature = defineFeature({
  create: (core: Parameters<typeof rolesCalls>[0]) => ({ calls: { roles: rolesCalls(core) } }),
})
