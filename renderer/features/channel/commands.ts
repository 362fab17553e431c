import type { Cid } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

/** Refusals of opening stand in the channel itself. */
export const openChannel = command('channel/opened', (input: { cid: Cid }, engine) => engine.channels.open(input), {
  quiet: true,
})
export const closeChannel = command('channel/closed', (input: { cid: Cid }, engine) => engine.channels.close(input), {
  quiet: true,
})
export const loadMembers = command(
  'channel/membersAsked',
  (input: { cid: Cid }, engine) => engine.channels.members(input),
  {
    quiet: true,
  },
)
export const openPinned = command(
  'channel/pinnedOpened',
  (input: { cid: Cid }, engine) => engine.channels.openPinned(input),
  {
    quiet: true,
  },
)
export const closePinned = command(
  'channel/pinnedClosed',
  (input: { cid: Cid }, engine) => engine.channels.closePinned(input),
  {
    quiet: true,
  },
)
export const unpinMessage = command('channel/unpinned', (input: { messageId: string }, engine) =>
  engine.messages.pin({ ...input, pinned: false }),
)
