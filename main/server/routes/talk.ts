import type { Route } from '../http/router.ts'
import { commandRoutes } from './commands.ts'
import { draftRoutes } from './drafts.ts'
import { locationRoutes } from './locations.ts'
import { messageMoreRoutes } from './message-more.ts'
import { ogRoutes } from './og.ts'
import { pinRoutes } from './pins.ts'
import { pollOptionRoutes } from './poll-options.ts'
import { pollVoteRoutes } from './poll-votes.ts'
import { receiptRoutes } from './receipts.ts'
import { reminderRoutes } from './reminders.ts'
import { searchRoutes } from './search.ts'
import { threadRoutes } from './threads.ts'

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
