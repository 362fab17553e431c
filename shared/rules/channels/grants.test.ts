import { describe, expect, test } from 'vitest'
import {
  capabilitiesOf,
  type CapabilityInput,
  changedGrants,
  GRANTABLE,
  grantsInForce,
  NEEDED_FLAGS,
  type RightsFlags,
  shownCapabilities,
  verdictOn,
} from './grants.ts'

const ALL_ON = Object.fromEntries(NEEDED_FLAGS.map((flag) => [flag, true])) as unknown as RightsFlags

const input = (changes: Partial<CapabilityInput>): CapabilityInput => ({
  type: 'messaging',
  appRole: 'user',
  channelRole: 'channel_member',
  isCreator: false,
  isPrivate: false,
  banned: false,
  frozen: false,
  cooldown: 0,
  flags: ALL_ON,
  ...changes,
})

const CASES: readonly [name: string, who: Partial<CapabilityInput>, capability: string, granted: boolean][] = [
  ['a member sends', {}, 'send-message', true],
  ['a member pins in messaging', {}, 'pin-message', true],
  ['a member does not edit others', {}, 'update-any-message', false],
  ['a member does not change the channel', {}, 'update-channel', false],
  ['a stranger does not read messaging', { channelRole: undefined }, 'read-channel', false],
  ['a stranger may create', { channelRole: undefined }, 'create-channel', true],
  ['a stranger reads a team', { type: 'team', channelRole: undefined }, 'read-channel', true],
  ['a stranger does not write in a team', { type: 'team', channelRole: undefined }, 'send-message', false],
  ['a stranger does not read commerce', { type: 'commerce', channelRole: undefined }, 'read-channel', false],
  ['a stranger writes in a livestream', { type: 'livestream', channelRole: undefined }, 'send-message', true],
  ['a stranger does not write in gaming', { type: 'gaming', channelRole: undefined }, 'send-message', false],
  ['only admins create gaming channels', { type: 'gaming', channelRole: undefined }, 'create-channel', false],
  ['the creator changes the channel', { isCreator: true }, 'update-channel', true],
  ['the creator deletes the channel', { isCreator: true }, 'delete-channel', true],
  ['a creator who left loses their rights', { isCreator: true, channelRole: undefined }, 'update-channel', false],
  ['a moderator edits others', { channelRole: 'channel_moderator' }, 'update-any-message', true],
  ['a moderator does not delete the channel', { channelRole: 'channel_moderator' }, 'delete-channel', false],
  ['an admin does everything', { appRole: 'admin', channelRole: undefined }, 'delete-channel', true],
  ['a banned member does not send', { banned: true }, 'send-message', false],
  ['a banned member still reads', { banned: true }, 'read-channel', true],
  ['a frozen channel takes no messages', { frozen: true }, 'send-message', false],
  ['a frozen channel still takes uploads', { frozen: true }, 'upload-file', true],
  ['slow mode binds a member', { cooldown: 5 }, 'slow-mode', true],
  ['slow mode does not bind the creator', { cooldown: 5, isCreator: true }, 'slow-mode', false],
  ['anonymous users do not read messaging', { appRole: 'anonymous', channelRole: undefined }, 'read-channel', false],
  ['a guest member writes', { appRole: 'guest' }, 'send-message', true],
  ['a guest member uploads nothing', { appRole: 'guest' }, 'upload-file', false],
]

test.each(CASES)('%s', (_name, who, capability, granted) => {
  expect(capabilitiesOf(input(who)).has(capability)).toBe(granted)
})

test('a feature that is off removes its capability, and internal names are not shown', () => {
  const can = capabilitiesOf(input({ flags: { ...ALL_ON, reactions: false } }))
  expect(can.has('send-reaction')).toBe(false)
  expect(can.has('send-reply')).toBe(true)
  expect(shownCapabilities(can)).not.toContain('read-channel')
})

test('a role with an empty list of grants has no rights', () => {
  expect(capabilitiesOf(input({ grants: { channel_member: [] } })).has('send-message')).toBe(false)
})

describe('the reason', () => {
  const PEOPLE: readonly Partial<CapabilityInput>[] = [
    {},
    { channelRole: undefined },
    { channelRole: 'channel_moderator' },
    { channelRole: 'own-role', grants: { 'own-role': ['read-channel', 'pin-message'] } },
    { isCreator: true },
    { appRole: 'admin', channelRole: undefined },
    { appRole: 'moderator', channelRole: undefined },
    { appRole: 'guest' },
    { appRole: 'anonymous', channelRole: undefined },
  ]
  const PLACES: readonly Partial<CapabilityInput>[] = [
    {},
    { frozen: true },
    { banned: true },
    { cooldown: 5 },
    { isPrivate: true },
    { type: 'team', isPrivate: true },
    { type: 'livestream', flags: { ...ALL_ON, polls: false, uploads: false } },
  ]

  test('agrees with the rights themselves, for everyone and everywhere', () => {
    for (const who of PEOPLE) {
      for (const where of PLACES) {
        const given = input({ ...who, ...where })
        const can = capabilitiesOf(given)
        const allowed = GRANTABLE.filter((right) => verdictOn(given, right).can)
        expect(allowed, JSON.stringify([who, where])).toEqual(GRANTABLE.filter((right) => can.has(right)))
      }
    }
  })

  test('names the role, the place or the state that decides', () => {
    const of = (who: Partial<CapabilityInput>, right = 'send-message') => verdictOn(input(who), right)
    expect(of({})).toEqual({ can: true, by: 'channel-role' })
    expect(of({ isCreator: true }, 'delete-channel')).toEqual({ can: true, by: 'creator' })
    expect(of({ appRole: 'admin' })).toEqual({ can: true, by: 'app-role' })
    expect(of({ channelRole: undefined })).toEqual({ can: false, why: 'role' })
    expect(of({ type: 'team', channelRole: undefined, isPrivate: true }, 'read-channel')).toEqual({
      can: false,
      why: 'private',
    })
    expect(of({ frozen: true })).toEqual({ can: false, why: 'frozen' })
    expect(of({ banned: true })).toEqual({ can: false, why: 'ban' })
    expect(of({ flags: { ...ALL_ON, polls: false } }, 'send-poll')).toEqual({ can: false, why: 'feature' })
    expect(of({ cooldown: 5 })).toEqual({ can: true, by: 'channel-role', slow: true })
    expect(of({ cooldown: 5, isCreator: true })).toEqual({ can: true, by: 'channel-role' })
  })
})

describe('changed rights', () => {
  const grants = grantsInForce('team', undefined)

  test('change single cells and leave everything else as it is', () => {
    const next = changedGrants(grants, [
      { role: 'channel_member', right: 'notify-channel', on: false },
      { role: 'guest', right: 'pin-message', on: true },
    ])
    expect(next['channel_member']).toEqual(grants['channel_member']?.filter((name) => name !== 'notify-channel'))
    expect(next['guest']).toEqual(['pin-message'])
    expect(next['owner']).toEqual(grants['owner'])
  })

  test('are not applied twice', () => {
    const change = { role: 'channel_member', right: 'send-message', on: true }
    expect(changedGrants(grants, [change])).toEqual(grants)
  })

  test('never take from administrators what they need to run the workspace', () => {
    const change = { role: 'admin', right: 'update-channel-members', on: false }
    expect(changedGrants(grants, [change])['admin']).toContain('update-channel-members')
  })
})
