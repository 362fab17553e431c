import type { KeyboardEvent } from 'react'
import type { AccountEntry } from '#shared/domain/account-list.ts'
import { cx } from '../../lib/cx.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Count } from '../../ui/Mark/Count.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../ui/Popover/Tooltip.tsx'
import { useMenu } from '../../ui/Menu/use-menu.tsx'
import { AccountLogo } from './AccountLogo.tsx'
import { goToAccount } from './commands.ts'
import { useAccountMenu } from './use-account-menu.ts'
import { useTexts } from '../../i18n/index.ts'
import styles from './AccountRail.module.css'

type Props = {
  readonly account: AccountEntry
  readonly isShown: boolean
  readonly place: number
  readonly count: number
  readonly tabIndex: 0 | -1
  readonly onMove: (by: 1 | -1) => void
}

/** One account in the rail: its letters, its unread count, and whether it has a problem. */
export function RailAccount({ account, isShown, place, count, tabIndex, onMove }: Props) {
  const dispatch = useAppDispatch()
  const label = useAccountLabel(account)
  const items = useAccountMenu(account, { isShown, onMove, canMove: { up: place > 0, down: place < count - 1 } })
  const menu = useMenu({ label: account.name, items, placement: { side: 'end', align: 'start', gap: 4 } })
  return (
    <>
      <Tooltip text={label} side="end">
        <button
          type="button"
          className={cx(styles['item'], account.muted && styles['muted'])}
          tabIndex={tabIndex}
          data-roving-id={account.key}
          data-account={account.key}
          aria-current={isShown ? 'true' : undefined}
          aria-label={label}
          onClick={() => dispatch(goToAccount(account.key))}
          onContextMenu={menu.onContextMenu}
          onKeyDown={(event) => {
            const by = stepOf(event)
            if (by === undefined) return
            event.preventDefault()
            onMove(by)
          }}
        >
          <AccountLogo account={account} size={36} />
          <Marks account={account} />
        </button>
      </Tooltip>
      {menu.menu}
    </>
  )
}

/** The keys that move a conversation in the sidebar move an account here. */
function stepOf(event: KeyboardEvent): 1 | -1 | undefined {
  if (!event.shiftKey || event.altKey || event.ctrlKey === event.metaKey) return undefined
  if (event.key === 'ArrowUp') return -1
  return event.key === 'ArrowDown' ? 1 : undefined
}

/** A problem comes before numbers, numbers before the dot; a muted account shows only that it is muted. */
function Marks({ account: { connection: line, muted, mentions, unread } }: Pick<Props, 'account'>) {
  if (line === 'sign-in' || line === 'offline') {
    return (
      <span className={cx(styles['corner'], styles['trouble'])} data-mark="trouble">
        <Icon name={line === 'offline' ? 'wifi-off' : 'alert-circle'} size={14} />
      </span>
    )
  }
  if (muted) {
    return (
      <span className={styles['corner']} data-mark="muted">
        <Icon name="bell-off" size={13} />
      </span>
    )
  }
  if (mentions > 0) {
    return (
      <span className={styles['corner']} data-mark="mentions">
        <Count value={mentions} tone="mention" />
      </span>
    )
  }
  return unread > 0 ? <i className={styles['dot']} data-mark="unread" aria-hidden="true" /> : null
}

/** "Cairn Maps, Ola Wiśniewska, 2 mentions, muted": the full label of an account. */
function useAccountLabel({ name, userName, guest, mentions, unread, muted, connection: line }: AccountEntry): string {
  const t = useTexts('accounts')
  return [
    name,
    guest ? t('guest') : userName,
    line === 'sign-in' || line === 'offline' ? t(`line.${line}`) : '',
    mentions > 0 ? t('mentions', { count: mentions }) : '',
    unread > 0 && mentions === 0 ? t('unread', { count: unread }) : '',
    muted ? t('muted') : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}
