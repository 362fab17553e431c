import { nanoid } from '@reduxjs/toolkit'
import type { Cid } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'
import { noticeRaised } from '../../store/window/notices.ts'
import type { Thunk } from '../../store/store.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { channelTitle } from './selectors.ts'

/** How long Undo is offered, in milliseconds. */
const UNDO_MS = 10_000

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

type HiddenChannel = { readonly cid: Cid; readonly wasOpen: boolean; readonly cleared: boolean }
/** Shows that a channel was hidden, with Undo unless its history was cleared. */
export const notifyHidden =
  ({ cid, wasOpen, cleared }: HiddenChannel): Thunk<void> =>
  (dispatch, getState) => {
    dispatch(
      noticeRaised({
        id: `local-${nanoid()}`,
        code: 'channel/hidden',
        params: {
          name: channelTitle(getState(), cid),
          ...(cleared ? {} : { hiddenCid: cid, wasOpen: Number(wasOpen) }),
        },
        type: 'channels:hidden',
        severity: 'success',
        createdAt: Date.now(),
        durationMs: cleared ? undefined : UNDO_MS,
      }),
    )
  }

/** Shows a hidden channel again, and opens it if it was open. Unread state and section were not changed. */
export const undoHide =
  (cid: Cid, wasOpen: boolean): Thunk<Promise<void>> =>
  async (dispatch) => {
    const shown = await dispatch(showChannel({ cid }))
    if (shown.ok && wasOpen) dispatch(routeOpened({ view: 'channel', cid }))
  }

const readAll = command('channels/allRead', (_input: undefined, engine) => engine.channels.markAllRead())
const readMany = command('channels/manyRead', (input: { readonly cids: readonly Cid[] }, engine) =>
  engine.channels.markManyRead({ cids: [...input.cids] }),
)
const undo = command('channels/readUndone', (input: { readonly cids?: readonly Cid[] }, engine) =>
  engine.channels.undoRead(input.cids === undefined ? {} : { cids: [...input.cids] }),
)

/** Marks everything read, or these channels, and offers to undo it. */
export function markAllRead(cids?: readonly Cid[]): Thunk<Promise<void>> {
  return async (dispatch) => {
    const marked = await dispatch(cids === undefined ? readAll(undefined) : readMany({ cids }))
    if (!marked.ok) return
    const count = marked.value
    dispatch(
      noticeRaised({
        id: `local-${nanoid()}`,
        code: count === 0 ? 'unread/nothing' : 'unread/all-read',
        params: { count },
        type: 'channels:read',
        severity: count === 0 ? 'info' : 'success',
        createdAt: Date.now(),
        ...(count === 0 ? {} : { actionId: 'undoRead' as const, durationMs: UNDO_MS }),
      }),
    )
  }
}

/** Undoes marking read: the last action, or these channels. */
export const undoRead =
  (cids?: readonly Cid[]): Thunk<Promise<boolean>> =>
  async (dispatch) =>
    (await dispatch(undo(cids === undefined ? {} : { cids }))).ok

/** Without a notice, for lists with their own Undo. */
export const markManyRead = readMany
