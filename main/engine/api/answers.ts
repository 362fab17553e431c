/** A call as it was made: what stands in its path, its query and its body, and who made it. */
export type Asked = {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: unknown
  readonly body?: unknown
  /** The channel of what the call is about, where neither path nor body names it. */
  readonly cid?: string | undefined
  /** Absent for calls with a server token. */
  readonly me?: string | undefined
}

/**
 * What an answer says of what it is about. `is` absent: any text that is not empty. What is not `needed` may be left out
 * (absent, null or empty), as other servers do, but never be something else.
 */
export type Claim = {
  readonly at: readonly string[]
  readonly is: string | undefined
  readonly needed: boolean
  /** Where some servers put it instead. */
  readonly or?: readonly string[]
}

/**
 * The first field, as a path, in which an answer is not the answer to this call: it names another message, channel or
 * person, or does not say which. A proxy or a server that mixed up two requests must not end the one and change the other.
 */
export function strayIn(operation: string, asked: Asked, reply: object): string | undefined {
  const claims = claimsOf(operation, asked)
  return claims.find((claim) => !holds(claim, reply))?.at.join('.')
}

export const claimsOf = (operation: string, asked: Asked): readonly Claim[] => ANSWERS[operation]?.(asked) ?? []

/** Nothing in their answers says what they are about, so there is nothing to compare. */
const NOTHING_NAMED = [
  'Ban',
  'CreatePollOption',
  'DeleteChannelFile',
  'DeleteChannelImage',
  'DeleteDraft',
  'DeleteEmoji',
  'DeleteFile',
  'DeleteImage',
  'DeletePollOption',
  'DeleteReminder',
  'HideChannel',
  'MarkUnread',
  'ShowChannel',
  'StopWatchingChannel',
  'Unban',
  'UnblockUsers',
  'UnmuteChannel',
  'UnmuteUser',
]

