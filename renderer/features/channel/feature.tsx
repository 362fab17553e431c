import type { Cid } from '#shared/lib/brand.ts'
import type channel from '../../../resources/locales/en/channel.json'
import type details from '../../../resources/locales/en/details.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { selectOpenCid } from '../../store/selectors.ts'
import { panelClosed, panelOpened } from '../../store/window/ui.ts'
import { ChannelView } from './ChannelView.tsx'

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
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    channel: typeof channel
    details: typeof details
  }
}

/** Toggles the details of the open channel. */
function toggleDetails({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  if (cid === undefined) return
  const { panel } = getState().ui
  dispatch(panel?.kind === 'info' && panel.page === undefined ? panelClosed() : panelOpened({ kind: 'info', cid }))
}

export const channelFeature = defineFeature({
  localeAreas: ['channel', 'details'],
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
  },
})
