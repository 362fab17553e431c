import { memo, type KeyboardEvent, type ReactNode } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import type { Section } from '#shared/rules/channels/sidebar.ts'
import type { Channel } from '#shared/domain/channel.ts'
import type { SectionName } from '#shared/domain/settings.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useChannel, useUser, useSetting } from '../../store/hooks.ts'
import { cx } from '../../lib/cx.ts'
import { selectOpenCid, selectTypists } from '../../store/selectors.ts'
import { Count } from '../../ui/Mark/Mark.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { useMenuOf } from '../../ui/Menu/Menu.tsx'
import { Portrait, presenceOf } from '../people/index.ts'
import { TypingDots } from '../typing/index.ts'
import { openChannel, useChannelLink, useOpening } from '../windows/index.ts'
import { useAnnouncedNudge, type Dragging } from './arranging.ts'
import { channelTitle, forYouOf, isLoud, useSectionTitles } from './selectors.ts'
import { RowMenu, SectionMenu } from './parts.ts'
import { IconButton } from '../../ui/Button/Button.tsx'
import styles from './Sidebar.module.css'
import { updateSettings } from '../settings/index.ts'

type ChannelRowProps = {
  readonly cid: Cid
  readonly tabIndex: 0 | -1
}

/** One conversation in the sidebar. */
const ChannelRow = memo(function ChannelRow({ cid, tabIndex }: ChannelRowProps) {
  const channel = useChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  const isOpen = useAppSelector((state) => selectOpenCid(state) === cid)
  const isTyping = useAppSelector((state) => selectTypists(state, cid).length > 0)
  const dispatch = useAppDispatch()
  const opening = useOpening()
  const link = useChannelLink(cid)
  const label = useRowLabel(channel, title)
  const menu = useMenuOf((anchor, onClose) => <RowMenu cid={cid} label={title} anchor={anchor} onClose={onClose} />)
  if (channel === undefined) return null
  const unread = isLoud(channel)
  return (
    <>
      <a
        href={link}
        draggable={false}
        tabIndex={tabIndex}
        data-roving-id={cid}
        data-channel-item={cid}
        aria-current={isOpen ? 'page' : undefined}
        aria-label={label}
        className={cx(styles['row'], unread && !isOpen && styles['unread'], channel.muted && styles['muted'])}
        {...opening((way) => dispatch(openChannel(cid, way)))}
        onContextMenu={menu.onContextMenu}
      >
        <RowFace channel={channel} />
        <span className={styles['name']}>{title}</span>
        <RowEnd channel={channel} isTyping={isTyping} isOpen={isOpen} />
      </a>
      {menu.menu}
    </>
  )
})

function RowFace({ channel }: { readonly channel: Channel }) {
  const other = useUser(channel.directUserId)
  if (other !== undefined) return <Portrait userId={other.id} size={20} presence={presenceOf(other)} />
  return <Icon name={channel.directUserIds.length > 0 ? 'users' : channel.isPrivate ? 'lock' : 'hash'} />
}

type EndProps = { readonly channel: Channel; readonly isTyping: boolean; readonly isOpen: boolean }

/** At most two badges, in the order typing, queued, draft, muted, count; a count is always last. */
function RowEnd({ channel, isTyping, isOpen }: EndProps) {
  const forYou = forYouOf(channel)
  const count = forYou > 0 ? forYou : channel.muted || isTyping ? 0 : channel.unread
  const marks = [
    isTyping && !isOpen ? <TypingDots key="typing" /> : null,
    channel.queuedCount > 0 ? <Icon key="queued" name="clock" size={15} /> : null,
    channel.hasDraft && !isOpen ? <Icon key="draft" name="pencil" size={15} /> : null,
    channel.muted ? <Icon key="muted" name="bell-off" size={15} /> : null,
  ].filter((mark) => mark !== null)
  const shown = isOpen && forYou === 0 ? 0 : count
  if (marks.length === 0 && shown === 0) return null
  return (
    <span className={styles['end']}>
      {marks.slice(0, shown > 0 ? 1 : 2)}
      {shown > 0 ? <Count value={shown} tone={forYou > 0 ? 'mention' : 'unread'} /> : null}
    </span>
  )
}

/** Accessible name with all badges: "support-triage, 2 mentions, draft". */
function useRowLabel(channel: Channel | undefined, title: string): string {
  const t = useTexts('sidebar')
  if (channel === undefined) return title
  const isDirect = channel.directUserIds.length > 0
  const mentions = isDirect ? 0 : channel.unreadMentions
  return [
    title,
    channel.isPrivate && !isDirect ? t('row.private') : '',
    mentions > 0 ? t('row.mentions', { count: mentions }) : '',
    channel.unread > 0 && mentions === 0 ? t('row.unread', { count: channel.unread }) : '',
    channel.hasDraft ? t('row.draft') : '',
    channel.queuedCount > 0 ? t('row.queued', { count: channel.queuedCount }) : '',
    channel.muted ? t('row.muted') : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

type Props = {
  readonly cid: Cid
  readonly section: Section
  readonly tabIndex: 0 | -1
  readonly dragging: Dragging
}

/** A row that can be moved by dragging, or by Ctrl+Shift and the arrow keys. */
export const RowFrame = memo(function RowFrame({ cid, section, tabIndex, dragging }: Props) {
  const onKeyDown = useNudge(cid)
  return (
    <li className={styles['item']} onKeyDown={onKeyDown} {...dragging.row(cid, section)}>
      <ChannelRow cid={cid} tabIndex={tabIndex} />
    </li>
  )
})

function useNudge(cid: Cid): (event: KeyboardEvent<HTMLElement>) => void {
  const nudge = useAnnouncedNudge(cid)
  return (event) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (by === undefined || !event.shiftKey || event.altKey || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void nudge(by)
  }
}

type SectionHeadProps = {
  readonly name: SectionName
  readonly isClosed: boolean
  readonly cids: readonly string[]
  readonly children: ReactNode
}

/** Heading of a section; collapses and expands it. A collapsed one still shows its mention count. */
export function SectionHead({ name, isClosed, cids, children }: SectionHeadProps) {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const closedSections = useSetting('closedSections')
  const title = useSectionTitles()(name)
  const label = t('section.options', { name: title })
  const menu = useMenuOf((anchor, onClose) => (
    <SectionMenu name={name} cids={cids} label={label} anchor={anchor} onClose={onClose} />
  ))
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
        <IconButton icon="more" size="tiny" onApp label={label} {...menu.triggerProps} />
      </span>
      {children}
      {menu.menu}
    </div>
  )
}
