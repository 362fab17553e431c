import type { Route } from '../http/router.ts'
import { appRoutes } from './app.ts'
import { channelListRoutes } from './channel-list.ts'
import { channelQueryRoutes } from './channel-query.ts'
import { sendRoutes } from './message-send.ts'

/** Every call the server answers. */
export const routes: readonly Route[] = [...appRoutes, ...channelListRoutes, ...channelQueryRoutes, ...sendRoutes]
