import type { Cid } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

export const muteChannel = command('channels/muted', (input: { cid: Cid; muted: boolean }, engine) =>
  engine.channels.mute(input),
)
export const pinChannel = command('channels/pinned', (input: { cid: Cid; pinned: boolean }, engine) =>
  engine.channels.pin(input),
)
/** Out of the viewer's own list, and back. */
export const archiveChannel = command('channels/archived', (input: { cid: Cid; archived: boolean }, engine) =>
  engine.channels.archive(input),
)
/** Back from being hidden. */
export const showChannel = command('channels/shown', ({ cid }: { cid: Cid }, engine) =>
  engine.channels.hide({ cid, hidden: false }),
)
export const markChannelRead = command('channels/read', (input: { cid: Cid }, engine) =>
  engine.channels.markRead(input),
)
export const reloadChannels = command('channels/reloaded', (_input: undefined, engine) => engine.channels.reload())

/** The answer stands in the inbox too, where it stays true. */
export const loadInvites = command('channels/invitesAsked', (_input: undefined, engine) => engine.channels.invites(), {
  quiet: true,
})

/** Refusals of these two stand in the dialog, so they raise no notice. */
export const createChannel = command(
  'channels/created',
  ({ memberIds, ...input }: { name: string; id: string; isPrivate: boolean; memberIds: readonly string[] }, engine) =>
    engine.channels.create({ ...input, memberIds: [...memberIds] }),
  { quiet: true },
)
export const openDirect = command(
  'channels/directOpened',
  ({ userIds }: { userIds: readonly string[] }, engine) => engine.channels.direct({ userIds: [...userIds] }),
  { quiet: true },
)
/** Makes people known who share no channel with the viewer yet. */
export const loadPeople = command('channels/peopleAsked', (_input: undefined, engine) => engine.channels.people(), {
  quiet: true,
})
