import type { Route } from './http/router.ts'
import { adminNameRoutes, adminTypeRoutes } from './admin/admin-routes.ts'
import { appRoutes } from './admin/app.ts'
import { campaignRoutes, segmentRoutes } from './campaigns/campaign-routes.ts'
import { channelChangeRoutes, channelBatchRoutes } from './channels/channel-change.ts'
import { channelListRoutes, channelQueryRoutes } from './channels/channel-query.ts'
import { channelRemoveRoutes } from './channels/channel-remove.ts'
import { emojiRoutes } from './emoji/emoji.ts'
import { fileRoutes } from './uploads/serve-file.ts'
import { messageRoutes, sendRoutes } from './messages/message-routes.ts'
import { moderationRoutes, moderationSettingRoutes } from './moderation/moderation-routes.ts'
import { logged, moderationLogRoutes } from './moderation/log/recorded.ts'
import { moderationV2Routes } from './moderation/moderation-v2.ts'
import { pollRoutes, pollOptionRoutes } from './polls/poll-routes.ts'
import { reactionRoutes } from './messages/reaction-routes.ts'
import { readRoutes, receiptRoutes } from './reads/read-routes.ts'
import { userChangeRoutes } from './users/user-change.ts'
import { userOwnRoutes } from './users/user-own.ts'
import { userGroupRoutes } from './users/user-groups.ts'
import { userRoutes } from './users/user-routes.ts'
import { commandRoutes } from './commands/commands.ts'
import { draftRoutes } from './drafts/draft-routes.ts'
import { integrationRoutes } from './integrations/integration-routes.ts'
import { locationRoutes } from './locations/location-routes.ts'
import { messageServerRoutes } from './messages/message-server-routes.ts'
import { ogRoutes } from './og/previews.ts'
import { pinRoutes } from './messages/pin-routes.ts'
import { pollVoteRoutes } from './polls/poll-votes.ts'
import { reminderRoutes } from './reminders/reminder-routes.ts'
import { searchRoutes } from './search/search.ts'
import { threadRoutes } from './threads/thread-routes.ts'

/** All routes of the server. */
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
  ...draftRoutes,
  ...reminderRoutes,
  ...locationRoutes,
  ...pollOptionRoutes,
  ...pollVoteRoutes,
  ...searchRoutes,
  ...messageServerRoutes,
  ...pinRoutes,
  ...threadRoutes,
  ...ogRoutes,
  ...commandRoutes,
  ...receiptRoutes,
  ...moderationRoutes,
  ...moderationV2Routes,
  ...moderationLogRoutes,
  ...moderationSettingRoutes,
  ...campaignRoutes,
  ...segmentRoutes,
  ...fileRoutes,
  ...emojiRoutes,
  ...integrationRoutes,
].map(logged)
