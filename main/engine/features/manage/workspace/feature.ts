import { defineFeature } from '../../../registry/feature.ts'
import { workspaceCalls } from './calls.ts'

export const workspaceFeature = defineFeature({
  create: (core: Parameters<typeof workspaceCalls>[0]) => ({ calls: { workspace: workspaceCalls(core) } }),
})
