import type { Route } from '../http/router.ts'
import { draftRoutes } from './drafts.ts'
import { locationRoutes } from './locations.ts'
import { reminderRoutes } from './reminders.ts'

/** What surrounds messages. */
export const talkRoutes: readonly Route[] = [...draftRoutes, ...reminderRoutes, ...locationRoutes]
