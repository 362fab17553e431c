import type { AccountEntry } from '#shared/domain/session.ts'
import { isSame } from '#shared/lib/same.ts'
import { useTexts } from '../../i18n/index.ts'
import { selectAccount, selectAccounts, selectForYouElsewhere } from '../../store/accounts.ts'
import {
  useAccountsInMenu,
  useAppDispatch,
  useAppSelector,
  useHost,
  useMe,
  useSession,
  useCanParticipate,
} from '../../store/hooks.ts'
import type { AppState } from '../../store/store.ts'
import { sendCommand } from '../../store/commands.ts'
import { addAccountOpened, dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { Count } from '../../ui/Mark/Mark.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { type MenuItem, useMenu } from '../../ui/Menu/Menu.tsx'
import { Button } from '../../ui/Button/Button.tsx'
import { AccountLogo, goToAccount } from '../accounts/index.ts'
import { useMayManage } from '../manage/index.ts'
import styles from './Session.module.css'

/** The hue in a window without an account of the profile. */
const FIRST_HUE = 6
const PROFILE = { view: 'settings', section: 'account' } as const

type Sign = Pick<AccountEntry, 'name' | 'hue' | 'icon'>

/** How the account of this window is shown: its counts change with every message. */
function selectSign(state: AppState): Sign | undefined {
  const account = selectAccount(state, selectAccounts(state).shown ?? '')
  return account && { name: account.name, hue: account.hue, icon: account.icon }
}

/** The workspace's name in the title strip, with a menu of actions on the workspace. */
export function WorkspaceMenu() {
  const t = useTexts('session')
  const { workspace } = useSession()
  const items = useWorkspaceItems()
  const menu = useMenu({ label: t('menu.title'), items, minWidth: 260 })
  const account = useAppSelector(selectSign, isSame)
  // With a rail of accounts the counts are there.
  const inMenu = useAccountsInMenu()
  const elsewhere = useAppSelector((state) => (inMenu ? selectForYouElsewhere(state) : 0))
  const name = account?.name ?? workspace?.name ?? 'Parlor'
  return (
    <>
      <button
        type="button"
        className={styles['workspace']}
        aria-label={
          elsewhere === 0 ? t('menu.of', { workspace: name }) : t('menu.ofWith', { workspace: name, count: elsewhere })
        }
        {...menu.triggerProps}
      >
        <AccountLogo account={{ name, hue: account?.hue ?? FIRST_HUE, icon: account?.icon }} size={22} />
        <span className={`${styles['workspaceName']} ellipsis`}>{name}</span>
        {elsewhere === 0 ? null : <Count value={elsewhere} tone="mention" />}
        <Icon name="chevrons-updown" size={15} />
      </button>
      {menu.menu}
    </>
  )
}

/** What the viewer may call this workspace, and how it begins. */
function useOwnItems(): readonly MenuItem[] {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  const shown = useAppSelector((state) => selectAccounts(state).shown)
  const isOwn = workspace?.kind === 'local' && !workspace.demo
  const mayImport = useMayManage('imports')
  return [
    // Only the owner can share; where the administrator does not allow it, the dialog says so.
    ...(isOwn && shown !== undefined
      ? [
          {
            id: 'share',
            label: t('share.menu'),
            icon: 'users' as const,
            onSelect: () => void dispatch(dialogOpened({ kind: 'share' })),
          },
          {
            id: 'move',
            label: t('moving.menu'),
            icon: 'laptop' as const,
            onSelect: () => void dispatch(dialogOpened({ kind: 'move-workspace' })),
          },
        ]
      : []),
    ...(shown === undefined || workspace?.demo === true
      ? []
      : [
          {
            id: 'describe',
            label: t('menu.describe'),
            icon: 'pencil' as const,
            onSelect: () => void dispatch(dialogOpened({ kind: 'account', account: shown })),
          },
        ]),
    ...(isOwn && mayImport
      ? [
          {
            id: 'import',
            label: t('menu.import'),
            icon: 'upload' as const,
            onSelect: () => void dispatch(routeOpened({ view: 'manage', page: 'imports' })),
          },
        ]
      : []),
    ...(isOwn
      ? [
          {
            id: 'started',
            label: t('menu.gettingStarted'),
            icon: 'check' as const,
            onSelect: () => dispatch(sendCommand('runAction', { id: 'gettingStarted' })),
          },
        ]
      : []),
  ]
}

function useWorkspaceItems(): () => readonly MenuItem[] {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  const { capabilities } = useHost()
  const me = useMe()
  const canParticipate = useCanParticipate()
  const accountTexts = useTexts('accounts')
  const open =
    (kind: 'create-workspace' | 'delete-demo' | 'notice-log' | 'recent-actions' | 'open-as' | 'sign-out') => () =>
      void dispatch(dialogOpened({ kind }))
  const add = (): void => void dispatch(dialogOpened({ kind: 'open-as', adding: true }))
  const local = workspace?.kind === 'local'
  const accountItems = useAccountItems()
  const ownItems = useOwnItems()
  // A window opened as another person has no account list.
  const asPerson = useAppSelector((state) => selectAccounts(state).accounts.length === 0)
  return () => [
    {
      kind: 'heading',
      id: 'who',
      content: canParticipate
        ? t(local ? 'menu.local' : 'menu.hosted', { name: me?.name ?? '' })
        : accountTexts('guest'),
    },
    ...accountItems,
    ...(local && capabilities.severalWindows
      ? [
          { id: 'as', label: t('menu.openAs'), icon: 'external-link' as const, onSelect: open('open-as') },
          { id: 'add', label: t('menu.addPerson'), icon: 'user-plus' as const, onSelect: add },
        ]
      : []),
    ...(workspace?.demo === true
      ? [{ id: 'own', label: t('menu.makeOwn'), icon: 'laptop' as const, onSelect: open('create-workspace') }]
      : []),
    ...(canParticipate
      ? [
          {
            id: 'profile',
            label: t('menu.profile'),
            icon: 'user' as const,
            onSelect: () => void dispatch(routeOpened(PROFILE)),
          },
        ]
      : []),
    ...(canParticipate
      ? [{ id: 'recent', label: t('menu.recent'), icon: 'undo' as const, onSelect: open('recent-actions') }]
      : []),
    ...ownItems,
    { id: 'log', label: t('menu.notices'), icon: 'bell', onSelect: open('notice-log') },
    ...(asPerson
      ? []
      : [
          { kind: 'separator' as const, id: 'adding' },
          {
            id: 'more',
            label: t('menu.add'),
            icon: 'plus' as const,
            onSelect: () => void dispatch(addAccountOpened()),
          },
        ]),
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

type Choice = Sign & Pick<AccountEntry, 'key'> & { readonly hint: string | undefined }

const selectChoices = (state: AppState): readonly Choice[] =>
  selectAccounts(state).accounts.map(({ key, name, hue, icon, userName, guest }) => ({
    key,
    name,
    hue,
    icon,
    hint: guest ? undefined : userName,
  }))

/** The accounts of the profile, if there are several to choose from. */
function useAccountItems(): readonly MenuItem[] {
  const t = useTexts('accounts')
  const dispatch = useAppDispatch()
  const shown = useAppSelector((state) => selectAccounts(state).shown)
  const choices = useAppSelector(selectChoices, isSame)
  if (choices.length < 2) return []
  return [
    ...choices.map(({ key, hint, ...sign }) => ({
      id: key,
      label: sign.name,
      hint: hint ?? t('guest'),
      leading: <AccountLogo account={sign} size={20} />,
      checked: key === shown,
      onSelect: () => dispatch(goToAccount(key)),
    })),
    { kind: 'separator', id: 'accounts' },
  ]
}

/** A button to add people to an empty local workspace. */
export function AddPeopleButton() {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  const { capabilities } = useHost()
  if (workspace?.kind !== 'local' || !capabilities.severalWindows) return null
  return (
    <Button icon="user-plus" onClick={() => dispatch(dialogOpened({ kind: 'open-as', adding: true }))}>
      {t('menu.addPerson')}
    </Button>
  )
}
