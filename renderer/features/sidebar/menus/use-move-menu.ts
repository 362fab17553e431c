import type { Cid } from '#shared/lib/brand.ts'
import { folderSection, homeOf, sectionOf } from '#shared/rules/channels/sidebar.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import type { MenuItem } from '../../../ui/Menu/Menu.tsx'
import { moveConversation } from '../arranging.ts'
import { selectPlan } from '../selectors.ts'
import { useChannelMenu } from './use-channel-menu.ts'
import { useSectionTitles } from '../use-section-title.ts'

/** Menu of a sidebar row: the conversation's menu, why it is unread, and moving it to another section. */
export function useRowMenu(cid: Cid): () => readonly MenuItem[] {
  const t = useTexts('sidebar')
  const unread = useTexts('unread')
  const titleOf = useSectionTitles()
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const own = useChannelMenu(cid)
  return () => {
    const state = store.getState()
    const channel = state.entities.channels[cid]
    if (channel === undefined) return []
    const plan = selectPlan(state)
    const here = sectionOf(channel, plan)
    const places = [homeOf(channel), ...plan.folders.map(({ id }) => folderSection(id))].filter((name) => name !== here)
    const items = own()
    const end = items.findIndex(({ id }) => id === 'end')
    // Items that cannot be undone come last.
    const [rest, leaving] = end < 0 ? [items, []] : [items.slice(0, end), items.slice(end)]
    return [
      ...rest,
      { kind: 'separator', id: 'line-why' },
      {
        id: 'why',
        label: unread('why.menu'),
        icon: 'help',
        onSelect: () => void dispatch(dialogOpened({ kind: 'why-unread', cid })),
      },
      { kind: 'separator', id: 'line-move' },
      ...places.map((to): MenuItem => ({
        id: `to-${to}`,
        label: t('move.to', { section: titleOf(to) }),
        icon: 'arrow-right',
        onSelect: () => void dispatch(moveConversation(cid, { to })),
      })),
      {
        id: 'to-new',
        label: t('move.toNew'),
        icon: 'plus',
        onSelect: () => void dispatch(dialogOpened({ kind: 'folder', cid })),
      },
      ...leaving,
    ]
  }
}
