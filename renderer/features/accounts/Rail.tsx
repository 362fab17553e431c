import { useState, type DragEvent, type KeyboardEvent } from 'react'
import type { AccountEntry } from '#shared/domain/session.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { selectAccounts } from '../../store/accounts.ts'
import { useAppDispatch, useAppSelector, useHost } from '../../store/hooks.ts'
import { addAccountOpened } from '../../store/window/ui.ts'
import { cx } from '../../lib/cx.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../ui/Popover/Popover.tsx'
import { Count } from '../../ui/Mark/Mark.tsx'
import { useMenu } from '../../ui/Menu/Menu.tsx'
import { arrangeAccounts, goToAccount } from './commands.ts'
import { useAccountMenu } from './AccountCards.tsx'
import { AccountLogo } from './AccountLogo.tsx'
import styles from './AccountRail.module.css'

const ADD = 'add'

/** The accounts of this profile, each with its unread count. */
export function Rail() {
  const t = useTexts('accounts')
  const dispatch = useAppDispatch()
  const { titleBar } = useHost()
  const { accounts, shown } = useAppSelector(selectAccounts)
  const adding = useAppSelector((state) => state.ui.adding !== undefined)
  const keys = accounts.map(({ key }) => key)
  const roving = useRoving({ ids: [...keys, ADD], initialId: shown })
  const { ref, ...listeners } = roving.containerProps
  /** Moves an account to an index. */
  const move = (key: string, to: number): void => {
    const rest = keys.filter((each) => each !== key)
    if (to < 0 || to > rest.length || to === keys.indexOf(key)) return
    void dispatch(arrangeAccounts(rest.toSpliced(to, 0, key)))
    announce(t('moved', { place: to + 1, count: keys.length }))
  }
  const drag = useAccountDrag(keys, move)
  return (
    <nav
      ref={(element) => {
        ref.current = element
      }}
      className={cx(styles['rail'], titleBar === 'macos' && styles['mac'])}
      aria-label={t('rail')}
      data-region="accounts"
      onKeyDown={listeners.onKeyDown}
      onFocus={listeners.onFocus}
    >
      <ul className={styles['list']} onDragLeave={drag.onLeave}>
        {accounts.map((account, at) => (
          <li key={account.key} {...drag.item(account.key)}>
            <RailAccount
              account={account}
              isShown={account.key === shown}
              place={at}
              count={accounts.length}
              tabIndex={roving.itemProps(account.key).tabIndex}
              onMove={(by) => move(account.key, at + by)}
            />
          </li>
        ))}
      </ul>
      <Tooltip text={t('add')} side="end">
        <button
          type="button"
          className={styles['add']}
          aria-label={t('add')}
          aria-pressed={adding}
          {...roving.itemProps(ADD)}
          onClick={() => dispatch(addAccountOpened())}
        >
          <Icon name="plus" size={18} />
        </button>
      </Tooltip>
    </nav>
  )
}

type Over = { readonly key: string; readonly edge: 'before' | 'after' }

type AccountDrag = {
  readonly item: (key: string) => {
    readonly draggable: true
    readonly 'data-over'?: 'before' | 'after'
    readonly onDragStart: (event: DragEvent<HTMLElement>) => void
    readonly onDragEnd: () => void
    readonly onDragOver: (event: DragEvent<HTMLElement>) => void
    readonly onDrop: (event: DragEvent<HTMLElement>) => void
  }
  readonly onLeave: () => void
}

/** Drag and drop of accounts in the rail. `move` gets the index among the other accounts. */
function useAccountDrag(keys: readonly string[], move: (key: string, to: number) => void): AccountDrag {
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<Over>()
  const end = (): void => {
    setDragged(undefined)
    setOver(undefined)
  }
  const edgeOf = (event: DragEvent<HTMLElement>): Over['edge'] => {
    const { top, height } = event.currentTarget.getBoundingClientRect()
    return event.clientY < top + height / 2 ? 'before' : 'after'
  }
  return {
    item: (key) => ({
      draggable: true,
      'data-over': over?.key === key ? over.edge : undefined,
      onDragStart: (event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/x-parlor-account', key)
        setDragged(key)
      },
      onDragEnd: end,
      onDragOver: (event) => {
        if (dragged === undefined || dragged === key) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'move'
        const edge = edgeOf(event)
        setOver((before) => (before?.key === key && before.edge === edge ? before : { key, edge }))
      },
      onDrop: (event) => {
        if (dragged === undefined || dragged === key) return
        event.preventDefault()
        const others = keys.filter((each) => each !== dragged)
        move(dragged, others.indexOf(key) + (edgeOf(event) === 'after' ? 1 : 0))
        end()
      },
    }),
    onLeave: () => setOver(undefined),
  }
}

type Props = {
  readonly account: AccountEntry
  readonly isShown: boolean
  readonly place: number
  readonly count: number
  readonly tabIndex: 0 | -1
  readonly onMove: (by: 1 | -1) => void
}

/** One account in the rail: its letters, its unread count, and whether it has a problem. */
function RailAccount({ account, isShown, place, count, tabIndex, onMove }: Props) {
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
