import { defineFeature } from '../../../registry/feature.ts'
import { topicChanged } from '../authority.ts'
import { rulesCalls } from './calls.ts'

export const rulesFeature = defineFeature({
  // Only administrators receive it. It says that something changed, and the rules are loaded again.
  events: { 'moderation.updated': (_tx, _event, context) => topicChanged(context, 'rules') },
  create: (core: Parameters<typeof rulesCalls>[0]) => ({ calls: { rules: rulesCalls(core) } }),
})
