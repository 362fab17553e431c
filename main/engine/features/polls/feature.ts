import type { Core, Requests, Submissions } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { pollCalls } from './calls.ts'
import { createPollClosing } from './closing.ts'
import { pollEvents } from './events.ts'
import { vote } from './requests.ts'

type Parts = Submissions & Requests & Pick<Core, 'background' | 'context' | 'log' | 'me'>

export const pollsFeature = defineFeature({
  events: pollEvents,
  kinds: { 'cast-vote': { perform: vote }, 'remove-vote': { perform: vote } },
  create(core: Parts) {
    const closing = createPollClosing(core)
    return {
      calls: { polls: pollCalls(core) },
      start: [{ phase: 'before-queue', order: 20, run: () => closing.start() }],
      onTouched: [{ order: 10, run: (touched) => closing.committed(touched) }],
    }
  },
})
