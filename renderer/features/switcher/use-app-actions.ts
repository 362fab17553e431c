import type { Settings } from '#shared/domain/settings.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useHost, useSession } from '../../store/hooks.ts'
import { selectAccounts } from '../../store/accounts.ts'
import { dayPickerOpened } from '../../store/window/overlays.ts'
import { selectOpenCid } from '../../store/selectors.ts'
import { dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { goToAccount } from '../accounts/index.ts'
import { updateSettings, useSettingRows } from '../settings/index.ts'
import type { SwitcherAction } from './use-items.ts'

const NO_SHORTCUTS: Parameters<typeof useSettingRows>[0] = []
const THEMES: readonly Settings['theme'][] = ['system', 'light', 'dark', 'hc-light', 'hc-dark']

/** Actions without a shortcut: settings pages and rows, themes, accounts, and actions on the workspace. */
export function useAppActions(): readonly SwitcherAction[] {
  const t = useTexts('search')
  const settings = useTexts('settings')
  const dispatch = useAppDispatch()
  const workspace = useWorkspaceActions()
  const messages = useTexts('messages')
  const rows = useSettingRows(NO_SHORTCUTS)
  const cid = useAppSelector(selectOpenCid)
  const list = useAppSelector(selectAccounts)
  const accounts = list.accounts.filter(({ key }) => key !== list.shown)
  return [
    ...(cid === undefined
      ? []
      : [
          {
            id: 'jump-to-day',
            label: messages('jump.title'),
            keys: [],
            icon: 'calendar',
            run: () => void dispatch(dayPickerOpened({ cid })),
          } satisfies SwitcherAction,
        ]),
    ...accounts.map(({ key, name }): SwitcherAction => ({
      id: `account-${key}`,
      label: t('switcher.account', { name }),
      keys: [],
      icon: 'corner-down-right',
      run: () => dispatch(goToAccount(key)),
    })),
    ...rows.map(({ section, title }): SwitcherAction => ({
      id: `settings-${section}-${title}`,
      label: t('switcher.settings', { name: title }),
      keys: [],
      icon: 'settings',
      run: () => void dispatch(routeOpened({ view: 'settings', section, row: title })),
    })),
    ...THEMES.map((theme): SwitcherAction => ({
      id: `theme-${theme}`,
      label: t('switcher.theme', { name: settings(`appearance.themes.${theme}`) }),
      keys: [],
      icon: 'palette',
      run: () => void dispatch(updateSettings({ theme })),
    })),
    ...workspace,
  ]
}

type Plain = 'open-as' | 'create-workspace' | 'sign-out'

function useWorkspaceActions(): readonly SwitcherAction[] {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  const { capabilities } = useHost()
  const open = (kind: Plain) => () => void dispatch(dialogOpened({ kind }))
  const action = (kind: Plain, label: string, icon: SwitcherAction['icon']): SwitcherAction => ({
    id: kind,
    label,
    keys: [],
    icon,
    run: open(kind),
  })
  return [
    ...(workspace?.kind === 'local' && capabilities.severalWindows
      ? [action('open-as', t('menu.openAs'), 'external-link')]
      : []),
    ...(workspace?.demo === true ? [action('create-workspace', t('menu.makeOwn'), 'laptop')] : []),
    action('sign-out', t('menu.signOut'), 'logout'),
  ]
}
