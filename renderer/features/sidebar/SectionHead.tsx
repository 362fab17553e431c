import type { ReactNode } from 'react'
import type { SectionName, SidebarFolder, SidebarSort } from '#shared/domain/settings.ts'
import { asCid } from '#shared/lib/brand.ts'
import { folderSection, sortOf, withFolderMoved, withSort } from '#shared/rules/channels/sidebar.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useSetting, useAppStore } from '../../store/hooks.ts'
import { Count } from '../../ui/Mark/Count.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { useMenu, type MenuItem } from '../../ui/Menu/Menu.tsx'
import { dialogOpened } from '../../store/window/ui.ts'
import { updateSettings } from '../settings/index.ts'
import { forYouOf, selectPlan, useSectionTitles } from './selectors.ts'
import { arrange } from './arranging.ts'
import { markAllRead } from './commands.ts'
import styles from './Sidebar.module.css'

type Props = {
  readonly name: SectionName
  readonly isClosed: boolean
  readonly cids: readonly string[]
  readonly children: ReactNode
}

/** Heading of a section; collapses and expands it. A collapsed one still shows its mention count. */
export function SectionHead({ name, isClosed, cids, children }: Props) {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const closedSections = useSetting('closedSections')
  const title = useSectionTitles()(name)
  const menu = useMenu({
    label: t('section.options', { name: title }),
    items: useSectionMenu(name, cids),
    placement: { side: 'below', align: 'end', gap: 4 },
    minWidth: 230,
  })
  const forYou = useAppSelector((state) =>
    isClosed
      ? cids.reduce((sum, cid) => {
          const channel = state.entities.channels[cid]
          return channel === undefined ? sum : sum + forYouOf(channel)
        }, 0)
      : 0,
  )
  const toggle = (): void => {
    const others = closedSections.filter((closed) => closed !== name)
    void dispatch(updateSettings({ closedSections: isClosed ? others : [...others, name] }))
  }
  return (
    <div className={styles['head']} onContextMenu={menu.onContextMenu}>
      <h2>
        <button type="button" className={styles['toggle']} aria-expanded={!isClosed} onClick={toggle}>
          <span className="ellipsis">{title}</span>
          <Icon name={isClosed ? 'chevron-right' : 'chevron-down'} size={14} />
        </button>
      </h2>
      {forYou > 0 ? <Count value={forYou} tone="mention" /> : null}
      <span className={styles['options']}>
        <IconButton
          icon="more"
          size="tiny"
          onApp
          label={t('section.options', { name: title })}
          {...menu.triggerProps}
        />
      </span>
      {children}
      {menu.menu}
    </div>
  )
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
