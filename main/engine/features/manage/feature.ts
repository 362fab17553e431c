import type { Core } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'

/** What the viewer may administer follows from their own row and from the kind of server: see `visibleManage` in changes/collector.ts. */
export const manageFeature = defineFeature({
  create: ({ collector, me }: Pick<Core, 'collector' | 'me'>) => ({
    onTouched: [
      {
        order: 90,
        run: ({ entities }) => {
          if (entities.get('users')?.has(me) || entities.has('emojiTerms')) collector.touch('manage', 'self')
        },
      },
    ],
  }),
})
