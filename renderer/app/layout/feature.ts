import type common from '../../../resources/locales/en/common.json'
import type errors from '../../../resources/locales/en/errors.json'
import { defineFeature } from '../../registry/feature.ts'
import { panelClosed, wentBack, wentForward } from '../../store/window/ui.ts'
import { focusRegion } from '../keys/keyboard.ts'
import { Home } from './Home.tsx'

declare module '../../store/window/kinds.ts' {
  interface Actions {
    back: void
    forward: void
    nextRegion: void
    previousRegion: void
    closePanel: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    common: typeof common
    errors: typeof errors
  }
}

/** What belongs to the frame of the window and to no feature in it. */
export const layoutFeature = defineFeature({
  localeAreas: ['common', 'errors'],
  routes: { home: { component: Home } },
  actions: {
    back: {
      chords: ['Alt+ArrowLeft'],
      macChords: ['Mod+['],
      group: 'navigation',
      order: 80,
      inOwnWindow: true,
      run: ({ dispatch }) => void dispatch(wentBack()),
    },
    forward: {
      chords: ['Alt+ArrowRight'],
      macChords: ['Mod+]'],
      group: 'navigation',
      order: 90,
      inOwnWindow: true,
      run: ({ dispatch }) => void dispatch(wentForward()),
    },
    nextRegion: {
      chords: ['F6', 'Ctrl+F6'],
      group: 'window',
      order: 310,
      inOwnWindow: true,
      run: () => focusRegion(1),
    },
    previousRegion: {
      chords: ['Shift+F6'],
      group: 'window',
      order: 320,
      inOwnWindow: true,
      run: () => focusRegion(-1),
    },
    closePanel: {
      chords: ['Mod+.'],
      group: 'window',
      order: 410,
      inOwnWindow: true,
      run: ({ dispatch }) => void dispatch(panelClosed()),
    },
  },
})
