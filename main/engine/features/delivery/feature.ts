import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'

export const deliveryFeature = defineFeature({
  create: ({ delivery }: Pick<Core, 'delivery'>) => ({
    stop: [{ phase: 'timers', order: 10, run: () => delivery.stop() }],
  }),
})
