import type { EngineClient } from '#shared/bridge/index.ts'
import { asMessageId, type Cid, type MessageId, type UserId } from '#shared/lib/brand.ts'

/**
 * The environment of a drive: it runs against the real server once, to record its responses, and then against broken
 * ones.
 */
export type Stage = {
  readonly ui: EngineClient
  readonly cid: Cid
  readonly other: UserId
  /** A user with whom there is no conversation yet. */
  readonly stranger: () => UserId
  /** Returns a new message of the viewer, of another user, and one with a poll, each cached by the client. */
  readonly own: () => Promise<MessageId>
  readonly theirs: () => Promise<MessageId>
  readonly poll: () => Promise<{ messageId: MessageId; optionId: string }>
  /** A new value at each call. */
  readonly next: () => number
  /** The connection is lost and comes back. */
  readonly reconnect: () => Promise<void>
  readonly setPrivacy: (hidden: boolean) => void
  readonly settle: () => Promise<void>
}

export type Drive = (stage: Stage) => Promise<unknown>

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const NO_EDITS = { renamed: [], merged: [], removed: [], added: [] }

/** Makes the client do one call, by the operation's name. */
export const DRIVES: Readonly<Record<string, Drive>> = {
  GetApp: ({ reconnect }) => reconnect(),
  Sync: ({ reconnect }) => reconnect(),
  QueryChannels: ({ ui }) => ui.channels.reload(),
  QueryMembers: ({ ui, cid }) => ui.channels.members({ cid }),
  QueryUsers: ({ ui }) => ui.channels.people(),
  GetOrCreateChannel: ({ ui, next }) => ui.channels.create({ name: `made ${next()}`, isPrivate: false, memberIds: [] }),
  GetOrCreateDistinctChannel: ({ ui, stranger }) => ui.channels.direct({ userIds: [stranger()] }),
  HideChannel: ({ ui, cid }) => ui.channels.hide({ cid, hidden: true, clearHistory: false }),
  ShowChannel: ({ ui, cid }) => ui.channels.hide({ cid, hidden: false, clearHistory: false }),
  MuteChannel: ({ ui, cid }) => ui.channels.mute({ cid, muted: true }),
  UnmuteChannel: ({ ui, cid }) => ui.channels.mute({ cid, muted: false }),
  UpdateMemberPartial: ({ ui, cid, next }) => ui.channels.pin({ cid, pinned: next() % 2 === 0 }),
  UpdateChannelPartial: ({ ui, cid, next }) => ui.channels.update({ cid, name: `name ${next()}` }),
  UpdateChannel: ({ ui, cid, other }) => ui.channels.addMembers({ cid, userIds: [other] }),
  SendEvent: async ({ ui, cid }) => {
    await ui.channels.typing({ cid, typing: true })
    await ui.channels.typing({ cid, typing: false })
  },
  MarkRead: async ({ ui, cid, theirs, settle }) => {
    await theirs()
    await ui.channels.markRead({ cid })
    await settle()
  },
  MarkUnread: async ({ ui, cid, theirs }) => ui.channels.markUnread({ cid, messageId: await theirs() }),
  MarkChannelsRead: async ({ ui, theirs }) => {
    await theirs()
    await ui.channels.markAllRead()
  },
  MarkDelivered: ({ theirs, settle }) => theirs().then(settle),
  GetPinnedMessages: async ({ ui, cid }) => {
    await ui.channels.openPinned({ cid })
    await ui.channels.closePinned({ cid })
  },
  // Each in its own thread: a lane waits after a response that settles nothing.
  SendMessage: async ({ ui, cid, theirs, next }) =>
    ui.messages.send({
      cid,
      parentId: await theirs(),
      text: `text ${next()}`,
      showInChannel: false,
      mentionedUserIds: [],
      uploadIds: [],
      whenReady: false,
    }),
  UpdateMessage: async ({ ui, own, next }) =>
    ui.messages.edit({ messageId: await own(), text: `new ${next()}`, mentionedUserIds: [] }),
  DeleteMessage: async ({ ui, own }) => ui.messages.delete({ messageId: await own() }),
  UpdateMessagePartial: async ({ ui, own }) => ui.messages.pin({ messageId: await own(), pinned: true }),
  SendReaction: async ({ ui, theirs }) => ui.messages.toggleReaction({ messageId: await theirs(), type: 'like' }),
  DeleteReaction: async ({ ui, theirs, settle }) => {
    const messageId = await theirs()
    await ui.messages.toggleReaction({ messageId, type: 'like' })
    await settle()
    await ui.messages.toggleReaction({ messageId, type: 'like' })
  },
  Flag: async ({ ui, theirs }) => ui.messages.flag({ messageId: await theirs() }),
  Ban: ({ ui, cid, other }) => ui.moderation.ban({ cid, userId: other, shadow: true }),
  Unban: async ({ ui, cid, other }) => {
    await ui.moderation.ban({ cid, userId: other, shadow: true })
    await ui.moderation.unban({ cid, userId: other })
  },
  QueryBannedUsers: ({ ui, cid }) => ui.moderation.bans({ cid }),
  MuteUser: ({ ui, other }) => ui.people.mute({ userId: other, muted: true }),
  UnmuteUser: ({ ui, other }) => ui.people.mute({ userId: other, muted: false }),
  // A new user each time: an intent that waits for its retry is not added again.
  BlockUsers: ({ ui, stranger }) => ui.people.block({ userId: stranger(), blocked: true }),
  UnblockUsers: async ({ ui, stranger, settle }) => {
    const userId = stranger()
    await ui.people.block({ userId, blocked: true })
    await settle()
    await ui.people.block({ userId, blocked: false })
  },
  UpdateUsersPartial: async ({ setPrivacy, settle }) => {
    setPrivacy(true)
    await settle()
    setPrivacy(false)
  },
  GetMessage: ({ ui, cid, next }) => ui.channels.open({ cid, around: asMessageId(`far-${next()}`) }),
  GetReplies: (stage) => openThread(stage),
  UpdateThreadPartial: async ({ ui, cid, theirs, next, settle }) => {
    const parentId = await theirs()
    const rest = { showInChannel: false, mentionedUserIds: [], uploadIds: [], whenReady: false }
    await ui.messages.send({ cid, parentId, text: `reply ${next()}`, ...rest })
    await settle()
    await ui.threads.rename({ cid, parentId, title: `title ${next()}` })
  },
  QueryThreads: async ({ ui, reconnect, settle }) => {
    await ui.threads.openInbox()
    await reconnect()
    await settle()
    await ui.threads.closeInbox()
  },
  CreatePoll: ({ ui, cid, next }) =>
    ui.polls.create({
      cid,
      name: `poll ${next()}`,
      description: '',
      options: ['a', 'b'],
      enforceUniqueVote: true,
      allowAnswers: true,
      allowSuggestions: true,
      anonymous: false,
    }),
  CastPollVote: async ({ ui, poll }) => {
    const { messageId, optionId } = await poll()
    await ui.polls.castVote({ messageId, optionId })
  },
  CreatePollOption: async ({ ui, poll, next }) =>
    ui.polls.addOption({ ...(await only(poll)), text: `option ${next()}` }),
  UpdatePollOption: async ({ ui, poll, next }) => {
    const { messageId, optionId } = await poll()
    await ui.polls.edit({ messageId, ...NO_EDITS, renamed: [{ id: optionId, text: `renamed ${next()}` }] })
  },
  DeletePollOption: async ({ ui, poll }) => {
    const { messageId, optionId } = await poll()
    await ui.polls.edit({ messageId, ...NO_EDITS, removed: [optionId] })
  },
  UpdatePollPartial: async ({ ui, poll }) => ui.polls.close(await only(poll)),
  QueryPollVotes: async ({ ui, poll }) => ui.polls.answers(await only(poll)),
  CreateReminder: async ({ ui, theirs }) => ui.reminders.set({ messageId: await theirs() }),
  UpdateReminder: async ({ ui, theirs, settle }) => {
    const messageId = await theirs()
    await ui.reminders.set({ messageId })
    await settle()
    await ui.reminders.set({ messageId, remindAt: Date.parse('2030-01-01T00:00:00Z') })
  },
  DeleteReminder: async ({ ui, theirs, settle }) => {
    const messageId = await theirs()
    await ui.reminders.set({ messageId })
    await settle()
    await ui.reminders.remove({ messageId })
  },
  QueryReminders: ({ reconnect }) => reconnect(),
  CreateDraft: async ({ ui, cid, next, settle }) => {
    await ui.drafts.save({ cid, text: `draft ${next()}`, uploadIds: [], caret: 0, showInChannel: false })
    await settle()
  },
  DeleteDraft: async ({ ui, cid, next, settle }) => {
    await ui.drafts.save({ cid, text: `draft ${next()}`, uploadIds: [], caret: 0, showInChannel: false })
    await settle()
    await ui.drafts.save({ cid, text: '', uploadIds: [], caret: 0, showInChannel: false })
    await settle()
  },
  QueryDrafts: ({ reconnect }) => reconnect(),
  Search: ({ ui }) => ui.search.messages({ text: 'text', limit: 20, ask: 'server' }),
  GetUserLiveLocations: ({ ui }) => ui.locations.live(),
  TruncateChannel: ({ ui, cid }) => ui.channels.clearHistory({ cid }),
  UpdateLiveLocation: async ({ ui, cid, settle }) => {
    const messageId = await ui.locations.share({ cid, latitude: 52, longitude: 21, forMs: 3_600_000 })
    await settle()
    await ui.locations.stop({ messageId })
  },
  UploadChannelFile: async ({ ui, cid, next, settle }) => {
    const name = `file ${next()}.txt`
    const { id } = await ui.uploads.begin({ cid, name, sizeBytes: 3, mimeType: 'text/plain' })
    await ui.uploads.chunk({ id, base64: 'YWJj' })
    await ui.uploads.finish({ id })
    await settle()
    await ui.uploads.cancel({ id })
  },
  GetOG: ({ ui, next }) => ui.links.preview({ url: `https://site.example/${next()}` }),
  QueryFlags: ({ ui }) => ui.review.mine({}),
  ListEmoji: ({ reconnect }) => reconnect(),
  UploadImage: ({ ui, next }) => ui.emoji.add({ name: `made${next()}`, base64: PNG, mimeType: 'image/png' }),
  CreateEmoji: ({ ui, next }) => ui.emoji.add({ name: `made${next()}`, base64: PNG, mimeType: 'image/png' }),
  UpdateEmoji: ({ ui, next }) => ui.emoji.change({ name: 'parrot', to: `parrot${next()}`, aliases: [] }),
  UploadChannelImage: ({ ui, cid }) => ui.channels.setImage({ cid, image: { base64: PNG, mimeType: 'image/png' } }),
}

