import type { Cid } from '#shared/lib/brand.ts'
import type sidebar from '../../../resources/locales/en/sidebar.json'
import { pressNewButton } from '../../lib/page/focus.ts'
import { part } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { selectCanParticipate, selectOpenCid, selectSettings } from '../../store/selectors.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { openChannel } from '../windows/index.ts'
import { updateSettings } from '../settings/index.ts'
import { arrange } from './arranging.ts'
import { markChannelRead, markAllRead } from './commands.ts'
import { isLoud, selectConversationOrder } from './selectors.ts'
import { SIDEBAR_PARTS } from './parts.ts'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    'new-channel': NoProps
    'new-direct': NoProps
    /** A custom sidebar section: new, or `id` to rename; `cid`: a channel to move into it. */
    folder: { readonly id?: string; readonly cid?: Cid }
    'delete-folder': { readonly id: string }
  }
  interface Actions {
    nextConversation: void
    previousConversation: void
    nextUnread: void
    previousUnread: void
    newChannel: void
    newMessage: void
    markRead: void
    markAllRead: void
    unreadOnly: void
    newSection: void
    moveUp: void
    sidebar: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    sidebar: typeof sidebar
  }
}

/** Opens the neighbor of the open conversation in sidebar order, around the ends. */
const step =
  (direction: 1 | -1, unreadOnly: boolean) =>
  ({ dispatch, getState }: ActionContext): void => {
    const state = getState()
    const order = selectConversationOrder(state)
    const here = order.indexOf(selectOpenCid(state) ?? '')
    for (let away = 1; away <= order.length; away++) {
      const cid = order[(here + direction * away + order.length * 2) % order.length]
      const channel = cid === undefined ? undefined : state.entities.channels[cid]
      if (channel === undefined || (unreadOnly && !isLoud(channel))) continue
      dispatch(openChannel(channel.cid, 'here'))
      return
    }
  }

function markOpenRead({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  if (cid !== undefined) void dispatch(markChannelRead({ cid }))
}

function toggleSidebar({ dispatch, getState }: ActionContext): void {
  void dispatch(updateSettings({ sidebarCollapsed: !selectSettings(getState()).sidebarCollapsed }))
}

export const sidebarFeature = defineFeature({
  localeAreas: ['sidebar'],
  dialogs: {
    'new-channel': part(async () => (await import('./dialogs/NewChannelDialog.tsx')).NewChannelDialog),
    'new-direct': part(async () => (await import('./dialogs/NewChannelDialog.tsx')).NewDirectDialog),
    folder: part(async () => (await import('./dialogs/FolderDialog.tsx')).FolderDialog),
    'delete-folder': part(async () => (await import('./dialogs/FolderDialog.tsx')).DeleteFolderDialog),
  },
  actions: {
    nextConversation: { chords: ['Alt+ArrowDown'], group: 'navigation', order: 40, run: step(1, false) },
    previousConversation: { chords: ['Alt+ArrowUp'], group: 'navigation', order: 50, run: step(-1, false) },
    nextUnread: {
      chords: ['Alt+Shift+ArrowDown', 'F8'],
      group: 'navigation',
      order: 60,
      allowed: selectCanParticipate,
      run: step(1, true),
    },
    previousUnread: {
      chords: ['Alt+Shift+ArrowUp', 'Shift+F8'],
      group: 'navigation',
      order: 70,
      allowed: selectCanParticipate,
      run: step(-1, true),
    },
    // On a page that lists something else, what is new there.
    newMessage: {
      chords: ['Mod+N', 'Mod+Shift+K'],
      group: 'navigation',
      order: 100,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void (pressNewButton() || dispatch(dialogOpened({ kind: 'new-direct' }))),
    },
    newChannel: {
      chords: [],
      group: 'navigation',
      order: 110,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'new-channel' })),
    },
    markRead: {
      chords: [],
      group: 'navigation',
      order: 240,
      allowed: selectCanParticipate,
      inOwnWindow: true,
      run: markOpenRead,
    },
    markAllRead: {
      chords: ['Shift+Escape'],
      group: 'navigation',
      order: 250,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(markAllRead()),
    },
    unreadOnly: {
      chords: [],
      group: 'navigation',
      order: 280,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(arrange((plan) => ({ ...plan, unreadOnly: !plan.unreadOnly }))),
    },
    newSection: {
      chords: [],
      group: 'navigation',
      order: 290,
      run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'folder' })),
    },
    moveUp: { chords: ['Mod+Shift+ArrowUp', 'Mod+Shift+ArrowDown'], group: 'navigation', order: 300 },
    sidebar: { chords: ['Mod+Shift+D'], group: 'window', order: 370, run: toggleSidebar },
  },
  warmFirst() {
    for (const { warm } of SIDEBAR_PARTS) warm()
  },
})
