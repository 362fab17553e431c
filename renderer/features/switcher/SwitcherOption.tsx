import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import type { OpenTarget } from '../../lib/open-target.ts'
import { matchIn } from '../../lib/text/fold.ts'
import { useAppSelector, useChannel, useUser } from '../../store/hooks.ts'
import { useShortcut } from '../../store/window/shortcuts.ts'
import { Count } from '../../ui/Mark/Count.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Keys } from '../../ui/Keys/Keys.tsx'
import type { IconName } from '../../ui/Icon/icon-names.ts'
import { forYouOf } from '../sidebar/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { Portrait, presenceOf } from '../people/index.ts'
import { useOpening } from '../windows/index.ts'
import { readQuery, type SwitcherItem } from './use-items.ts'
import styles from './Switcher.module.css'

type Props = {
  readonly item: SwitcherItem
  readonly domId: string
  readonly query: string
  readonly isActive: boolean
  readonly isReady: boolean
  readonly onOpen: (target: OpenTarget) => void
  readonly onHover: () => void
}

/** One line of the quick switcher, with the match highlighted. */
export function SwitcherOption({ item, domId, query, isActive, isReady, onOpen, onHover }: Props) {
  const opening = useOpening()
  return (
    <div
      id={domId}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={isReady ? undefined : true}
      className={cx(styles['option'], !isReady && styles['notNow'])}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onHover}
      {...opening(onOpen)}
    >
      <Mark item={item} />
      <Name item={item} query={query} />
      <Extra item={item} isReady={isReady} />
      <End item={item} isActive={isActive} />
    </div>
  )
}

function Name({ item, query }: Pick<Props, 'item' | 'query'>) {
  const t = useTexts('search')
  if (item.kind === 'search') return <span className="ellipsis">{t('switcher.containing', { query: item.text })}</span>
  const { before, match, after } = matchIn(item.name, readQuery(query).text)
  return (
    <span className={styles['name']}>
      {before}
      <b>{match}</b>
      {after}
    </span>
  )
}

function Mark({ item }: Pick<Props, 'item'>) {
  const channel = useChannel(item.kind === 'channel' ? item.cid : '')
  if (item.kind === 'person') return <Person id={item.userId} />
  if (item.kind === 'channel' && item.person !== undefined) return <Person id={item.person} />
  return <Icon name={iconOf(item, channel?.isPrivate === true, (channel?.directUserIds.length ?? 0) > 0)} />
}

function iconOf(item: SwitcherItem, isPrivate: boolean, isDirect: boolean): IconName {
  if (item.kind === 'search') return 'search'
  if (item.kind === 'saved') return 'bookmark'
  if (item.kind === 'action') return item.action.icon ?? ICONS[item.action.id] ?? 'corner-down-right'
  return isDirect ? 'users' : isPrivate ? 'lock' : 'hash'
}

const ICONS: Readonly<Record<string, IconName>> = {
  search: 'search',
  searchHere: 'search',
  back: 'arrow-left',
  forward: 'arrow-right',
  newMessage: 'pencil',
  newChannel: 'plus',
  outbox: 'outbox',
  markRead: 'check-double',
  sidebar: 'sidebar',
  settings: 'settings',
  shortcuts: 'keyboard',
  notices: 'bell',
  replyInThread: 'thread',
  quote: 'quote',
  react: 'smile-plus',
  edit: 'pencil',
  delete: 'trash',
  pin: 'pin',
  copy: 'copy',
  bold: 'bold',
  italic: 'italic',
  strike: 'strike',
  attach: 'paperclip',
}

function Person({ id }: { readonly id: string }) {
  const user = useUser(id)
  return <Portrait userId={id} size={22} presence={user === undefined ? undefined : presenceOf(user)} />
}

/** Additional text: a draft, the person's status, or where the focus must be for an action. */
function Extra({ item, isReady }: Pick<Props, 'item' | 'isReady'>) {
  const t = useTexts('search')
  const cid = item.kind === 'channel' ? item.cid : ''
  const channel = useChannel(cid)
  const draft = useAppSelector((state) => (channel?.hasDraft === true ? state.entities.drafts[cid]?.text : undefined))
  const user = useUser(item.kind === 'person' ? item.userId : channel?.directUserId)
  const text =
    item.kind === 'action'
      ? isReady
        ? undefined
        : t(item.action.place === 'message' ? 'switcher.onMessage' : 'switcher.whileWriting')
      : channel?.hasDraft === true
        ? [t('switcher.draft'), draft?.slice(0, 80)].filter(Boolean).join(': ')
        : channel?.archivedAt === undefined
          ? (user?.statusText ?? (item.kind === 'person' ? item.user.statusText : undefined))
          : t('switcher.archived')
  return text === undefined || text === '' ? null : (
    <span className={`${styles['extra']} ellipsis`}>
      <EmojiText text={text} />
    </span>
  )
}

function End({ item, isActive }: Pick<Props, 'item' | 'isActive'>) {
  const channel = useChannel(item.kind === 'channel' ? item.cid : '')
  const forYou = channel === undefined ? 0 : forYouOf(channel)
  const searchKeys = useShortcut('search')
  const keys = item.kind === 'action' ? item.action.keys : item.kind === 'search' ? searchKeys : []
  return (
    <span className={styles['end']} aria-hidden="true">
      {forYou > 0 ? (
        <Count value={forYou} tone="mention" />
      ) : channel !== undefined && channel.unread > 0 ? (
        <Count value={channel.unread} />
      ) : null}
      {keys.length > 0 ? <Keys keys={keys} /> : isActive ? <Keys keys={['↵']} /> : null}
    </span>
  )
}
