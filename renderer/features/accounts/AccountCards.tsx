import type { AccountEntry } from '#shared/domain/session.ts'
import { useTexts } from '../../i18n/index.ts'
import { selectAccounts } from '../../store/accounts.ts'
import { useAppDispatch, useAppSelector, useHost } from '../../store/hooks.ts'
import { addAccountOpened, dialogOpened } from '../../store/window/ui.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Tag } from '../../ui/Mark/Pill.tsx'
import { useMenu, type MenuItem } from '../../ui/Menu/Menu.tsx'
import { openBrowserWindow } from '../../lib/page/environment.ts'
import { noticeRaised } from '../../store/window/notices.ts'
import { AccountLogo } from './AccountLogo.tsx'
import { changeAccount, goToAccount, openAccountWindow } from './commands.ts'
import styles from './AccountCards.module.css'

/** Every account of this profile as a card, and a button to add one. */
export function AccountCards() {
  const t = useTexts('accounts')
  const dispatch = useAppDispatch()
  const { accounts, shown } = useAppSelector(selectAccounts)
  return (
    <>
      <ul className={styles['cards']}>
        {accounts.map((account) => (
          <li key={account.key}>
            <Card account={account} isShown={account.key === shown} />
          </li>
        ))}
      </ul>
      <Button icon="plus" onClick={() => dispatch(addAccountOpened())}>
        {t('add')}
      </Button>
    </>
  )
}

function Card({ account, isShown }: { readonly account: AccountEntry; readonly isShown: boolean }) {
  const t = useTexts('accounts')
  const dispatch = useAppDispatch()
  const { key, kind, connection, name, userName, guest } = account
  const menu = useMenu({ label: name, items: useAccountMenu(account, { isShown }) })
  const needsSignIn = kind === 'hosted' && connection === 'sign-in'
  return (
    <section className={styles['card']} aria-label={name}>
      <AccountLogo account={account} size={38} />
      <div className={styles['text']}>
        <div className={styles['name']}>{name}</div>
        <div className={styles['where']}>
          {guest ? t('guest') : t(kind === 'hosted' ? 'hostedAs' : 'localAs', { name: userName })}
        </div>
      </div>
      {account.muted ? <Tag>{t('mutedTag')}</Tag> : null}
      <Tag tone={TONES[connection]}>{t(`line.${connection}`)}</Tag>
      {needsSignIn ? (
        <Button size="small" onClick={() => dispatch(dialogOpened({ kind: 'renew', account: key }))}>
          {t('renew.open')}
        </Button>
      ) : null}
      <IconButton icon="more" label={t('actionsOf', { name })} {...menu.triggerProps} />
      {menu.menu}
    </section>
  )
}

const TONES = { connected: 'success', connecting: 'plain', offline: 'warning', 'sign-in': 'danger' } as const

type Where = {
  readonly isShown: boolean
  readonly onMove?: (by: 1 | -1) => void
  readonly canMove?: { readonly up: boolean; readonly down: boolean }
}

/** The actions of an account, in the rail and on its card. */
export function useAccountMenu(account: AccountEntry, { isShown, onMove, canMove }: Where): () => readonly MenuItem[] {
  const t = useTexts('accounts')
  const dispatch = useAppDispatch()
  const { capabilities } = useHost()
  const { key, muted, connection: line, kind } = account
  const open = async (): Promise<void> => {
    const opened = await dispatch(openAccountWindow({ key }))
    if (opened.ok && opened.value.url !== undefined && !openBrowserWindow(opened.value.url)) dispatch(heldBack(key))
  }
  return () => [
    { kind: 'heading', id: 'who', content: t('as', { workspace: account.workspaceName, name: account.userName }) },
    ...(isShown
      ? []
      : [
          {
            id: 'show',
            label: t('menu.show'),
            icon: 'corner-down-right' as const,
            onSelect: () => dispatch(goToAccount(key)),
          },
        ]),
    ...(capabilities.severalWindows
      ? [{ id: 'window', label: t('menu.window'), icon: 'external-link' as const, onSelect: () => void open() }]
      : []),
    ...(kind === 'hosted' && line === 'sign-in'
      ? [
          {
            id: 'renew',
            label: t('renew.open'),
            icon: 'key' as const,
            onSelect: () => void dispatch(dialogOpened({ kind: 'renew', account: key })),
          },
        ]
      : []),
    {
      id: 'mute',
      label: t('menu.mute'),
      icon: 'bell-off',
      checked: muted,
      onSelect: () => void dispatch(changeAccount({ key, muted: !muted })),
    },
    {
      id: 'edit',
      label: t('menu.edit'),
      icon: 'palette',
      onSelect: () => void dispatch(dialogOpened({ kind: 'account', account: key })),
    },
    ...(onMove !== undefined && canMove?.up === true
      ? [{ id: 'up', label: t('menu.up'), icon: 'arrow-up' as const, onSelect: () => onMove(-1) }]
      : []),
    ...(onMove !== undefined && canMove?.down === true
      ? [{ id: 'down', label: t('menu.down'), icon: 'arrow-down' as const, onSelect: () => onMove(1) }]
      : []),
    { kind: 'separator', id: 'line' },
    {
      id: 'out',
      label: t('menu.out'),
      icon: 'logout',
      onSelect: () => void dispatch(dialogOpened({ kind: 'sign-out', account: key })),
    },
    ...(kind === 'own'
      ? [
          {
            id: 'delete',
            label: t('menu.delete'),
            icon: 'trash' as const,
            danger: true,
            onSelect: () => void dispatch(dialogOpened({ kind: 'delete-workspace', account: key })),
          },
        ]
      : []),
  ]
}

/** The browser may block a window; clicking again, while the URL is valid, opens it. */
const heldBack = (key: string) =>
  noticeRaised({
    id: `held-${key}-${Date.now()}`,
    code: 'session/window-held-back',
    type: 'local:window:held-back',
    severity: 'warning',
    createdAt: Date.now(),
  })
