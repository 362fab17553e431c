import { expect, test } from 'vitest'
import { capabilitiesOf, shownCapabilities, type CapabilityInput } from './capabilities.ts'
import { NEW_TYPE, withFlags } from './channel-types.ts'
import { distinctId } from './channels.ts'

const input = (changes: Partial<CapabilityInput>): CapabilityInput => ({
  type: 'messaging',
  appRole: 'user',
  channelRole: 'channel_member',
  isCreator: false,
  isPrivate: false,
  banned: false,
  frozen: false,
  cooldown: 0,
  flags: NEW_TYPE,
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
  const flags = withFlags(NEW_TYPE, { reactions: false, replies: 'no', automod: 'x' }, 'channel')
  const can = capabilitiesOf(input({ flags }))
  expect(can.has('send-reaction')).toBe(false)
  expect(can.has('send-reply')).toBe(true)
  expect(flags.automod).toBe('disabled')
  expect(shownCapabilities(can)).not.toContain('read-channel')
})

test('the same users have the same distinct id in any order', () => {
  expect(distinctId(['b', 'a', 'a'])).toBe(distinctId(['a', 'b']))
  expect(distinctId(['a', 'b'])).not.toBe(distinctId(['a', 'c']))
})
