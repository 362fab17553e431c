import type { WindowPlace } from '#shared/bridge/window-place.ts'
import type windows from '../../../resources/locales/en/windows.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'
import { selectOpenCid } from '../../store/selectors.ts'
import { openWindow } from './commands.ts'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    /** The browser blocked a new window because there was no user gesture. */
    'blocked-window': { readonly url: string; readonly place: WindowPlace }
  }
  interface Actions {
    openWindow: void
    pressForWindow: void
    pressForHalf: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    windows: typeof windows
  }
}

export const windowsFeature = defineFeature({
  localeAreas: ['windows'],
  dialogs: { 'blocked-window': part(async () => (await import('./BlockedWindowDialog.tsx')).BlockedWindowDialog) },
  actions: {
    openWindow: {
      chords: [],
      group: 'window',
      order: 380,
      offered: (state) => selectOpenCid(state) !== undefined,
      run({ dispatch, getState }) {
        const cid = selectOpenCid(getState())
        if (cid !== undefined) dispatch(openWindow({ cid }))
      },
    },
    // On a row of the sidebar, the quick switcher or the search results.
    pressForWindow: { chords: ['Mod+Enter'], group: 'window', order: 390 },
    pressForHalf: { chords: ['Alt+Enter'], group: 'window', order: 400 },
  },
})
