import { useTexts } from '../../i18n/index.ts'
import { matchIn } from '../../lib/match-in.ts'
import { useChannel, useUser } from '../../store/hooks.ts'
import { Count } from '../../ui/Count.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Keys } from '../../ui/Keys.tsx'
import { Portrait, presenceOf } from '../people/index.ts'
import { forYouOf } from './selectors.ts'
import type { SwitcherItem } from './use-switcher-items.ts'
import styles from './Switcher.module.css'

type Props = {
  readonly item: SwitcherItem
  readonly domId: string
  readonly query: string
  readonly isActive: boolean
  readonly onOpen: () => void
  readonly onHover: () => void
}

/** One line of the quick switcher, with the letters that matched. */
export function SwitcherOption({ item, domId, query, isActive, onOpen, onHover }: Props) {
  const channel = useChannel(item.kind === 'channel' ? item.cid : '')
  const t = useTexts('sidebar')
  const personId = item.kind === 'person' ? item.userId : channel?.directUserId
  const forYou = channel === undefined ? 0 : forYouOf(channel)
  const { before, match, after } = matchIn(item.name, query.replace(/^[#@>]/, '').trim())
  return (
    <div
      id={domId}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles['option']}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onHover}
      onClick={onOpen}
      onKeyDown={(event) => event.key === 'Enter' && onOpen()}
    >
      {personId === undefined ? <Icon name={iconOf(item, channel?.isPrivate === true)} /> : <Person id={personId} />}
      <span className={styles['name']}>
        {before}
        <b>{match}</b>
        {after}
      </span>
      {channel?.hasDraft === true ? <span className={styles['extra']}>{t('row.draft')}</span> : null}
      <span className={styles['end']}>
        {forYou > 0 ? (
          <Count value={forYou} tone="mention" />
        ) : channel !== undefined && channel.unread > 0 ? (
          <Count value={channel.unread} />
        ) : null}
        {item.kind === 'action' && item.keys.length > 0 ? (
          <Keys keys={item.keys} />
        ) : isActive ? (
          <Keys keys={['↵']} />
        ) : null}
      </span>
    </div>
  )
}

const iconOf = (item: SwitcherItem, isPrivate: boolean) =>
  item.kind === 'action' ? ('corner-down-right' as const) : isPrivate ? ('lock' as const) : ('hash' as const)

function Person({ id }: { readonly id: string }) {
  const user = useUser(id)
  return <Portrait userId={id} size={22} presence={user === undefined ? undefined : presenceOf(user)} />
}
