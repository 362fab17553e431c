import type { Route } from '../http/router.ts'
import { commandRoutes } from './command-routes.ts'
import { draftRoutes } from '../drafts/draft-routes.ts'
import { locationRoutes } from '../locations/location-routes.ts'
import { messageMoreRoutes } from '../messages/message-more.ts'
import { ogRoutes } from '../messages/preview-routes.ts'
import { pinRoutes } from '../messages/pin-routes.ts'
import { pollOptionRoutes } from '../polls/poll-options.ts'
import { pollVoteRoutes } from '../polls/poll-votes.ts'
import { receiptRoutes } from '../reads/receipt-routes.ts'
import { reminderRoutes } from '../reminders/reminder-routes.ts'
import { searchRoutes } from '../search/search-routes.ts'
import { threadRoutes } from '../threads/thread-routes.ts'

/** What surrounds messages. */
export const talkRoutes: readonly Route[] = [
  ...draftRoutes,
  ...reminderRoutes,
  ...locationRoutes,
  ...pollOptionRoutes,
  ...pollVoteRoutes,
  ...searchRoutes,
  ...messageMoreRoutes,
  ...pinRoutes,
  ...threadRoutes,
  ...ogRoutes,
  ...commandRoutes,
  ...receiptRoutes,
]
