import type { Cid } from '#shared/lib/brand.ts'
import { GENERAL_CID } from '#shared/rules/channels/channels.ts'
import type channel from '../../../resources/locales/en/channel.json'
import type details from '../../../resources/locales/en/details.json'
import type gettingStarted from '../../../resources/locales/en/getting-started.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { selectOpenCid, selectSession } from '../../store/selectors.ts'
import { panelClosed, panelOpened } from '../../store/window/ui.ts'
import type { AppState } from '../../store/store.ts'
import { ChannelView } from './ChannelView.tsx'
import { GettingStarted, reopenGuide, selectGuide } from './getting-started/guide.tsx'

declare module '../../store/window/kinds.ts' {
  interface Panels {
    pinned: { readonly cid: Cid }
    members: { readonly cid: Cid }
    /** The details of a channel, or one page of them. */
    info: { readonly cid: Cid; readonly page?: 'media' | 'files' | 'links' | 'polls' | 'settings' }
  }
  interface Dialogs {
    /** An action on a channel that needs a confirmation or a form. */
    channel: { readonly what: 'leave' | 'delete' | 'clear' | 'hide' | 'people'; readonly cid: Cid }
  }
  interface Actions {
    details: void
    gettingStarted: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    channel: typeof channel
    details: typeof details
    'getting-started': typeof gettingStarted
  }
}

/** Toggles the details of the open channel. */
function toggleDetails({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  if (cid === undefined) return
  const { panel } = getState().ui
  dispatch(panel?.kind === 'info' && panel.page === undefined ? panelClosed() : panelOpened({ kind: 'info', cid }))
}

/** Own workspaces that still have the channel they began with. */
const hasGuide = (state: AppState): boolean => {
  const { workspace } = selectSession(state)
  return workspace?.kind === 'local' && !workspace.demo && state.entities.channels[GENERAL_CID] !== undefined
}

export const channelFeature = defineFeature({
  localeAreas: ['channel', 'details', 'getting-started'],
  routes: { channel: { component: ChannelView } },
  panels: {
    channel: { component: ({ cid }) => <ChannelView cid={cid} beside /> },
    pinned: { component: part(async () => (await import('./PinnedPanel.tsx')).PinnedPanel) },
    members: { component: part(async () => (await import('./members/MembersPanel.tsx')).MembersPanel) },
    info: { component: part(async () => (await import('./info/InfoPanel.tsx')).InfoSheet) },
  },
  dialogs: { channel: part(async () => (await import('./questions/ChannelQuestions.tsx')).ChannelQuestions) },
  actions: {
    details: { chords: ['Mod+Shift+I'], group: 'navigation', order: 210, inOwnWindow: true, run: toggleDetails },
    gettingStarted: {
      chords: [],
      group: 'window',
      order: 475,
      allowed: hasGuide,
      run: ({ dispatch }) => dispatch(reopenGuide()),
    },
  },
  warm() {
    GettingStarted.warm()
  },
  ready: (state) => (hasGuide(state) && !selectGuide(state).closed ? GettingStarted.ready() : undefined),
})
