/** A call as it was made: its path, query and body, and the user who made it. */
export type Call = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: unknown
  readonly body?: unknown
  /** The channel of the object, if neither path nor body names it. */
  readonly cid?: string
  /** Absent for calls with a server token. */
  readonly me?: string
}

/**
 * What a response must say about its object. `is` absent: any text that is not empty. A claim that is not `needed` may be
 * missing (absent, null or empty), because some servers omit it, but must not have another value.
 */
export type Claim = {
  readonly at: readonly string[]
  readonly is: string | undefined
  readonly needed: boolean
  /** Alternative path, used by some servers. */
  readonly or?: readonly string[]
}

/**
 * The path of the first field that shows that a response does not belong to this call: it names another message, channel
 * or user, or none. A proxy or server that mixed up two requests must not complete one of them with the data of the other.
 */
export function mismatchIn(operation: string, call: Call, reply: object): string | undefined {
  const claims = claimsOf(operation, call)
  return claims.find((claim) => !holds(claim, reply))?.at.join('.')
}

export const claimsOf = (operation: string, call: Call): readonly Claim[] => ANSWERS[operation]?.(call) ?? []

/** Their responses do not name their object, so there is nothing to compare. */
const NO_CLAIMS = [
  'AddSegmentTargets',
  'Ban',
  'CreatePollOption',
  'DeleteBlockList',
  'DeleteCampaign',
  'DeleteChannelFile',
  'DeleteChannelImage',
  'DeleteChannelType',
  'DeleteDraft',
  'DeleteEmoji',
  'DeleteFile',
  'DeleteImage',
  'DeleteModerationRule',
  'DeletePoll',
  'DeletePollOption',
  'DeleteReminder',
  'DeleteRole',
  'DeleteSegment',
  'DeleteSegmentTargets',
  'DeleteUserGroup',
  'DeleteUsers',
  'HideChannel',
  'MarkUnread',
  'RestoreUsers',
  'ShowChannel',
  'StopWatchingChannel',
  'Unban',
  'UnblockUsers',
  'UnmuteChannel',
  'UnmuteUser',
  'UpdateApp',
]

