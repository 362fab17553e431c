import type { Cid, MessageId } from '#shared/lib/brand.ts'
import type unread from '../../../resources/locales/en/unread.json'
import { useTexts } from '../../i18n/index.ts'
import { part } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { selectCanParticipate, selectOpenCid } from '../../store/selectors.ts'
import { dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { useInvites } from '../sidebar/index.ts'

declare module '../../store/window/kinds.ts' {
  interface Routes {
    /** What matters since a time; `cid`, `since`: of one channel, since its last digest. */
    'catch-up': { readonly cid?: Cid; readonly since?: number }
    /** Notifications of a week by channel. */
    interruptions: NoProps
  }
  interface Dialogs {
    'why-unread': { readonly cid: Cid; readonly parentId?: MessageId }
  }
  interface Actions {
    catchUp: void
    interruptions: void
    whyUnread: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    unread: typeof unread
  }
}

/** Opens the dialog that explains why the open channel is unread. */
function openWhyUnread({ dispatch, getState }: ActionContext): void {
  const cid = selectOpenCid(getState())
  if (cid !== undefined) void dispatch(dialogOpened({ kind: 'why-unread', cid }))
}

export const unreadFeature = defineFeature({
  localeAreas: ['unread'],
  routes: {
    'catch-up': { component: part(async () => (await import('./CatchUpView.tsx')).CatchUpView), action: 'catchUp' },
    interruptions: {
      component: part(async () => (await import('./InterruptionsView.tsx')).InterruptionsView),
      action: 'interruptions',
    },
  },
  dialogs: { 'why-unread': part(async () => (await import('./WhyUnreadDialog.tsx')).WhyUnreadDialog) },
  actions: {
    catchUp: {
      chords: ['Mod+Shift+A'],
      group: 'navigation',
      order: 170,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(routeOpened({ view: 'catch-up' })),
    },
    interruptions: {
      chords: [],
      group: 'navigation',
      order: 172,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(routeOpened({ view: 'interruptions' })),
    },
    whyUnread: {
      chords: [],
      group: 'navigation',
      order: 270,
      allowed: selectCanParticipate,
      inOwnWindow: true,
      run: openWhyUnread,
    },
  },
  sidebar: [
    {
      id: 'catch-up',
      order: 10,
      icon: 'inbox',
      open: routeOpened({ view: 'catch-up' }),
      view: 'catch-up',
      Content({ children }) {
        const t = useTexts('unread')
        const count = useInvites().length
        const title = t('catchUp.title')
        if (count === 0) return children({ title })
        return children({ title, label: t('catchUp.sidebar', { count }), count, end: { count, tone: 'mention' } })
      },
    },
    {
      id: 'interruptions',
      under: 'catch-up',
      order: 70,
      icon: 'bell',
      open: routeOpened({ view: 'interruptions' }),
      view: 'interruptions',
      Content({ children }) {
        const t = useTexts('unread')
        return children({ title: t('interruptions.title') })
      },
    },
  ],
})
