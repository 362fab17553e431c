import { useTexts } from '../../i18n/index.ts'
import { twoLetters } from '../../lib/portrait.ts'
import { useAppDispatch, useHost, useMe, useSession } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/ui.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { MenuItem } from '../../ui/Menu.tsx'
import { useMenu } from '../../ui/use-menu.tsx'
import styles from './Session.module.css'

/** The workspace's name in the title strip, and what can be done with the workspace as a whole. */
export function WorkspaceMenu() {
  const t = useTexts('session')
  const { workspace } = useSession()
  const items = useWorkspaceItems()
  const menu = useMenu({ label: t('menu.title'), items, minWidth: 260 })
  const name = workspace?.name ?? 'Parlor'
  return (
    <>
      <button
        type="button"
        className={styles['workspace']}
        aria-label={t('menu.of', { workspace: name })}
        {...menu.triggerProps}
      >
        <span className={styles['logo']} aria-hidden="true">
          {twoLetters(name).toLocaleUpperCase()}
        </span>
        <span className={`${styles['workspaceName']} ellipsis`}>{name}</span>
        <Icon name="chevrons-updown" size={15} />
      </button>
      {menu.menu}
    </>
  )
}

function useWorkspaceItems(): () => readonly MenuItem[] {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  const { capabilities } = useHost()
  const me = useMe()
  const open = (kind: 'create-workspace' | 'delete-demo' | 'notice-log' | 'open-as' | 'sign-out') => () =>
    void dispatch(dialogOpened({ kind }))
  const add = (): void => void dispatch(dialogOpened({ kind: 'open-as', adding: true }))
  const local = workspace?.kind === 'local'
  return () => [
    {
      kind: 'heading',
      id: 'who',
      content: t(local ? 'menu.local' : 'menu.hosted', { name: me?.name ?? '' }),
    },
    ...(local && capabilities.severalWindows
      ? [
          { id: 'as', label: t('menu.openAs'), icon: 'external-link' as const, onSelect: open('open-as') },
          { id: 'add', label: t('menu.addPerson'), icon: 'user-plus' as const, onSelect: add },
        ]
      : []),
    ...(workspace?.demo === true
      ? [{ id: 'own', label: t('menu.makeOwn'), icon: 'laptop' as const, onSelect: open('create-workspace') }]
      : []),
    { id: 'log', label: t('menu.notices'), icon: 'bell', onSelect: open('notice-log') },
    { kind: 'separator', id: 'line' },
    { id: 'out', label: t('menu.signOut'), icon: 'logout', onSelect: open('sign-out') },
    ...(workspace?.demo === true
      ? [
          {
            id: 'delete',
            label: t('menu.deleteDemo'),
            icon: 'trash' as const,
            danger: true,
            onSelect: open('delete-demo'),
          },
        ]
      : []),
  ]
}