function holds({ at, is, needed, or }: Claim, reply: object): boolean {
  const first = valueAt(reply, at)
  const value = or && isAbsent(first) ? valueAt(reply, or) : first
  if (isAbsent(value)) return !needed
  return typeof value === 'string' && (is === undefined || value === is)
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === ''

/** The value at a path, or an object if something else is in the way: neither is a text, so neither is accepted. */
function valueAt(reply: object, at: readonly string[]): unknown {
  let value: unknown = reply
  for (const name of at) {
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'object' || Array.isArray(value)) return { in: value }
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

type Fields = Readonly<Record<string, unknown>>
const objectOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const path = (at: string): readonly string[] => at.split('.')
/** Must be present and equal. No claim if the call itself did not name it. */
const needs = (at: string, is: unknown): readonly Claim[] => claim(at, is, true)
/** Must be equal if present. */
const ifPresent = (at: string, is: unknown): readonly Claim[] => claim(at, is, false)
const claim = (at: string, is: unknown, needed: boolean): readonly Claim[] =>
  textOf(is) === undefined ? [] : [{ at: path(at), is: textOf(is), needed }]

const channelIn = ({ params, cid }: Call): string | undefined =>
  cid ?? (params?.['type'] && params['id'] ? `${params['type']}:${params['id']}` : undefined)

const channel = (call: Call): readonly Claim[] => needs('channel.cid', channelIn(call))
const poll = (call: Call): readonly Claim[] => needs('poll.id', call.params?.['pollId'])
const thread = ({ params, cid }: Call): readonly Claim[] => [
  ...needs('thread.parent_message_id', params?.['messageId']),
  ...ifPresent('thread.channel_cid', cid),
]
const message = ({ params, cid }: Call): readonly Claim[] => [
  ...needs('message.id', params?.['id']),
  ...ifPresent('message.cid', cid),
]
const reaction = (call: Call): readonly Claim[] => [
  ...message(call),
  ...ifPresent('reaction.message_id', call.params?.['id']),
  ...ifPresent('reaction.type', call.params?.['type'] ?? objectOf(objectOf(call.body)['reaction'])['type']),
  ...byMe('reaction', call),
]
const vote = (call: Call): readonly Claim[] => [
  ...needs('vote.poll_id', call.params?.['pollId']),
  ...ifPresent('vote.id', call.params?.['voteId']),
  ...ifPresent('vote.option_id', objectOf(objectOf(call.body)['vote'])['option_id']),
  ...byMe('vote', call),
  ...ifPresent('poll.id', call.params?.['pollId']),
]
/** Servers put the reminder in `reminder` or at the top level, or both. */
const reminder = ({ params, cid, me }: Call): readonly Claim[] => [
  ...needs('reminder.message_id', params?.['id']).map((each) => ({ ...each, or: ['message_id'] })),
  ...['reminder.', ''].flatMap((at) => [
    ...ifPresent(`${at}message_id`, params?.['id']),
    ...ifPresent(`${at}channel_cid`, cid),
    ...ifPresent(`${at}user_id`, me),
  ]),
]
const file = (): readonly Claim[] => [{ at: ['file'], is: undefined, needed: true }]
const byMe = (at: string, { me }: Call): readonly Claim[] => [
  ...ifPresent(`${at}.user_id`, me),
  ...ifPresent(`${at}.user.id`, me),
]
/** Users that are named in a list, or in a map by their ids. */
const users = ({ body }: Call, needed: boolean): readonly Claim[] =>
  Object.values(objectOf(objectOf(body)['users'])).flatMap((user) => {
    const id = textOf(objectOf(user)['id'])
    return id === undefined ? [] : [{ at: ['users', id, 'id'], is: id, needed }]
  })
const campaign = ({ params }: Call): readonly Claim[] => needs('campaign.id', params?.['id'])
const segment = ({ params }: Call): readonly Claim[] => needs('segment.id', params?.['id'])
const group = ({ params }: Call): readonly Claim[] => needs('user_group.id', params?.['id'])
const readBy = (call: Call): readonly Claim[] => ifPresent('event.user.id', call.me)

/**
 * By operation: what its response is about. One entry for every call that changes something or reads an object by id.
 */
const ANSWERS: Readonly<Record<string, (call: Call) => readonly Claim[]>> = {
  SendMessage: (call) => {
    const sent = objectOf(objectOf(call.body)['message'])
    return [
      ...needs('message.id', sent['id']),
      ...ifPresent('message.cid', channelIn(call)),
      ...ifPresent('message.parent_id', sent['parent_id']),
      ...ifPresent('message.user.id', call.me),
    ]
  },
  GetMessage: message,
  UpdateMessage: message,
  UpdateMessagePartial: message,
  DeleteMessage: message,
  // A command's message may take the id of the response; a canceled one has none.
  RunMessageAction: ({ params, cid }) => [...ifPresent('message.id', params?.['id']), ...ifPresent('message.cid', cid)],
  SendReaction: reaction,
  DeleteReaction: reaction,

  CreatePoll: (call) => [...needs('poll.id', objectOf(call.body)['id']), ...ifPresent('poll.created_by_id', call.me)],
  GetPoll: poll,
  UpdatePollPartial: poll,
  UpdatePollOption: ({ body }) => ifPresent('poll_option.id', objectOf(body)['id']),
  CastPollVote: vote,
  DeletePollVote: vote,

  CreateDraft: (call) => [
    ...needs('draft.channel_cid', channelIn(call)),
    ...ifPresent('draft.message.id', objectOf(objectOf(call.body)['message'])['id']),
    ...ifPresent('draft.parent_id', objectOf(objectOf(call.body)['message'])['parent_id']),
  ],
  CreateReminder: reminder,
  UpdateReminder: reminder,
  UpdateLiveLocation: ({ body, me }) => [
    ...needs('message_id', objectOf(body)['message_id']),
    ...ifPresent('user_id', me),
  ],

  MarkRead: (call) => [
    ...ifPresent('event.cid', channelIn(call)),
    ...ifPresent('event.thread.parent_message_id', objectOf(call.body)['thread_id']),
    ...readBy(call),
  ],
  MarkChannelsRead: readBy,
  MarkDelivered: readBy,

  GetOrCreateChannel: channel,
  GetOrCreateDistinctChannel: ({ params }) => ifPresent('channel.type', params?.['type']),
  GetChannel: channel,
  UpdateChannel: channel,
  UpdateChannelPartial: channel,
  TruncateChannel: channel,
  DeleteChannel: channel,
  MuteChannel: ({ body }) => ifPresent('channel_mute.channel.cid', objectOf(body)['channel_cid']),
  UpdateMemberPartial: ({ params, me }) => [
    ...ifPresent('channel_member.user_id', params?.['userId'] ?? me),
    ...ifPresent('channel_member.user.id', params?.['userId'] ?? me),
  ],
  SendEvent: (call) => [
    ...ifPresent('event.cid', channelIn(call)),
    ...ifPresent('event.type', objectOf(objectOf(call.body)['event'])['type']),
  ],
  UpdateThreadPartial: thread,

  UploadChannelFile: file,
  UploadChannelImage: file,
  UploadFile: file,
  UploadImage: file,

  BlockUsers: ({ body, me }) => [
    ...needs('blocked_user_id', objectOf(body)['blocked_user_id']),
    ...ifPresent('blocked_by_user_id', me),
  ],
  MuteUser: ({ body, me }) => [
    ...ifPresent('mute.target.id', objectOf(body)['target_id']),
    ...ifPresent('mute.user.id', me),
  ],
  Flag: ({ body }) => [
    ...ifPresent('flag.target_message_id', objectOf(body)['target_message_id']),
    ...ifPresent('flag.target_user.id', objectOf(body)['target_user_id']),
  ],
  UpdateUsers: (call) => users(call, false),
  UpdateUsersPartial: (call) => users(call, true),
  DeactivateUser: ({ params }) => needs('user.id', params?.['id']),
  ReactivateUser: ({ params }) => needs('user.id', params?.['id']),
  CreateUserGroup: ({ body }) => needs('user_group.id', objectOf(body)['id']),
  UpdateUserGroup: group,
  AddUserGroupMembers: group,
  RemoveUserGroupMembers: group,
  CreateCampaign: ({ body }) => needs('campaign.id', objectOf(body)['id']),
  UpdateCampaign: campaign,
  StartCampaign: campaign,
  StopCampaign: campaign,
  CreateSegment: ({ body }) => needs('segment.id', objectOf(body)['id']),
  UpdateSegment: segment,
  Integrations: ({ body }) => ifPresent('integration.id', objectOf(body)['id']),
  UndeleteMessage: message,
  SubmitAction: ({ body }) => ifPresent('item.id', objectOf(body)['item_id']),
  CreateRole: ({ body }) => needs('role.name', objectOf(body)['name']),
  CreateChannelType: ({ body }) => needs('name', objectOf(body)['name']),
  UpdateChannelType: ({ params }) => needs('name', params?.['name']),
  CreateCommand: ({ body }) => needs('command.name', objectOf(body)['name']),
  UpdateCommand: ({ params }) => needs('command.name', params?.['name']),
  DeleteCommand: ({ params }) => ifPresent('name', params?.['name']),
  CreateBlockList: ({ body }) => ifPresent('blocklist.name', objectOf(body)['name']),
  UpdateBlockList: ({ params }) => ifPresent('blocklist.name', params?.['name']),
  UpsertConfig: ({ body }) => needs('config.key', objectOf(body)['key']),
  UpsertModerationRule: ({ body }) => ifPresent('rule.id', objectOf(body)['id']),
  CreateEmoji: ({ body }) => needs('emoji.name', objectOf(body)['name']),
  UpdateEmoji: ({ params, body }) => needs('emoji.name', objectOf(body)['name'] ?? params?.['name']),
}

/** Every operation for which it is known what its response is about, if anything. */
export const CHECKED_OPERATIONS: ReadonlySet<string> = new Set([...Object.keys(ANSWERS), ...NO_CLAIMS])
