import type { Core, Timelines } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { block } from './blocking.ts'
import { clearStatus, peopleCalls } from './calls.ts'
import { watchStatuses } from './status-ends.ts'

type Parts = Timelines &
  Pick<
    Core,
    | 'background'
    | 'cache'
    | 'context'
    | 'delivery'
    | 'me'
    | 'outbox'
    | 'ports'
    | 'runner'
    | 'serverNow'
    | 'stagingFolder'
    | 'syncState'
  >

export const peopleFeature = defineFeature({
  kinds: { 'block-person': { perform: block }, 'unblock-person': { perform: block } },
  create(core: Parts) {
    const statuses = watchStatuses(core, () => core.background('status', () => clearStatus(core)))
    return {
      calls: { people: peopleCalls(core) },
      start: [{ phase: 'last', order: 60, run: () => statuses.start() }],
      stop: [{ phase: 'timers', order: 60, run: () => statuses.stop() }],
      onTouched: [
        {
          order: 95,
          run: ({ entities }) => {
            const ids = entities.get('users')
            if (ids !== undefined) statuses.changed(ids)
          },
        },
      ],
    }
  },
})
