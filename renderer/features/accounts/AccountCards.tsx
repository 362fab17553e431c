import type { AccountEntry } from '#shared/domain/session.ts'
import { useTexts } from '../../i18n/index.ts'
import { selectAccounts } from '../../store/accounts.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { addAccountOpened, dialogOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Tag } from '../../ui/Mark/Tag.tsx'
import { useMenu } from '../../ui/Menu/Menu.tsx'
import { AccountLogo } from './AccountLogo.tsx'
import { useAccountMenu } from './use-account-menu.ts'
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
