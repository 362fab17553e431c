import type { Core, Requests, Submissions } from '../../core.ts'
import { defineFeature } from '../../registry/feature.ts'
import { messageCalls } from './calls.ts'
import { messageEvents } from './events.ts'
import { edit, pin, remove, sending } from './requests.ts'

type Parts = Submissions &
  Requests &
  Pick<Core, 'background' | 'context' | 'draftRevisions' | 'log' | 'me' | 'stagingFolder' | 'stores' | 'watched'>

export const messagesFeature = defineFeature({
  events: messageEvents,
  kinds: {
    'send-message': sending,
    'edit-message': { perform: edit },
    'delete-message': { perform: remove },
    'pin-message': { perform: pin },
  },
  create: (core: Parts) => ({ calls: { messages: messageCalls(core) } }),
})
