import { asCid } from '#shared/lib/brand.ts'
import type { SectionName, SidebarSort } from '#shared/domain/sidebar.ts'
import { folderSection, sortOf, withFolderMoved, withSort } from '#shared/rules/channels/sidebar.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import type { MenuItem } from '../../../ui/Menu/Menu.tsx'
import { arrange } from '../arranging.ts'
import { markAllRead } from '../mark-all.ts'
import { selectPlan } from '../selectors.ts'

const SORTS: readonly SidebarSort[] = ['recent', 'unread', 'name', 'manual']

/** Menu of a section. Evaluated when the menu opens. */
export function useSectionMenu(name: SectionName, cids: readonly string[]): () => readonly MenuItem[] {
  const t = useTexts('sidebar')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  return () => {
    const state = store.getState()
    const plan = selectPlan(state)
    const unread = cids.filter((cid) => (state.entities.channels[cid]?.unread ?? 0) > 0)
    const at = plan.folders.findIndex(({ id }) => folderSection(id) === name)
    const folder = plan.folders[at]
    const line = (id: string): MenuItem => ({ kind: 'separator', id })
    return [
      { kind: 'heading', id: 'sort', content: t('section.sort') },
      ...SORTS.map((sort): MenuItem => ({
        id: `sort-${sort}`,
        label: t(`sorts.${sort}`),
        checked: sortOf(plan, name) === sort,
        onSelect: () => void dispatch(arrange((now) => withSort(now, name, sort))),
      })),
      line('line-sort'),
      {
        id: 'read',
        label: t('section.markRead'),
        icon: 'check-double',
        disabledReason: unread.length === 0 ? t('section.nothingUnread') : undefined,
        onSelect: () => void dispatch(markAllRead(unread.map(asCid))),
      },
      {
        id: 'only',
        label: t('filter.only'),
        icon: 'filter',
        checked: plan.unreadOnly,
        onSelect: () => void dispatch(arrange((now) => ({ ...now, unreadOnly: !now.unreadOnly }))),
      },
      line('line-folders'),
      {
        id: 'create',
        label: t('section.create'),
        icon: 'plus',
        onSelect: () => void dispatch(dialogOpened({ kind: 'folder' })),
      },
      ...(folder === undefined
        ? []
        : [
            {
              id: 'rename',
              label: t('section.rename'),
              icon: 'pencil' as const,
              onSelect: () => void dispatch(dialogOpened({ kind: 'folder', id: folder.id })),
            },
            ...(at === 0
              ? []
              : [
                  {
                    id: 'up',
                    label: t('section.up'),
                    icon: 'arrow-up' as const,
                    onSelect: () => void dispatch(arrange((now) => withFolderMoved(now, folder.id, -1))),
                  },
                ]),
            ...(at === plan.folders.length - 1
              ? []
              : [
                  {
                    id: 'down',
                    label: t('section.down'),
                    icon: 'arrow-down' as const,
                    onSelect: () => void dispatch(arrange((now) => withFolderMoved(now, folder.id, 1))),
                  },
                ]),
            line('line-delete'),
            {
              id: 'delete',
              label: t('section.delete'),
              icon: 'trash' as const,
              danger: true,
              onSelect: () => void dispatch(dialogOpened({ kind: 'delete-folder', id: folder.id })),
            },
          ]),
    ]
  }
}
