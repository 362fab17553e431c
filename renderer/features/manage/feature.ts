import type manage from '../../../resources/locales/en/manage.json'
import { useTexts } from '../../i18n/index.ts'
import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { ManageNav } from './index.ts'
import { selectManage, useManage } from './state.ts'

declare module '../../i18n/areas.ts' {
  interface Areas {
    manage: typeof manage
  }
}
declare module '../../store/window/kinds.ts' {
  interface Actions {
    manage: void
  }
}

const HOME = routeOpened({ view: 'manage', page: 'review' })
const ManageView = part(async () => (await import('./Manage.tsx')).ManageView)

export const manageFeature = defineFeature({
  localeAreas: ['manage'],
  routes: { manage: { component: ManageView, Nav: ManageNav, action: 'manage' } },
  actions: {
    manage: {
      chords: [],
      group: 'navigation',
      order: 205,
      allowed: (state) => selectManage(state) !== undefined,
      run: ({ dispatch }) => void dispatch(HOME),
    },
  },
  sidebar: [
    {
      id: 'manage',
      order: 80,
      icon: 'shield',
      open: HOME,
      view: 'manage',
      shown: (state) => selectManage(state) !== undefined,
      Content({ children }) {
        const t = useTexts('manage')
        const waiting = useManage()?.waiting ?? 0
        if (waiting === 0) return children({ title: t('title') })
        return children({
          title: t('title'),
          label: t('sidebar', { count: waiting }),
          count: waiting,
          end: { count: waiting, tone: 'unread' },
        })
      },
    },
  ],
})
