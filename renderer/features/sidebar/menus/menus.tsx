import { type Cid, asCid } from '#shared/lib/brand.ts'
import type { SectionName, SidebarFolder, SidebarSort } from '#shared/domain/settings.ts'
import type { Placement } from '../../../ui/Popover/Popover.tsx'
import { Menu, type MenuItem } from '../../../ui/Menu/Menu.tsx'
import { useChannelMenu, useRowMenu } from './use-channel-menu.ts'
import { folderSection, sortOf, withFolderMoved, withSort } from '#shared/rules/channels/sidebar.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { arrange } from '../arranging.ts'
import { markAllRead } from '../commands.ts'
import { selectPlan } from '../selectors.ts'

type Opened = { readonly label: string; readonly anchor: Element | DOMRect; readonly onClose: () => void }

/** The buttons that open it are at the end of a row. */
const AT_END: Placement = { side: 'below', align: 'end', gap: 4 }

export function RowMenu({ cid, ...opened }: Opened & { readonly cid: Cid }) {
  const items = useRowMenu(cid)
  return <Menu {...opened} items={items()} />
}

export function ChannelMenu({ cid, ...opened }: Opened & { readonly cid: Cid }) {
  const items = useChannelMenu(cid)
  return <Menu {...opened} items={items()} placement={AT_END} />
}

type SectionProps = Opened & { readonly name: SectionName; readonly cids: readonly string[] }

export function SectionMenu({ name, cids, ...opened }: SectionProps) {
  const items = useSectionMenu(name, cids)
  return <Menu {...opened} items={items()} placement={AT_END} minWidth={230} />
}

const SORTS: readonly SidebarSort[] = ['recent', 'unread', 'name', 'manual']

/** Menu of a section. Evaluated when the menu opens. */
function useSectionMenu(name: SectionName, cids: readonly string[]): () => readonly MenuItem[] {
  const t = useTexts('sidebar')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const folderItems = useFolderItems()
  return () => {
    const state = store.getState()
    const plan = selectPlan(state)
    const unread = cids.filter((cid) => (state.entities.channels[cid]?.unread ?? 0) > 0)
    const at = plan.folders.findIndex(({ id }) => folderSection(id) === name)
    const folder = plan.folders[at]
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
      ...(folder === undefined ? [] : folderItems({ folder, at, of: plan.folders.length })),
    ]
  }
}

const line = (id: string): MenuItem => ({ kind: 'separator', id })

type FolderPlace = {
  readonly folder: SidebarFolder
  /** Its position among the folders, of which there are `of`. */
  readonly at: number
  readonly of: number
}

/** Renaming, moving and deleting a folder. */
function useFolderItems(): (place: FolderPlace) => readonly MenuItem[] {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  return ({ folder: { id }, at, of }) => {
    const rename: MenuItem = {
      id: 'rename',
      label: t('section.rename'),
      icon: 'pencil',
      onSelect: () => void dispatch(dialogOpened({ kind: 'folder', id })),
    }
    const up: MenuItem = {
      id: 'up',
      label: t('section.up'),
      icon: 'arrow-up',
      onSelect: () => void dispatch(arrange((now) => withFolderMoved(now, id, -1))),
    }
    const down: MenuItem = {
      id: 'down',
      label: t('section.down'),
      icon: 'arrow-down',
      onSelect: () => void dispatch(arrange((now) => withFolderMoved(now, id, 1))),
    }
    const remove: MenuItem = {
      id: 'delete',
      label: t('section.delete'),
      icon: 'trash',
      danger: true,
      onSelect: () => void dispatch(dialogOpened({ kind: 'delete-folder', id })),
    }
    return [rename, ...(at === 0 ? [] : [up]), ...(at === of - 1 ? [] : [down]), line('line-delete'), remove]
  }
}
