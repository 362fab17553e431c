import { describe, expect, test } from 'vitest'
import { CALL_TEXTS, callRefusal, type RequestParts } from './call-refusals.ts'

const reaction = { reaction: { type: 'like' } }
const direct = (members: unknown) => ({ params: { type: 'messaging' }, body: { data: { members } } })
const search = (payload: object) => ({ query: { payload } })
const profile = (payload: object) => ({ body: { entity_type: 'stream:v1:user_profile', moderation_payload: payload } })

describe('an incomplete request is refused before it is sent', () => {
  test.each<[string, RequestParts, string]>([
    ['SendReaction', { params: { id: '' }, body: reaction }, 'Message id is missing'],
    ['SendReaction', { params: { id: 'm' }, body: { reaction: {} } }, 'Reaction object is missing'],
    ['SendReaction', { params: { id: 'm' }, body: {} }, 'Reaction object is missing'],
    ['DeleteReaction', { params: { id: '', type: 'like' } }, 'Message id is missing'],
    ['DeleteReaction', { params: { id: 'm', type: '' } }, 'Reaction type is missing'],
    ['UpdateMemberPartial', { params: { type: 'team', id: 'a', userId: '' } }, 'User id is missing'],
    [
      'GetOrCreateChannel',
      { params: { type: '', id: 'a' } },
      'Channel or channel type have to be provided to query a channel.',
    ],
    [
      'GetOrCreateChannel',
      { params: { type: 'team', id: '' } },
      'Channel ID or channel members array have to be provided to query a channel.',
    ],
    [
      'GetOrCreateDistinctChannel',
      direct([]),
      'Channel ID or channel members array have to be provided to query a channel.',
    ],
    ['Search', search({ query: 'a', offset: 10, next: 'x' }), CALL_TEXTS.searchCursor],
    ['Search', search({ query: 7 }), CALL_TEXTS.searchQuery],
    ['Check', profile({}), 'Either username or image must be provided'],
  ])('AGR-42 AGR-43 AGR-44 AGR-45 %s with %j: %s', (operation, call, text) =>
    expect(callRefusal(operation, call)).toBe(text),
  )

  test.each(['GetCampaign', 'UpdateCampaign', 'DeleteCampaign', 'StartCampaign', 'StopCampaign'])(
    '%s without an id',
    (operation) => expect(callRefusal(operation, { params: { id: '' } })).toMatch(/^Campaign id is missing/),
  )

  test.each([
    'GetSegment',
    'UpdateSegment',
    'DeleteSegment',
    'AddSegmentTargets',
    'DeleteSegmentTargets',
    'SegmentTargetExists',
    'QuerySegmentTargets',
  ])('%s without an id', (operation) =>
    expect(callRefusal(operation, { params: { id: '', targetId: 'ann' } })).toMatch(/^Segment id is missing/),
  )

  test('whether nobody is in a segment is not asked', () =>
    expect(callRefusal('SegmentTargetExists', { params: { id: 's', targetId: '' } })).toBe(
      'Segment target id is missing',
    ))
})

test.each<[string, RequestParts]>([
  ['SendReaction', { params: { id: 'm' }, body: reaction }],
  ['DeleteReaction', { params: { id: 'm', type: 'like' } }],
  ['UpdateMemberPartial', { params: { type: 'team', id: 'a' } }],
  ['UpdateMemberPartial', { params: { type: 'team', id: 'a', userId: 'u' } }],
  ['GetOrCreateChannel', { params: { type: 'team', id: 'a' } }],
  ['GetOrCreateDistinctChannel', direct(['a', 'b'])],
  ['StopCampaign', { params: { id: 'c' } }],
  ['DeleteSegment', { params: { id: 's' } }],
  ['Search', search({ query: 'a', offset: 10 })],
  ['Search', search({ message_filter_conditions: { text: 'a' }, next: 'x' })],
  ['Check', profile({ texts: ['a name'] })],
  ['Check', { body: { entity_type: 'stream:chat:v1:message' } }],
  ['SendMessage', {}],
])('a complete request is sent: %s', (operation, call) => expect(callRefusal(operation, call)).toBeUndefined())
