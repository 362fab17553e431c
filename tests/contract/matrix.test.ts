import { afterAll, describe, expect, test } from 'vitest'
import { CAPABILITIES } from '#main/server/rules/capabilities.ts'
import { routes } from '#main/server/routes/index.ts'
import { makeMatrixWorld, ROLE_NAMES, SAMPLES } from './matrix.ts'

/**
 * Who may do what, one mark per role in the order of ROLE_NAMES: anonymous, guest, stranger, member, channel moderator,
 * channel creator, app moderator, admin, banned, shadow banned. `.` allowed, `7` code 17, `6` code 16.
 * Source: reliability paper 5.4, wire contract 8.2.
 */
const EXPECTED: Readonly<Record<string, string>> = {
  GetApp: '7.........',
  UpdateApp: '7777777777',
  ListChannelTypes: '7777777777',
  CreateChannelType: '7777777777',
  UpdateChannelType: '7777777777',
  ListCommands: '7.........',
  CreateCommand: '7777777777',
  CreateRole: '7777777777',
  ListPermissions: '7777777777',
  CreateBlockList: '7777777777',
  CreateUserGroup: '7777777.77',
  ListUserGroups: '7.........',
  QueryUsers: '7.........',
  UpdateUsers: '7777777777',
  UpdateUsersPartial: '7777777777',
  DeleteUser: '7777777777',
  DeleteUsers: '7777777777',
  DeactivateUser: '7777777777',
  ExportUser: '7777777777',
  SendUserCustomEvent: '7777777777',
  BlockUsers: '7.........',
  CreateDevice: '7.........',
  QueryMembers: '777.......',
  QueryChannels: '7.........',
  GetOrCreateChannel: '777.......',
  GetChannel: '777.......',
  UpdateChannel: '7777....77',
  UpdateChannelPartial: '7777....77',
  DeleteChannel: '77777.7.77',
  TruncateChannel: '7777....77',
  HideChannel: '777...77..',
  UpdateMemberPartial: '7777....77',
  MarkRead: '777...77..',
  SendEvent: '777.....7.',
  SendMessage: '777.....7.',
  GetMessage: '777.......',
  UpdateMessage: '7777.7..77',
  DeleteMessage: '7777.7..77',
  GetManyMessages: '777.......',
  GetPinnedMessages: '777.......',
  GetReplies: '777.......',
  SendReaction: '777.....7.',
  MuteChannel: '777.......',
  MuteUser: '7.........',
  Ban: '7777....77',
  Unban: '7777....77',
  QueryBannedUsers: '7777....77',
  Flag: '777.......',
  QueryMessageFlags: '777777..77',
  QueryReviewQueue: '777777..77',
  SubmitAction: '7777776677',
  UpsertConfig: '7777777.77',
  CreateCampaign: '7777777777',
  CreateSegment: '7777777777',
  GetTask: '7777777777',
}

const world = makeMatrixWorld()
afterAll(() => world.close())

const WORDS: Readonly<Record<string, string>> = { '.': 'is allowed', 7: 'is refused with 17', 6: 'is refused with 16' }

test('every sample has its line in the matrix', () => {
  expect(Object.keys(EXPECTED).toSorted()).toEqual(Object.keys(SAMPLES).toSorted())
})

describe.each(Object.entries(EXPECTED))('%s', (operation, marks) => {
  const got = world.row(operation, SAMPLES[operation] ?? {})
  test.each(ROLE_NAMES.map((role, at) => [role, WORDS[marks[at] ?? ''] ?? '?', at] as const))(
    'by %s %s',
    (_role, _words, at) => {
      expect(got[at]).toBe(marks[at])
    },
  )
})

const OPEN = new Set(['Hi', 'CreateGuest'])

test.each(routes.filter(({ operation }) => !OPEN.has(operation)).map((route) => [route.operation, route] as const))(
  '%s is refused with 17 to somebody without a token',
  (_operation, route) => {
    expect(world.attempt(route, { userId: '', kind: 'anonymous' }).code).toBe(17)
  },
)

test('the server knows the 42 capabilities of the contract', () => {
  expect(CAPABILITIES.length).toBe(42)
  expect(new Set(CAPABILITIES).size).toBe(42)
})

test('nothing broke on the way', () => {
  expect(world.failures).toEqual([])
})
