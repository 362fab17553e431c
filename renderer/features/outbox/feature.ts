import type outbox from '../../../resources/locales/en/outbox.json'
import { useTexts } from '../../i18n/index.ts'
import { defineFeature } from '../../registry/feature.ts'
import { selectOutboxCount } from '../../store/composers/unsent.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { selectCanParticipate } from '../../store/selectors.ts'
import { panelOpened } from '../../store/window/ui.ts'
import { OutboxPanel } from './OutboxPanel.tsx'

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
  sidebar: [
    {
      id: 'outbox',
      under: 'later',
      order: 70,
      icon: 'outbox',
      open: panelOpened({ kind: 'outbox' }),
      Content({ children }) {
        const t = useTexts('sidebar')
        const count = useAppSelector(selectOutboxCount)
        if (count === 0) return children({ title: t('outbox.title') })
        const end = { text: String(count), tone: 'alert' } as const
        return children({ title: t('outbox.title'), label: t('outbox.label', { count }), count, end })
      },
    },
  ],
})
