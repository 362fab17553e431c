import { routes } from '#main/server/routes/index.ts'
import { inProcess, type Asker, type Call, type InProcess } from './in-process.ts'

/** The ten roles of the permission matrix. Source: reliability paper 5.4. */
export const ROLE_NAMES = [
  'anonymous',
  'guest',
  'stranger',
  'member',
  'moderator',
  'creator',
  'appModerator',
  'admin',
  'banned',
  'shadowBanned',
] as const
export type RoleName = (typeof ROLE_NAMES)[number]

const ONE = { type: 'messaging', id: 'one' }
const MESSAGE = { message: { text: 'hello' } }
const payload = (value: object): Call => ({ query: { payload: { filter_conditions: {}, ...value } } })

/** One request per operation that would be right for somebody who may do it, about other people's things. */
export const SAMPLES: Readonly<Record<string, Call>> = {
  GetApp: {},
  UpdateApp: { body: { name: 'x' } },
  ListChannelTypes: {},
  CreateChannelType: { body: { name: 'fresh' } },
  UpdateChannelType: { params: { name: 'team' }, body: { reactions: true } },
  ListCommands: {},
  CreateCommand: { body: { name: 'fresh', description: 'x' } },
  CreateRole: { body: { name: 'fresh' } },
  ListPermissions: {},
  CreateBlockList: { body: { name: 'x', words: ['x'] } },
  CreateUserGroup: { body: { name: 'x' } },
  ListUserGroups: {},
  QueryUsers: payload({}),
  UpdateUsers: { body: { users: { victim: { name: 'x' } } } },
  UpdateUsersPartial: { body: { users: [{ id: 'victim', set: {} }] } },
  DeleteUser: { params: { id: 'victim' } },
  DeleteUsers: { body: { user_ids: ['victim'] } },
  DeactivateUser: { params: { id: 'victim' } },
  ExportUser: { params: { id: 'victim' } },
  SendUserCustomEvent: { params: { id: 'victim' }, body: { event: { type: 'x' } } },
  BlockUsers: { body: { blocked_user_id: 'victim' } },
  CreateDevice: { body: { id: 'd', push_provider: 'apn' } },
  QueryMembers: payload({ type: 'messaging', id: 'one' }),
  QueryChannels: { body: { filter_conditions: {} } },
  GetOrCreateChannel: { params: ONE, body: {} },
  GetChannel: { params: ONE },
  UpdateChannel: { params: ONE, body: { add_members: ['extra'] } },
  UpdateChannelPartial: { params: ONE, body: { set: { color: 'x' } } },
  DeleteChannel: { params: ONE },
  TruncateChannel: { params: ONE, body: {} },
  HideChannel: { params: ONE, body: {} },
  UpdateMemberPartial: { params: { ...ONE, userId: 'victim' }, body: { set: { channel_role: 'channel_moderator' } } },
  MarkRead: { params: ONE, body: {} },
  SendEvent: { params: ONE, body: { event: { type: 'typing.start' } } },
  SendMessage: { params: ONE, body: MESSAGE },
  GetMessage: { params: { id: 'm1' } },
  UpdateMessage: { params: { id: 'm1' }, body: MESSAGE },
  DeleteMessage: { params: { id: 'm1' } },
  GetManyMessages: { params: ONE, query: { ids: 'm1' } },
  GetPinnedMessages: { params: ONE },
  GetReplies: { params: { id: 'm1' } },
  SendReaction: { params: { id: 'm1' }, body: { reaction: { type: 'like' } } },
  MuteChannel: { body: { channel_cid: 'messaging:one' } },
  MuteUser: { body: { target_id: 'victim' } },
  Ban: { body: { target_user_id: 'victim', channel_cid: 'messaging:one' } },
  Unban: { query: { target_user_id: 'victim', channel_cid: 'messaging:one' } },
  QueryBannedUsers: payload({ filter_conditions: { channel_cid: 'messaging:one' } }),
  Flag: { body: { target_message_id: 'm1' } },
  QueryMessageFlags: payload({}),
  QueryReviewQueue: { body: {} },
  SubmitAction: { body: { action_type: 'mark_reviewed', item_id: 'none' } },
  UpsertConfig: { body: { key: 'k' } },
  CreateCampaign: { body: { sender_id: 'victim', message_template: { text: 'x' } } },
  CreateSegment: { body: { type: 'user' } },
  GetTask: { params: { id: 'none' } },
}

export type MatrixWorld = InProcess & {
  /** What each role gets: `.` allowed, `7` and `6` for codes 17 and 16, `0` for 70, `?` for anything else. */
  row(operation: string, sample: Call): string
}

const MARKS: Readonly<Record<string, string>> = { undefined: '.', 17: '7', 16: '6', 70: '0' }

/** A channel with somebody of every role, a message by somebody else, and everything else there is to be refused. */
export function makeMatrixWorld(): MatrixWorld {
  const world = inProcess()
  const find = (operation: string) => {
    const route = routes.findLast((each) => each.operation === operation)
    if (!route) throw new Error(`no route ${operation}`)
    return route
  }
  const server: Asker = { userId: '', kind: 'server' }
  const must = (operation: string, who: Asker, call: Call) => {
    const { code, reply } = world.call(find(operation), who, call)
    if (code !== undefined) throw new Error(`${operation}: ${JSON.stringify(reply)}`)
  }
  const roles: Readonly<Record<string, string>> = { admin: 'admin', appModerator: 'moderator', guest: 'guest' }
  for (const id of [...ROLE_NAMES, 'victim', 'extra']) {
    must('UpdateUsers', server, { body: { users: { [id]: { role: roles[id] ?? 'user' } } } })
  }
  const members = ['member', 'moderator', 'creator', 'banned', 'shadowBanned', 'victim']
  must('GetOrCreateChannel', { userId: 'creator' }, { params: ONE, body: { data: { members } } })
  must('UpdateChannel', server, { params: ONE, body: { add_moderators: ['moderator'], user_id: 'creator' } })
  for (const id of ['banned', 'shadowBanned']) {
    const shadow = id === 'shadowBanned'
    must('Ban', server, { body: { target_user_id: id, channel_cid: 'messaging:one', shadow } })
  }
  must('SendMessage', { userId: 'victim' }, { params: ONE, body: { message: { id: 'm1', text: 'x' } } })
  const asker = (role: RoleName): Asker => (role === 'anonymous' ? { userId: '', kind: 'anonymous' } : { userId: role })
  return {
    ...world,
    row: (operation, sample) =>
      ROLE_NAMES.map((role) => {
        const { code } = world.attempt(find(operation), asker(role), sample)
        return MARKS[String(code)] ?? '?'
      }).join(''),
  }
}
