import type { Json } from '#main/server/http/json.ts'
import { CID, ONE, payload, uploadUrl } from './things.ts'
import type { Row } from './rows.ts'

const list = (filter_conditions: Json) => ({ body: { filter_conditions } })
const change = (body: Json) => ({ params: ONE, body })

/** Source: wire contract 3.2, 3.10, 3.12 "members", 8.2 table A. */
export const CHANNEL_ROWS: readonly Row[] = [
  ['QueryChannels', '000000..00', list({}), CID],
  ['QueryChannels: own ones', '0--...--..', (who) => list({ members: { $in: [who] } }), CID],
  ['QueryChannels: somebody else’s', '000000..00', list({ members: { $in: ['victim'] } }), CID],
  ['QueryChannels: by a type of private ones', '000000..00', list({ type: 'messaging' }), CID],
  ['QueryChannels: by a type of open ones', '00........', list({ type: 'team' }), 'team:open'],
  ['QueryChannels: of broadcasts', '..........', list({ type: 'livestream' }), 'livestream:open'],
  ['QueryChannels: one by its name', '---.......', list({ cid: CID }), CID],
  ['GetChannel', '777.......', { params: ONE }, CID],
  ['GetChannel: an open one', '77........', { params: { type: 'team', id: 'open' } }, 'team:open'],
  ['GetChannel: a broadcast', '..........', { params: { type: 'livestream', id: 'open' } }, 'livestream:open'],
  ['GetOrCreateChannel', '777.......', { params: ONE, body: {} }, CID],
  [
    'GetOrCreateChannel: a new one',
    '77........',
    (who) => ({ params: { type: 'messaging', id: 'new' }, body: { data: { members: [who, 'victim'] } } }),
  ],
  [
    'GetOrCreateChannel: a new broadcast',
    '7777777.77',
    (who) => ({ params: { type: 'livestream', id: 'new' }, body: { data: { members: [who] } } }),
  ],
  [
    'GetOrCreateDistinctChannel',
    '77........',
    (who) => ({ params: { type: 'messaging' }, body: { data: { members: [who, 'victim'] } } }),
  ],
  ['UpdateChannel', '7777....77', change({ data: { color: 'red' } })],
  ['UpdateChannel: nothing', '7777....77', change({})],
  ['UpdateChannel: only a message', '7777....77', change({ message: { text: 'hello' } })],
  ['UpdateChannel: members', '7777....77', change({ add_members: ['extra'] })],
  ['UpdateChannel: moderators', '7777....77', change({ add_moderators: ['victim'] })],
  ['UpdateChannel: invites', '7777....77', change({ invites: ['extra'] })],
  [
    'UpdateChannel: roles',
    '7777....77',
    change({ assign_roles: [{ user_id: 'victim', channel_role: 'channel_moderator' }] }),
  ],
  ['UpdateChannel: others leave', '7777....77', change({ remove_members: ['victim'] })],
  ['UpdateChannel: slow mode', '7777....77', change({ cooldown: 10 })],
  ['UpdateChannel: frozen', '7777....77', change({ data: { frozen: true } })],
  [
    'UpdateChannel: rights of its own',
    '7777777.77',
    change({ data: { config_overrides: { grants: { user: ['read-channel'] } } } }),
  ],
  ['UpdateChannel: disabled', '7777777.77', change({ data: { disabled: true } })],
  ['UpdateChannelPartial', '7777....77', change({ set: { color: 'red' } })],
  ['UpdateChannelPartial: disabled', '7777777.77', change({ set: { disabled: true } })],
  ['DeleteChannel', '77777.7.77', { params: ONE }],
  ['DeleteChannels', '77777.7.77', { body: { cids: [CID] } }],
  ['TruncateChannel', '7777....77', change({})],
  ['HideChannel', '777...77..', change({})],
  ['ShowChannel', '777...77..', change({})],
  [
    'StopWatchingChannel',
    '..........',
    (who) => ({ params: ONE, query: { connection_id: `conn-${who}` }, body: {} }),
    '',
  ],
  ['UpdateMemberPartial: own', '777...66..', { params: ONE, body: { set: { pinned: true } } }],
  [
    'UpdateMemberPartial: somebody else’s role',
    '7777....77',
    { params: { ...ONE, userId: 'victim' }, body: { set: { channel_role: 'channel_moderator' } } },
  ],
  [
    'UpdateMemberPartial: somebody else’s pin',
    '7777777777',
    { params: { ...ONE, userId: 'victim' }, body: { set: { pinned: true } } },
  ],
  ['UpdateMemberPartial: nothing of somebody else', '7777777777', { params: { ...ONE, userId: 'victim' }, body: {} }],
  ['MarkRead', '777...77..', change({})],
  ['MarkRead: up to a message', '777...77..', change({ message_id: 'm1' })],
  ['MarkUnread', '777...77..', change({ message_id: 'm1' })],
  ['MarkChannelsRead', '7--...--..', { body: {} }],
  ['MarkChannelsRead: one', '777...77..', { body: { read_by_channel: { [CID]: 'm1' } } }],
  ['MarkDelivered', '7--...--..', { body: { latest_delivered_messages: [{ cid: CID, id: 'last' }] } }],
  ['SendEvent: typing', '777.....7.', change({ event: { type: 'typing.start' } }), 'typing.start'],
  ['SendEvent: of one’s own', '777.....7.', change({ event: { type: 'party' } }), 'party'],
  ['QueryMembers', '777.......', payload(ONE), 'victim'],
  ['Sync', '7--.......', { body: { channel_cids: [CID], last_sync_at: '2026-03-01T00:00:00Z' } }, '"m1"'],
  ['DeleteChannelFile', '7777.7..77', { params: ONE, query: { url: uploadUrl('victim') } }],
  ['DeleteChannelFile: own', '777.......', (who) => ({ params: ONE, query: { url: uploadUrl(who) } })],
  ['DeleteChannelImage', '7777.7..77', { params: ONE, query: { url: uploadUrl('victim') } }],
]
