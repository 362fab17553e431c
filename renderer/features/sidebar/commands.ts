import { nanoid } from '@reduxjs/toolkit'
import type { Cid } from '#shared/lib/brand.ts'
import { command } from '../../store/command.ts'
import { noticeRaised } from '../../store/window/notices.ts'
import type { AppState, Thunk } from '../../store/store.ts'
import { changedSince, rememberDone, UNDO_MS, undoOn, type Undoable } from '../../store/window/recent.ts'
import { muteBefore } from '../people/index.ts'
import { channelTitle } from './selectors.ts'

/** `forMs`: ends by itself after this time. */
export const muteChannel = command(
  'channels/muted',
  (input: { cid: Cid; muted: boolean; forMs?: number }, engine) => engine.channels.mute(input),
  {
    undo: ({ cid, muted }, before) => ({
      code: muted ? 'channel/muted' : 'channel/unmuted',
      params: { name: channelTitle(before, cid) },
      undo: ({ engine }) => engine.channels.mute({ cid, ...muteBefore(before.entities.channels[cid]) }),
    }),
  },
)

type Pinning = { cid: Cid; pinned: boolean }

export const pinChannel = command('channels/pinned', (input: Pinning, engine) => engine.channels.pin(input), {
  undo: ({ cid, pinned }, before) => ({
    code: pinned ? 'channel/pinned' : 'channel/unpinned',
    params: { name: channelTitle(before, cid) },
    undo: ({ engine }) => engine.channels.pin({ cid, pinned: !pinned }),
  }),
})
/** As a part of a move, which is undone as a whole. */
export const pinWithMove = command('channels/pinned', (input: Pinning, engine) => engine.channels.pin(input))

/** Archives or unarchives a channel for the viewer. */
export const archiveChannel = command(
  'channels/archived',
  (input: { cid: Cid; archived: boolean }, engine) => engine.channels.archive(input),
  {
    undo: ({ cid, archived }, before) => ({
      code: archived ? 'channel/archived' : 'channel/unarchived',
      params: { name: channelTitle(before, cid) },
      noticeMs: UNDO_MS,
      undo: ({ engine }) => engine.channels.archive({ cid, archived: !archived }),
    }),
  },
)
/** Shows a hidden channel again. */
export const showChannel = command(
  'channels/shown',
  ({ cid }: { cid: Cid }, engine) => engine.channels.hide({ cid, hidden: false }),
  {
    undo: ({ cid }, before) => ({
      code: 'channel/shown',
      params: { name: channelTitle(before, cid) },
      undo: ({ engine }) => engine.channels.hide({ cid, hidden: true }),
    }),
  },
)
/** Automatically, by looking at it: not an action of the user. */
export const markSeenRead = command('channels/seen', (input: { cid: Cid }, engine) => engine.channels.markRead(input))

/** At the request of the user: it can be undone. */
export const markChannelRead = command(
  'channels/read',
  ({ cid }: { cid: Cid }, engine) => engine.channels.markManyRead({ cids: [cid] }),
  { undo: ({ cid }, before) => readUndo(before, [cid]) },
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

/** Says that a channel was hidden whose history was cleared, which cannot be undone. */
export const notifyCleared =
  ({ cid }: { readonly cid: Cid }): Thunk<void> =>
  (dispatch, getState) => {
    dispatch(
      noticeRaised({
        id: `local-${nanoid()}`,
        code: 'channel/hidden',
        params: { name: channelTitle(getState(), cid) },
        type: 'channels:hidden',
        severity: 'success',
        createdAt: Date.now(),
      }),
    )
  }

const readAll = command('channels/allRead', (_input: undefined, engine) => engine.channels.markAllRead())
const readMany = command('channels/someRead', (input: { readonly cids: readonly Cid[] }, engine) =>
  engine.channels.markManyRead({ cids: [...input.cids] }),
)

/** How marking these channels as read is undone; absent: none was unread. */
function readUndo(before: AppState, cids: readonly Cid[], noticeMs?: number): Undoable | undefined {
  const unread = cids.filter((cid) => (before.entities.channels[cid]?.unread ?? 0) > 0)
  const [first] = unread
  if (first === undefined) return undefined
  const one = unread.length === 1
  return {
    code: one ? 'channel/read' : 'unread/all-read',
    params: one ? { name: channelTitle(before, first) } : { count: unread.length },
    subject: one ? readSubject(first) : undefined,
    noticeMs,
    undo: async ({ engine }) => {
      if ((await engine.channels.undoRead({ cids: unread })) === 0) throw changedSince()
    },
  }
}

const readSubject = (cid: Cid): string => `read ${cid}`

/** Marks everything read, or these channels, and offers to undo it. */
export function markAllRead(cids?: readonly Cid[]): Thunk<Promise<void>> {
  return async (dispatch, getState) => {
    const before = getState()
    const marked = await dispatch(cids === undefined ? readAll(undefined) : readMany({ cids }))
    if (!marked.ok) return
    const all = cids ?? Object.values(before.entities.channels).map(({ cid }) => cid)
    const undo = marked.value === 0 ? undefined : readUndo(before, all, UNDO_MS)
    if (undo !== undefined) return dispatch(rememberDone(undo))
    dispatch(
      noticeRaised({
        id: `local-${nanoid()}`,
        code: 'unread/nothing',
        type: 'channels:read',
        severity: 'info',
        createdAt: Date.now(),
      }),
    )
  }
}

/** Undoes marking a channel as read, for lists with their own Undo: a notice says only that it could not be. */
export const undoRead =
  (cid: Cid): Thunk<Promise<boolean>> =>
  async (dispatch) => {
    const isBack = await dispatch(undoOn(readSubject(cid)))
    if (!isBack) {
      dispatch(
        noticeRaised({
          id: `local-${nanoid()}`,
          code: changedSince().code,
          type: 'channels:read',
          severity: 'warning',
          createdAt: Date.now(),
        }),
      )
    }
    return isBack
  }
