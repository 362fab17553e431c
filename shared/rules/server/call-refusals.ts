/** Texts of the contract (docs/wire.md, appendix C), and ours in the same style. */
export const CALL_TEXTS = {
  messageId: 'Message id is missing',
  reaction: 'Reaction object is missing',
  reactionType: 'Reaction type is missing',
  userId: 'User id is missing',
  channelType: 'Channel or channel type have to be provided to query a channel.',
  channelMembers: 'Channel ID or channel members array have to be provided to query a channel.',
  campaignId: 'Campaign id is missing. Create the campaign first, or give its id.',
  segmentId: 'Segment id is missing. Create the segment first, or give its id.',
  segmentTarget: 'Segment target id is missing',
  searchCursor: 'Search takes an offset or next, not both',
  searchQuery: 'Search query has to be a string or a filter object',
  profile: 'Either username or image must be provided',
} as const

type Bag = Readonly<Record<string, unknown>>

/** A request before it is sent: its path parameters, its query and its body. */
export type RequestParts = { readonly params?: Bag; readonly query?: unknown; readonly body?: unknown }

const bag = (value: unknown): Bag => (typeof value === 'object' && value !== null ? (value as Bag) : {})
const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''
const isEmpty = (value: unknown): boolean => Object.keys(bag(value)).length === 0
const lacks =
  (name: string, text: string) =>
  ({ params }: RequestParts): string | undefined =>
    isMissing(params?.[name]) ? text : undefined

const campaign = lacks('id', CALL_TEXTS.campaignId)
const segment = lacks('id', CALL_TEXTS.segmentId)
const message = lacks('id', CALL_TEXTS.messageId)
const channel = lacks('type', CALL_TEXTS.channelType)

/** By operation of the contract: the refusal of an incomplete request. */
const RULES: Readonly<Record<string, (call: RequestParts) => string | undefined>> = {
  SendReaction: (call) => message(call) ?? (isEmpty(bag(call.body)['reaction']) ? CALL_TEXTS.reaction : undefined),
  DeleteReaction: (call) => message(call) ?? lacks('type', CALL_TEXTS.reactionType)(call),
  UpdateMemberPartial: (call) => ('userId' in bag(call.params) ? lacks('userId', CALL_TEXTS.userId)(call) : undefined),
  GetOrCreateChannel: (call) => channel(call) ?? lacks('id', CALL_TEXTS.channelMembers)(call),
  GetOrCreateDistinctChannel: (call) => channel(call) ?? withMembers(bag(bag(call.body)['data'])['members']),
  GetCampaign: campaign,
  UpdateCampaign: campaign,
  DeleteCampaign: campaign,
  StartCampaign: campaign,
  StopCampaign: campaign,
  GetSegment: segment,
  UpdateSegment: segment,
  DeleteSegment: segment,
  AddSegmentTargets: segment,
  DeleteSegmentTargets: segment,
  SegmentTargetExists: (call) => segment(call) ?? lacks('targetId', CALL_TEXTS.segmentTarget)(call),
  QuerySegmentTargets: segment,
  Search: ({ query }) => searched(bag(bag(query)['payload'])),
  Check: ({ body }) => checked(bag(body)),
}

const withMembers = (members: unknown): string | undefined =>
  Array.isArray(members) && members.length > 0 ? undefined : CALL_TEXTS.channelMembers

function searched({ query, message_filter_conditions: filter, offset, next }: Bag): string | undefined {
  if (!isMissing(offset) && !isMissing(next)) return CALL_TEXTS.searchCursor
  const hasQuery = typeof query === 'string' || (typeof filter === 'object' && filter !== null)
  return hasQuery ? undefined : CALL_TEXTS.searchQuery
}

/** For a user profile only a name and an image can be checked. See docs/wire.md 3.14. */
function checked({ entity_type: type, moderation_payload: payload }: Bag): string | undefined {
  if (type !== 'stream:v1:user_profile') return undefined
  const { texts, images } = bag(payload)
  return [texts, images].every(isEmpty) ? CALL_TEXTS.profile : undefined
}

/** Why this request must not be sent, with the texts of the contract. See docs/wire.md 7.1. */
export const callRefusal = (operation: string, call: RequestParts): string | undefined => RULES[operation]?.(call)
