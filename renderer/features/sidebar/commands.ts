import type { Cid } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'

/** How long Undo is offered, in milliseconds. */
export const UNDO_MS = 10_000

export const muteChannel = command('channels/muted', (input: { cid: Cid; muted: boolean }, engine) =>
  engine.channels.mute(input),
)
export const pinChannel = command('channels/pinned', (input: { cid: Cid; pinned: boolean }, engine) =>
  engine.channels.pin(input),
)
/** Archives or unarchives a channel for the viewer. */
export const archiveChannel = command('channels/archived', (input: { cid: Cid; archived: boolean }, engine) =>
  engine.channels.archive(input),
)
/** Shows a hidden channel again. */
export const showChannel = command('channels/shown', ({ cid }: { cid: Cid }, engine) =>
  engine.channels.hide({ cid, hidden: false }),
)
export const markChannelRead = command('channels/read', (input: { cid: Cid }, engine) =>
  engine.channels.markRead(input),
)
export const reloadChannels = command('channels/reloaded', (_input: undefined, engine) => engine.channels.reload())

/** The result is also stored in the inbox entity, which is kept up to date. */
export const loadInvites = command('channels/invitesAsked', (_input: undefined, engine) => engine.channels.invites(), {
  quiet: true,
})

/** Errors of these two are shown in the dialog, so they raise no notice. */
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
/** Loads people who share no channel with the viewer. */
export const loadPeople = command('channels/peopleAsked', (_input: undefined, engine) => engine.channels.people(), {
  quiet: true,
})
