import type thread from '../../../resources/locales/en/thread.json'
import { composerKey } from '#shared/domain/draft.ts'
import { useTexts } from '../../i18n/index.ts'
import { part, typedPart } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { useAppSelector } from '../../store/hooks.ts'
import { selectCanParticipate, selectOpenThread } from '../../store/selectors.ts'
import type { AppState } from '../../store/store.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { followThread, showWide } from './commands.ts'

declare module '../../store/window/kinds.ts' {
  interface Routes {
    /** The threads of all channels. */
    threads: NoProps
  }
  interface Actions {
    threads: void
    followThread: void
    widenThread: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    thread: typeof thread
  }
}

function hasThread(state: AppState): boolean {
  const open = selectOpenThread(state)
  return open !== undefined && state.entities.messages[open.parentId]?.thread !== undefined
}

/** Follows or unfollows the open thread. */
function toggleFollowing({ dispatch, getState }: ActionContext): void {
  const open = selectOpenThread(getState())
  if (open === undefined) return
  const { cid, parentId } = open
  const follows = getState().entities.messages[parentId]?.thread?.following !== true
  void dispatch(followThread({ cid, parentId, follows }))
}

function widenThread({ dispatch, getState }: ActionContext): void {
  const open = selectOpenThread(getState())
  if (open !== undefined) dispatch(showWide(open))
}

/** Threads with something unread. */
const selectUnreadThreads = (state: AppState): number => state.entities.inbox['self']?.unreadThreads ?? 0

const ThreadPanel = typedPart(
  async () => (await import('./ThreadPanel.tsx')).ThreadPanel,
  ({ cid, parentId }) =>
    useAppSelector(({ composers }) => (composers[composerKey(cid, parentId)]?.focusRequest ?? 0) > 0),
)

export const threadsFeature = defineFeature({
  localeAreas: ['thread'],
  routes: {
    threads: { component: part(async () => (await import('./ThreadsView.tsx')).ThreadsView), action: 'threads' },
    thread: { component: part(async () => (await import('./ThreadPanel.tsx')).ThreadView) },
  },
  panels: { thread: { component: ThreadPanel } },
  actions: {
    threads: {
      chords: ['Mod+Shift+T', 'Mod+1', 'G T'],
      group: 'navigation',
      order: 120,
      allowed: selectCanParticipate,
      run: ({ dispatch }) => void dispatch(routeOpened({ view: 'threads' })),
    },
    followThread: {
      chords: [],
      group: 'navigation',
      order: 130,
      allowed: selectCanParticipate,
      inOwnWindow: true,
      offered: hasThread,
      run: toggleFollowing,
    },
    widenThread: {
      chords: [],
      group: 'navigation',
      order: 140,
      inOwnWindow: true,
      offered: ({ ui }) => ui.panel?.kind === 'thread',
      run: widenThread,
    },
  },
  warm() {
    ThreadPanel.warm()
  },
  sidebar: [
    {
      id: 'threads',
      order: 20,
      icon: 'thread',
      open: routeOpened({ view: 'threads' }),
      view: 'threads',
      Content({ children }) {
        const t = useTexts('thread')
        const count = useAppSelector(selectUnreadThreads)
        const title = t('inbox.title')
        return children(
          count === 0
            ? { title }
            : { title, label: t('inbox.sidebar', { count }), count, end: { count, tone: 'unread' } },
        )
      },
    },
  ],
})
