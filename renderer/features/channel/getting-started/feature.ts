import type gettingStarted from '../../../../resources/locales/en/getting-started.json'
import { GENERAL_CID } from '#shared/rules/channels/channels.ts'
import { defineFeature } from '../../../registry/feature.ts'
import { selectSession } from '../../../store/selectors.ts'
import type { AppState } from '../../../store/store.ts'
import { GettingStarted, reopenGuide, selectGuide } from './guide.tsx'

declare module '../../../store/window/kinds.ts' {
  interface Actions {
    gettingStarted: void
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    'getting-started': typeof gettingStarted
  }
}

/** Own workspaces that still have the channel they began with. */
const hasGuide = (state: AppState): boolean => {
  const { workspace } = selectSession(state)
  return workspace?.kind === 'local' && !workspace.demo && state.entities.channels[GENERAL_CID] !== undefined
}

export const gettingStartedFeature = defineFeature({
  localeAreas: ['getting-started'],
  actions: {
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