function holds({ at, is, needed, or }: Claim, reply: object): boolean {
  const first = valueAt(reply, at)
  const said = or && isAbsent(first) ? valueAt(reply, or) : first
  if (isAbsent(said)) return !needed
  return typeof said === 'string' && (is === undefined || said === is)
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === ''

/** What stands there, or what stands in the way: neither is a text, so neither is taken for an answer. */
function valueAt(reply: object, at: readonly string[]): unknown {
  let value: unknown = reply
  for (const name of at) {
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'object' || Array.isArray(value)) return { in: value }
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

type Bag = Readonly<Record<string, unknown>>
const bag = (value: unknown): Bag => (typeof value === 'object' && value !== null ? (value as Bag) : {})
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const path = (at: string): readonly string[] => at.split('.')
/** Said, and no other. Nothing is asked where the call itself did not name it. */
const needs = (at: string, is: unknown): readonly Claim[] => claim(at, is, true)
/** No other, where it is said. */
const may = (at: string, is: unknown): readonly Claim[] => claim(at, is, false)
const claim = (at: string, is: unknown, needed: boolean): readonly Claim[] =>
  textOf(is) === undefined ? [] : [{ at: path(at), is: textOf(is), needed }]

const channelIn = ({ params, cid }: Asked): string | undefined =>
  cid ?? (params?.['type'] && params['id'] ? `${params['type']}:${params['id']}` : undefined)

const channel = (asked: Asked): readonly Claim[] => needs('channel.cid', channelIn(asked))
const poll = (asked: Asked): readonly Claim[] => needs('poll.id', asked.params?.['pollId'])
const thread = ({ params, cid }: Asked): readonly Claim[] => [
  ...needs('thread.parent_message_id', params?.['messageId']),
  ...may('thread.channel_cid', cid),
]
const message = ({ params, cid }: Asked): readonly Claim[] => [
  ...needs('message.id', params?.['id']),
  ...may('message.cid', cid),
]
const reaction = (asked: Asked): readonly Claim[] => [
  ...message(asked),
  ...may('reaction.message_id', asked.params?.['id']),
  ...may('reaction.type', asked.params?.['type'] ?? bag(bag(asked.body)['reaction'])['type']),
  ...byMe('reaction', asked),
]
const vote = (asked: Asked): readonly Claim[] => [
  ...needs('vote.poll_id', asked.params?.['pollId']),
  ...may('vote.id', asked.params?.['voteId']),
  ...may('vote.option_id', bag(bag(asked.body)['vote'])['option_id']),
  ...byMe('vote', asked),
  ...may('poll.id', asked.params?.['pollId']),
]
/** Servers put it in `reminder` or at the top level, or both. */
const reminder = ({ params, cid, me }: Asked): readonly Claim[] => [
  ...needs('reminder.message_id', params?.['id']).map((each) => ({ ...each, or: ['message_id'] })),
  ...['reminder.', ''].flatMap((at) => [
    ...may(`${at}message_id`, params?.['id']),
    ...may(`${at}channel_cid`, cid),
    ...may(`${at}user_id`, me),
  ]),
]
const file = (): readonly Claim[] => [{ at: ['file'], is: undefined, needed: true }]
const byMe = (at: string, { me }: Asked): readonly Claim[] => [...may(`${at}.user_id`, me), ...may(`${at}.user.id`, me)]
const readBy = (asked: Asked): readonly Claim[] => may('event.user.id', asked.me)

/** By operation: what its answer is about. One line for every call that changes something, and for what is asked for by its id. */
const ANSWERS: Readonly<Record<string, (asked: Asked) => readonly Claim[]>> = {
  SendMessage: (asked) => {
    const sent = bag(bag(asked.body)['message'])
    return [
      ...needs('message.id', sent['id']),
      ...may('message.cid', channelIn(asked)),
      ...may('message.parent_id', sent['parent_id']),
      ...may('message.user.id', asked.me),
    ]
  },
  GetMessage: message,
  UpdateMessage: message,
  UpdateMessagePartial: message,
  DeleteMessage: message,
  // The message that is sent takes the id of the answer; none takes it away.
  RunMessageAction: ({ params, cid }) => [...may('message.id', params?.['id']), ...may('message.cid', cid)],
  SendReaction: reaction,
  DeleteReaction: reaction,

  CreatePoll: (asked) => [...needs('poll.id', bag(asked.body)['id']), ...may('poll.created_by_id', asked.me)],
  GetPoll: poll,
  UpdatePollPartial: poll,
  UpdatePollOption: ({ body }) => may('poll_option.id', bag(body)['id']),
  CastPollVote: vote,
  DeletePollVote: vote,

  CreateDraft: (asked) => [
    ...needs('draft.channel_cid', channelIn(asked)),
    ...may('draft.message.id', bag(bag(asked.body)['message'])['id']),
    ...may('draft.parent_id', bag(bag(asked.body)['message'])['parent_id']),
  ],
  CreateReminder: reminder,
  UpdateReminder: reminder,
  UpdateLiveLocation: ({ body, me }) => [...needs('message_id', bag(body)['message_id']), ...may('user_id', me)],

  MarkRead: (asked) => [
    ...may('event.cid', channelIn(asked)),
    ...may('event.thread.parent_message_id', bag(asked.body)['thread_id']),
    ...readBy(asked),
  ],
  MarkChannelsRead: readBy,
  MarkDelivered: readBy,

  GetOrCreateChannel: channel,
  GetOrCreateDistinctChannel: ({ params }) => may('channel.type', params?.['type']),
  GetChannel: channel,
  UpdateChannel: channel,
  UpdateChannelPartial: channel,
  TruncateChannel: channel,
  DeleteChannel: channel,
  MuteChannel: ({ body }) => may('channel_mute.channel.cid', bag(body)['channel_cid']),
  UpdateMemberPartial: ({ params, me }) => [
    ...may('channel_member.user_id', params?.['userId'] ?? me),
    ...may('channel_member.user.id', params?.['userId'] ?? me),
  ],
  SendEvent: (asked) => [
    ...may('event.cid', channelIn(asked)),
    ...may('event.type', bag(bag(asked.body)['event'])['type']),
  ],
  UpdateThreadPartial: thread,

  UploadChannelFile: file,
  UploadChannelImage: file,
  UploadFile: file,
  UploadImage: file,

  BlockUsers: ({ body, me }) => [
    ...needs('blocked_user_id', bag(body)['blocked_user_id']),
    ...may('blocked_by_user_id', me),
  ],
  MuteUser: ({ body, me }) => [...may('mute.target.id', bag(body)['target_id']), ...may('mute.user.id', me)],
  Flag: ({ body }) => [
    ...may('flag.target_message_id', bag(body)['target_message_id']),
    ...may('flag.target_user.id', bag(body)['target_user_id']),
  ],
  UpdateUsersPartial: ({ body }) => {
    const users = bag(body)['users']
    return (Array.isArray(users) ? users : []).flatMap((user) => {
      const id = textOf(bag(user)['id'])
      return id === undefined ? [] : [{ at: ['users', id, 'id'], is: id, needed: true }]
    })
  },
  CreateEmoji: ({ body }) => needs('emoji.name', bag(body)['name']),
  UpdateEmoji: ({ params, body }) => needs('emoji.name', bag(body)['name'] ?? params?.['name']),
}

/** Every operation of which it is known what its answer is about, if anything. */
export const KNOWN_ANSWERS: ReadonlySet<string> = new Set([...Object.keys(ANSWERS), ...NOTHING_NAMED])
