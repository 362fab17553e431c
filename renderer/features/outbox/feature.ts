import type outbox from '../../../resources/locales/en/outbox.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'
import { selectCanParticipate } from '../../store/selectors.ts'
import { panelOpened } from '../../store/window/ui.ts'

declare module '../../store/window/kinds.ts' {
  interface Panels {
    outbox: NoProps
  }
  interface Actions {
    outbox: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    outbox: typeof outbox
  }
}

const OutboxPanel = part(async () => (await import('./OutboxPanel.tsx')).OutboxPanel)

export const outboxFeature = defineFeature({
  localeAreas: ['outbox'],
  panels: { outbox: { component: OutboxPanel } },
  actions: {
    outbox: {
      chords: ['Mod+Shift+O'],
      group: 'navigation',
      order: 190,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(panelOpened({ kind: 'outbox' })),
    },
  },
  warm() {
    OutboxPanel.warm()
  },
})
