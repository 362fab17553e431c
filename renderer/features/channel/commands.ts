import type { Cid, UserId } from '#shared/lib/brand.ts'
import type { MediaFilter, MediaTabName } from '#shared/domain/channel.ts'
import type { TimeCursor } from '#shared/domain/search.ts'
import { command } from '../../store/command.ts'
import type { AppState } from '../../store/store.ts'
import { UNDO_MS } from '../../store/window/recent.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { channelTitle } from '../sidebar/index.ts'
import { selectName } from '../people/index.ts'

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

/** Panels show errors of loading themselves. */
export const loadMembers = command(
  'channel/membersRequested',
  (input: { cid: Cid; offset?: number; text?: string }, engine) => engine.details.members(input),
  { quiet: true },
)
export const loadAbout = command('channel/aboutAsked', (input: { cid: Cid }, engine) => engine.details.about(input), {
  quiet: true,
})
export const loadHere = command('channel/hereAsked', (input: { cid: Cid }, engine) => engine.details.here(input), {
  quiet: true,
})
type MediaRequest = {
  cid: Cid
  tab: MediaTabName
  text: string
  only: MediaFilter
  cursor?: TimeCursor
  ask: 'cache' | 'server'
}
type MediaPeopleRequest = { cid: Cid; tab: MediaTabName; text: string; ask: 'cache' | 'server' }
export const loadMediaPeople = command(
  'channel/mediaPeopleAsked',
  (input: MediaPeopleRequest, engine) => engine.details.mediaPeople(input),
  { quiet: true },
)
export const loadMedia = command('channel/mediaAsked', (input: MediaRequest, engine) => engine.details.media(input), {
  quiet: true,
})

type Changes = {
  name?: string
  topic?: string
  frozen?: boolean
  cooldown?: number
  typingEvents?: boolean
  sharedLocations?: boolean
}
type Picture = { base64: string; mimeType: 'image/png' | 'image/jpeg' | 'image/webp' }

/** Errors are shown in the form. */
export const saveNames = command(
  'channel/named',
  (input: { cid: Cid; name: string; topic: string }, engine) => engine.channels.update(input),
  { quiet: true },
)
/** By command: errors are raised as a notice. */
export const changeTopic = command('channel/topicChanged', (input: { cid: Cid; name: string; topic: string }, engine) =>
  engine.channels.update(input),
)
export const changeChannel = command('channel/changed', (input: { cid: Cid } & Changes, engine) =>
  engine.channels.update(input),
)
export const setImage = command(
  'channel/pictured',
  (input: { cid: Cid; image?: Picture }, engine) => engine.channels.setImage(input),
  { quiet: true },
)
export const moderate = command(
  'channel/moderated',
  (input: { cid: Cid; userId: UserId; moderator: boolean }, engine) => engine.channels.moderate(input),
)
export const removeMember = command(
  'channel/memberRemoved',
  ({ cid, userId }: { cid: Cid; userId: UserId }, engine) => engine.channels.removeMembers({ cid, userIds: [userId] }),
  {
    undo: ({ cid, userId }, before) => ({
      code: 'member/removed',
      params: {
        name: selectName(before, userId),
        channel: channelTitle(before, cid),
      },
      noticeMs: UNDO_MS,
      undo: ({ engine }) => engine.channels.addMembers({ cid, userIds: [userId] }),
    }),
  },
)

const isOpen = ({ ui: { route } }: AppState, cid: Cid): boolean => route.view === 'channel' && route.cid === cid

/** Errors of these are shown in their dialog. */
export const leaveChannel = command('channel/left', (input: { cid: Cid }, engine) => engine.channels.leave(input), {
  quiet: true,
  undo: ({ cid }, before) => ({
    code: 'channel/left',
    params: { name: channelTitle(before, cid) },
    noticeMs: UNDO_MS,
    undo: async ({ engine, dispatch }) => {
      await engine.channels.join({ cid })
      if (isOpen(before, cid)) dispatch(routeOpened({ view: 'channel', cid }))
    },
  }),
})
export const deleteChannel = command(
  'channel/deleted',
  (input: { cid: Cid }, engine) => engine.channels.delete(input),
  { quiet: true },
)
export const clearHistory = command(
  'channel/cleared',
  (input: { cid: Cid }, engine) => engine.channels.clearHistory(input),
  { quiet: true },
)
export const hideChannel = command(
  'channel/hidden',
  ({ cid, clearHistory: clear }: { cid: Cid; clearHistory: boolean }, engine) =>
    engine.channels.hide({ cid, hidden: true, clearHistory: clear }),
  {
    quiet: true,
    undo: ({ cid, clearHistory: clear }, before) =>
      clear
        ? undefined
        : {
            code: 'channel/hidden',
            params: { name: channelTitle(before, cid) },
            noticeMs: UNDO_MS,
            // Unread state and section were not changed.
            undo: async ({ engine, dispatch }) => {
              await engine.channels.hide({ cid, hidden: false })
              if (isOpen(before, cid)) dispatch(routeOpened({ view: 'channel', cid }))
            },
          },
  },
)
export const addPeople = command(
  'channel/peopleAdded',
  ({ how, ...input }: { cid: Cid; userIds: UserId[]; how: 'add' | 'invite' }, engine) =>
    how === 'add' ? engine.channels.addMembers(input) : engine.channels.invite(input),
  { quiet: true },
)