const only = async (poll: Stage['poll']): Promise<{ messageId: MessageId }> => ({ messageId: (await poll()).messageId })

async function openThread({ ui, cid, theirs, settle }: Stage): Promise<void> {
  const parentId = await theirs()
  await ui.threads.open({ cid, parentId })
  await settle()
  await ui.threads.close({ parentId })
}

/** Calls that have no drive, each with the reason. */
const RULES = 'needs a server token: main/engine/features/manage/rules/rules.test.ts breaks its answers'

const ODD = 'with the server token only: main/engine/features/manage/odd-replies.test.ts breaks its answers'

export const ELSEWHERE: Readonly<Record<string, string>> = {
  GetThread: 'read by the same lines as QueryThreads',
  RunMessageAction: 'only for messages of commands; its answer is read as that of SendMessage',
  DeletePollVote: 'read by the same lines as CastPollVote',
  DeleteChannel: 'nothing of its answer is read',
  DeleteEmoji: 'nothing of its answer is read',
  DeleteImage: 'nothing of its answer is read',
  DeleteChannelFile: 'nothing of its answer is read',
  DeleteChannelImage: 'nothing of its answer is read',
  GetChannel: 'nothing of its answer is read: it is asked so that looking at a channel makes none',
  QueryReviewQueue: 'only for moderators; main/engine/features/manage/review/decode.test.ts reads broken ones',
  SubmitAction: 'its item is read by the same lines as those of QueryReviewQueue',
  QueryFlagReports: 'read by the same lines as QueryFlags',
  GetUserModerationReport: 'only for moderators; only numbers of its answer are read',
  UpdateUsers: 'with the server token only; read as the users of QueryUsers',
  DeactivateUser: 'nothing of its answer is read',
  ReactivateUser: 'nothing of its answer is read',
  DeleteUsers: 'with the server token only; nothing but the id of its task is read',
  RestoreUsers: 'nothing of its answer is read',
  ExportUser: 'with the server token only; written to a file as it is',
  ListDevices: 'with the server token only; see main/engine/features/manage/directory/people.test.ts',
  ListRoles: 'with the server token only; names of roles',
  GetTask: 'with the server token only; its status is compared',
  ListUserGroups: 'with the server token only; see main/engine/features/manage/groups/decode.test.ts',
  SearchUserGroups: 'read by the same lines as ListUserGroups',
  GetUserGroup: 'nothing of its answer is read',
  CreateUserGroup: 'read by the same lines as ListUserGroups',
  UpdateUserGroup: 'read by the same lines as ListUserGroups',
  DeleteUserGroup: 'nothing of its answer is read',
  AddUserGroupMembers: 'read by the same lines as ListUserGroups',
  RemoveUserGroupMembers: 'read by the same lines as ListUserGroups',
  GetPoll: 'the decoder of CreatePoll; asked for when the outcome of a change of a poll is not known',
  DeleteBlockList: RULES,
  CreateBlockList: RULES,
  GetBlockList: RULES,
  ListBlockLists: RULES,
  UpdateBlockList: RULES,
  DeleteModerationRule: RULES,
  GetConfig: RULES,
  GetModerationRule: RULES,
  QueryModerationConfigs: RULES,
  QueryModerationRules: RULES,
  UpsertConfig: RULES,
  UpsertModerationRule: RULES,
  UploadFile: ODD,
  GetCampaign: ODD,
  QueryCampaigns: ODD,
  CreateCampaign: ODD,
  UpdateCampaign: ODD,
  StartCampaign: ODD,
  StopCampaign: ODD,
  GetSegment: ODD,
  QuerySegments: ODD,
  CreateSegment: ODD,
  UpdateSegment: ODD,
  QuerySegmentTargets: ODD,
  SegmentTargetExists: ODD,
  AddSegmentTargets: ODD,
  DeleteSegmentTargets: ODD,
  DeleteCampaign: 'nothing of its answer is read',
  DeleteSegment: 'nothing of its answer is read',
  GetChannelType: ODD,
  ListChannelTypes: ODD,
  ListCommands: ODD,
  ListPermissions: ODD,
  QueryModerationLogs: ODD,
  QueryPolls: ODD,
  SearchRoles: ODD,
  CreateChannelType: 'nothing of its answer is read',
  CreateCommand: 'nothing of its answer is read',
  CreateRole: 'nothing of its answer is read',
  DeleteChannelType: 'nothing of its answer is read',
  DeleteCommand: 'nothing of its answer is read',
  DeletePoll: 'nothing of its answer is read',
  DeleteRole: 'nothing of its answer is read',
  UndeleteMessage: 'nothing of its answer is read',
  UpdateApp: 'nothing of its answer is read',
  UpdateChannelType: 'nothing of its answer is read',
  UpdateCommand: 'nothing of its answer is read',
  Integrations: 'for administrators only: main/engine/features/manage/integrations/decode.test.ts reads broken ones',
  QueryReactions: 'read by the same lines as the reactions of a message',
  QueryMessageHistory:
    'with the server token only; its texts and times are read by the same lines as those of messages',
}
