import { every } from '#main/lib/clock.ts'
import { defineFeature } from '../../../registry/feature.ts'
import type { Appliers } from '../../../sync/appliers.ts'
import { topicChanged } from '../authority.ts'
import { reviewCalls } from './calls.ts'
import { moderate } from './decisions.ts'
import { askWaiting, noteStats } from './waiting.ts'

/** How often a server that does not notify is asked for the number in the sidebar. */
const ASK_EVERY_MS = 120_000

/** Only moderators receive these; they say that something changed, and the queue is read again. */
const reviewEvents: Appliers = {
  'review_queue_item.new': (_tx, event, context) => {
    noteStats(context, event.stats)
    topicChanged(context, 'review')
  },
  'review_queue_item.updated': (_tx, event, context) => {
    noteStats(context, event.stats)
    topicChanged(context, 'review')
  },
}

declare module '../../../registry/feature.ts' {
  interface Offers {
    /** The address of a picture that `ReportedProfile.picture` names. */
    reportedPicture(ref: string): string | undefined
  }
}

type Parts = Parameters<typeof reviewCalls>[0]

export const reviewFeature = defineFeature({
  events: reviewEvents,
  kinds: { moderate: { perform: moderate } },
  create(core: Parts) {
    const ask = (): void => {
      if (core.memory.review.notifies !== true) core.background('review', () => askWaiting(core))
    }
    let stop: (() => void) | undefined
    return {
      calls: { review: reviewCalls(core) },
      offers: { reportedPicture: (ref: string) => core.memory.review.pictures.get(ref) },
      start: [{ phase: 'last', order: 70, run: () => (stop = every(core.ports.clock, ASK_EVERY_MS, ask)) }],
      stop: [{ phase: 'timers', order: 70, run: () => stop?.() }],
    }
  },
})
