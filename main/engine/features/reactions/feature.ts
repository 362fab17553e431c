import { defineFeature } from '../../registry/feature.ts'
import { reactionEvents } from './events.ts'
import { react } from './requests.ts'

export const reactionsFeature = defineFeature({
  events: reactionEvents,
  kinds: { 'send-reaction': { perform: react }, 'delete-reaction': { perform: react } },
})
