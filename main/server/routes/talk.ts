import type { Route } from '../http/router.ts'
import { draftRoutes } from './drafts.ts'
import { locationRoutes } from './locations.ts'
import { pollOptionRoutes } from './poll-options.ts'
import { pollVoteRoutes } from './poll-votes.ts'
import { reminderRoutes } from './reminders.ts'
import { searchRoutes } from './search.ts'

/** What surrounds messages. */
export const talkRoutes: readonly Route[] = [
  ...draftRoutes,
  ...reminderRoutes,
  ...locationRoutes,
  ...pollOptionRoutes,
  ...pollVoteRoutes,
  ...searchRoutes,
]
