import type { Route } from '../http/router.ts'
import { adminNameRoutes } from './admin-names.ts'
import { adminTypeRoutes } from './admin-types.ts'
import { appRoutes } from './app.ts'
import { campaignRoutes } from './campaigns.ts'
import { channelBatchRoutes } from './channel-batch.ts'
import { channelChangeRoutes } from './channel-change.ts'
import { channelListRoutes } from './channel-list.ts'
import { channelQueryRoutes } from './channel-query.ts'
import { channelRemoveRoutes } from './channel-remove.ts'
import { emojiRoutes } from './emoji.ts'
import { fileRoutes } from './files.ts'
import { sendRoutes } from './message-send.ts'
import { messageRoutes } from './messages.ts'
import { moderationRoutes } from './moderation.ts'
import { moderationSettingRoutes } from './moderation-settings.ts'
import { moderationV2Routes } from './moderation-v2.ts'
import { pollRoutes } from './polls.ts'
import { reactionRoutes } from './reactions.ts'
import { readRoutes } from './reads.ts'
import { talkRoutes } from './talk.ts'
import { segmentRoutes } from './segments.ts'
import { userChangeRoutes } from './user-change.ts'
import { userOwnRoutes } from './user-own.ts'
import { userGroupRoutes } from './user-groups.ts'
import { userRoutes } from './users.ts'

/** Every call the server answers. */
export const routes: readonly Route[] = [
  ...appRoutes,
  ...adminTypeRoutes,
  ...adminNameRoutes,
  ...userGroupRoutes,
  ...userRoutes,
  ...userChangeRoutes,
  ...userOwnRoutes,
  ...channelListRoutes,
  ...channelQueryRoutes,
  ...channelBatchRoutes,
  ...channelChangeRoutes,
  ...channelRemoveRoutes,
  ...sendRoutes,
  ...messageRoutes,
  ...reactionRoutes,
  ...readRoutes,
  ...pollRoutes,
  ...talkRoutes,
  ...moderationRoutes,
  ...moderationV2Routes,
  ...moderationSettingRoutes,
  ...campaignRoutes,
  ...segmentRoutes,
  ...fileRoutes,
  ...emojiRoutes,
]
