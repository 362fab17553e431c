import { createSelector } from '@reduxjs/toolkit'
import type { Channel, Typing } from '#shared/domain/channel.ts'
import type { Message } from '#shared/domain/message.ts'
import type { Session, Connection } from '#shared/domain/session.ts'
import { DEFAULT_SETTINGS, type Settings } from '#shared/domain/settings.ts'
import type { User } from '#shared/domain/user.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { canParticipate } from '#shared/rules/channels/capabilities.ts'
import { selectHostUnavailable } from './window/host.ts'
import { channelNameKey, isMentionableChannel } from '#shared/rules/messages/mentions.ts'
import type { CustomEmoji, EmojiTerms } from '#shared/domain/emoji.ts'
import type { AppState } from './store.ts'

const selectTable = (state: AppState): Readonly<Record<string, CustomEmoji>> => state.entities.emoji

/** Custom emoji of the workspace. */
export const selectEmojiList = createSelector([selectTable], (table): readonly CustomEmoji[] => Object.values(table))

/** Custom emoji by name and alias. */
export const selectEmojiByName = createSelector(
  [selectEmojiList],
  (list): ReadonlyMap<string, CustomEmoji> =>
    new Map(list.flatMap((emoji) => [...emoji.aliases, emoji.name].map((name) => [name, emoji]))),
)

/** The workspace's rules for custom emoji; absent if it does not support them. */
export const selectEmojiTerms = (state: AppState): EmojiTerms | undefined => state.entities.emojiTerms['self']

const SIGNED_OUT: Session = { state: 'signed-out' }
const CONNECTING: Connection = {
  state: 'connecting',
  offline: false,
  transport: 'websocket',
  serverRestarting: false,
}

export const selectSettings = (state: AppState): Settings => state.entities.settings['self'] ?? DEFAULT_SETTINGS
export const selectSession = (state: AppState): Session => state.entities.session['self'] ?? SIGNED_OUT
/** Whether the viewer has a full account; a guest can only read. */
export const selectCanParticipate = (state: AppState): boolean => canParticipate(selectSession(state))
export const selectConnection = (state: AppState): Connection => state.entities.connection['self'] ?? CONNECTING

/**
 * How the viewer appears in this window. Unlike the banner it follows a lost connection at once, as the presence of
 * everyone else does.
 */
export const selectOwnPresence = (state: AppState): 'online' | 'connecting' | 'offline' => {
  const { state: line, offline, blocked } = selectConnection(state)
  if (offline || blocked !== undefined || selectHostUnavailable(state)) return 'offline'
  return line === 'healthy' ? 'online' : 'connecting'
}

export const selectChannel = (state: AppState, cid: string): Channel | undefined => state.entities.channels[cid]
export const selectMessage = (state: AppState, id: string): Message | undefined => state.entities.messages[id]

export const selectUser = (state: AppState, id: string | undefined): User | undefined =>
  id === undefined ? undefined : state.entities.users[id]

export const selectMe = (state: AppState): User | undefined => selectUser(state, selectSession(state).userId)

export const selectTypists = (state: AppState, key: string): Typing['people'] =>
  state.entities.typing[key]?.people ?? NO_TYPISTS

const NO_TYPISTS: Typing['people'] = []

/** The thread on screen, if any: in the main sheet, else in the panel. */
export function selectOpenThread({ ui }: AppState): { readonly cid: Cid; readonly parentId: MessageId } | undefined {
  const { route, panel } = ui
  if (route.view === 'thread') return route
  return panel?.kind === 'thread' ? panel : undefined
}

/** The channel in the main sheet, if any. */
export const selectRouteCid = ({ ui }: AppState): Cid | undefined =>
  ui.route.view === 'channel' ? ui.route.cid : undefined

/** The channel in use: that of the main sheet, or of the other half while it has the focus. */
export const selectOpenCid = (state: AppState): Cid | undefined =>
  state.ui.inSplit === true ? state.ui.split : selectRouteCid(state)

/** The channel on screen in the half without the focus. */
export function selectOtherHalf(state: AppState): Cid | undefined {
  if (state.ui.panel?.kind !== 'channel') return undefined
  return state.ui.inSplit === true ? selectRouteCid(state) : state.ui.split
}

type Nameable = Pick<Channel, 'cid' | 'name' | 'isPrivate'>

/**
 * Channels that a text can mention. Nearly every event changes a channel, but rarely its name: selectors based on this are
 * recomputed only when a name changes.
 */
export const selectNameable = createSelector(
  [(state: AppState) => state.entities.channels],
  (channels): readonly Nameable[] => Object.values(channels).filter(isMentionableChannel),
  { memoizeOptions: { resultEqualityCheck: areNamedAlike } },
)

function areNamedAlike(a: readonly Nameable[], b: readonly Nameable[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ cid, name, isPrivate }, at) => {
      const other = b[at]
      return cid === other?.cid && name === other.name && isPrivate === other.isPrivate
    })
  )
}

/** Cids by {@link channelNameKey}. Of two channels with the same name the first: the text does not tell them apart. */
export const selectCidsByChannelName = createSelector(
  [selectNameable],
  (channels): ReadonlyMap<string, Channel['cid']> =>
    new Map(channels.toReversed().map(({ cid, name }) => [channelNameKey(name), cid])),
)
