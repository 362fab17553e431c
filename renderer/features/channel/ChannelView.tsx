import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { useTexts, useFormats } from '../../i18n/index.ts'
import {
  useAppSelector,
  useChannelField,
  useAppDispatch,
  useAppStore,
  useObject,
  useSetting,
  useWindow,
  type SettledChannel,
  useSettledChannel,
  useSession,
  useUser,
} from '../../store/hooks.ts'
import { perWindow } from '../../store/objects.ts'
import { DWELL_MS, useDwell } from '../../lib/page/dwell.ts'
import { createUserInput, useBreakpoint, usePageInView } from '../../lib/page/environment.ts'
import { markedUnreadByHand, panelClosed, panelOpened, searchOpened } from '../../store/window/ui.ts'
import { channelTitle, markSeenRead, ChannelMenu } from '../sidebar/index.ts'
import { Composer } from '../composer/index.ts'
import { ConnectionBanner } from '../connection/index.ts'
import { useChannelStart } from './getting-started/guide.tsx'
import { MessageList } from '../messages/index.ts'
import { isTraceless } from '#shared/rules/channels/unread.ts'
import { useShortcut } from '../../app/keys/shortcuts.tsx'
import type { Panel } from '../../store/window/kinds.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/Button.tsx'
import { Skeleton } from '../../ui/View/Empty.tsx'
import { Tooltip } from '../../ui/Popover/Popover.tsx'
import { useMenuOf } from '../../ui/Menu/Menu.tsx'
import { Faces, Portrait, presenceOf } from '../people/index.ts'
import styles from './Channel.module.css'

type Props = {
  readonly cid: Cid
  /** Below 640 px: goes back to the channel list. */
  readonly onBack?: () => void
  /** Shown in the second half of a split window, a panel with its own landmark and no regions. */
  readonly beside?: boolean
}

/** A channel: header, banner, messages, composer. */
export function ChannelView({ cid, onBack, beside = false }: Props) {
  const t = useTexts('channel')
  const title = useAppSelector((state) => channelTitle(state, cid))
  const start = useChannelStart(cid)
  const Sheet = beside ? 'div' : 'main'
  return (
    <Sheet className={styles['sheet']} aria-label={beside ? undefined : title === '' ? t('conversation') : title}>
      <ChannelHeader cid={cid} onBack={onBack} beside={beside} />
      {beside ? null : <ConnectionBanner />}
      <div
        className={styles['messages']}
        data-region={beside ? undefined : 'messages'}
        data-other-half={beside ? '' : undefined}
      >
        <MessageList cid={cid} start={start} />
      </div>
      <ComposerSlot cid={cid} beside={beside} />
      <ReadMarker cid={cid} beside={beside} />
    </Sheet>
  )
}

/** Renders nothing. A component of its own, because its state changes with every scroll and must not re-render the sheet. */
function ReadMarker({ cid, beside }: { readonly cid: Cid; readonly beside: boolean }) {
  // In a split window only the active half is marked read.
  useMarkRead(
    cid,
    useAppSelector(({ ui }) => (ui.inSplit === true) === beside),
  )
  return null
}

function ComposerSlot({ cid, beside }: { readonly cid: Cid; readonly beside: boolean }) {
  const known = useChannelField(cid, 'cid') !== undefined
  return (
    <div className={styles['composer']} data-region={beside ? undefined : 'composer'}>
      {known ? <Composer key={cid} cid={cid} /> : null}
    </div>
  )
}

const userInput = perWindow(createUserInput)

/**
 * Marks a channel read while the user is reading it: window focused and visible, list at its newest row, newest page
 * loaded, not marked unread by hand, all for half a second. A window that was restored with the app marks nothing read
 * before the first user input.
 *
 * @param active whether this is the active one of two channels side by side
 */
export function useMarkRead(cid: Cid, active = true): void {
  const dispatch = useAppDispatch()
  const inView = usePageInView()
  const { subscribe, hasActed } = useObject(userInput)
  const touched = useSyncExternalStore(subscribe, hasActed)
  const unread = useChannelField(cid, 'unread') ?? 0
  const window = useWindow(`timeline:${cid}`)
  const atBottom = useAppSelector((state) => state.ui.atBottom[cid] === true)
  const byHand = useAppSelector((state) => state.ui.unreadByHand[cid] === true)
  const newestLoaded = window !== undefined && !window.hasNext && window.loading !== 'initial'
  const autoRead = useSetting('autoRead')
  const reading = active && touched && inView && atBottom && newestLoaded && !byHand
  useUnreadFromElsewhere(cid)
  useReadOnLeave(cid, autoRead === 'on-leave', reading && unread > 0)
  const read = useCallback(() => void dispatch(markSeenRead({ cid })), [dispatch, cid])
  useDwell(autoRead === 'automatic' && reading && unread > 0 ? unread : undefined, read)
}

/**
 * A channel marked unread in another window or on another device is treated as marked by hand here too, so that it is
 * not marked read automatically until it is left.
 */
function useUnreadFromElsewhere(cid: Cid): void {
  const dispatch = useAppDispatch()
  const lastReadAt = useChannelField(cid, 'lastReadAt')
  const before = useRef(lastReadAt)
  useEffect(() => {
    const hasMovedBack = lastReadAt !== undefined && before.current !== undefined && lastReadAt < before.current
    before.current = lastReadAt
    if (hasMovedBack) dispatch(markedUnreadByHand({ cid }))
  }, [dispatch, cid, lastReadAt])
}

/** Marks the channel read on leaving if its newest message was in view. */
function useReadOnLeave(cid: Cid, isOn: boolean, isSeen: boolean): void {
  const store = useAppStore()
  const seen = useRef(false)
  useEffect(() => {
    if (!isOn || !isSeen) {
      seen.current = false
      return undefined
    }
    const timer = setTimeout(() => {
      seen.current = true
    }, DWELL_MS)
    return () => clearTimeout(timer)
  }, [isOn, isSeen])
  useEffect(
    () => () => {
      if (seen.current) void store.dispatch(markSeenRead({ cid }))
    },
    [store, cid],
  )
}

type ChannelHeaderProps = {
  readonly cid: Cid
  readonly onBack?: () => void
  /** Shown in the second half of a split window. */
  readonly beside?: boolean
}

/** Name and topic, with buttons for members, pinned messages, search, details and the menu. */
export function ChannelHeader({ cid, onBack, beside = false }: ChannelHeaderProps) {
  const common = useTexts('common')
  return (
    <header className={styles['head']} data-region={beside ? undefined : 'header'}>
      {onBack === undefined ? null : <IconButton icon="arrow-left" label={common('back')} onClick={onBack} />}
      <div className={styles['names']}>
        <Title cid={cid} beside={beside} />
        <Topic cid={cid} />
      </div>
      <Actions cid={cid} beside={beside} />
    </header>
  )
}

type PartProps = { readonly cid: Cid; readonly beside: boolean }

function Title({ cid, beside }: PartProps) {
  const channel = useSettledChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  const other = useUser(channel?.directUserId)
  const details = useTexts('details')
  const session = useSession()
  const traceless = useSetting('traceless')
  const Heading = beside ? 'h2' : 'h1'
  return (
    <Heading className={styles['title']} tabIndex={-1}>
      {other !== undefined ? (
        <Portrait userId={other.id} size={24} presence={presenceOf(other)} />
      ) : (
        <Icon
          name={(channel?.directUserIds.length ?? 0) > 0 ? 'users' : channel?.isPrivate === true ? 'lock' : 'hash'}
          size={19}
        />
      )}
      <span className="ellipsis">{title}</span>
      {channel?.frozen === true ? <Icon name="snow" size={16} /> : null}
      {isTraceless(traceless, session, cid) ? (
        <span role="img" aria-label={details('traceless.title')} title={details('traceless.title')}>
          <Icon name="eye-off" size={16} />
        </span>
      ) : null}
    </Heading>
  )
}

function Topic({ cid }: { readonly cid: Cid }) {
  const channel = useSettledChannel(cid)
  const other = useUser(channel?.directUserId)
  const t = useTexts('channel')
  const memberSummary = useMemberSummary(channel)
  const isNarrow = useBreakpoint() === 'narrow'
  if (channel === undefined) return <Skeleton width={240} />
  const isGroup = other === undefined
  const text = channel.notes
    ? t('notesTopic')
    : isGroup
      ? isNarrow
        ? memberSummary
        : channel.topic
      : (other.statusText ?? (other.online ? t(other.away === true ? 'away' : 'online') : undefined))
  if (text === undefined || text === '') return <span className={styles['noTopic']} />
  return (
    <span className={`${styles['topic']} ellipsis`} dir="auto">
      {text}
    </span>
  )
}

/** Number of members, and how many have the channel open now. */
function useMemberSummary(channel: SettledChannel | undefined): string {
  const t = useTexts('channel')
  const formats = useFormats()
  if (channel === undefined) return ''
  const { memberCount, watcherCount } = channel
  const members = t('members.count', { count: memberCount })
  return watcherCount === 0 ? members : t('members.company', { members, online: formats.number(watcherCount) })
}

function Actions({ cid, beside }: PartProps) {
  const t = useTexts('channel')
  const dispatch = useAppDispatch()
  const channel = useSettledChannel(cid)
  const details = useTexts('details')
  const detailKeys = useShortcut('details')
  const searchKeys = useShortcut('searchHere')
  const windows = useTexts('windows')
  const closeKeys = useShortcut('closePanel')
  const panel = useAppSelector(({ ui }) =>
    ui.panel !== undefined && 'cid' in ui.panel && ui.panel.cid === cid ? ui.panel.kind : undefined,
  )
  const menu = useMenuOf((anchor, onClose) => (
    <ChannelMenu cid={cid} label={t('actions')} anchor={anchor} onClose={onClose} />
  ))
  if (channel === undefined) return null
  const toggle = (kind: 'members' | 'pinned' | 'info'): void => {
    const target: Panel = { kind, cid }
    dispatch(panel === kind ? panelClosed() : panelOpened(target))
  }
  return (
    <div className={styles['actions']}>
      {channel.directUserIds.length > 0 ? null : (
        <Tooltip text={t('members.tooltip')}>
          <button
            type="button"
            className={styles['members']}
            aria-label={t('members.count', { count: channel.memberCount })}
            aria-pressed={panel === 'members'}
            onClick={() => toggle('members')}
          >
            {channel.faceIds.length === 0 ? (
              <Icon name="users" size={17} />
            ) : (
              <Faces userIds={channel.faceIds} size={20} />
            )}
            <span aria-hidden="true">{channel.memberCount}</span>
          </button>
        </Tooltip>
      )}
      {channel.pinnedMessageCount === 0 ? null : (
        <Tooltip text={t('pinned.tooltip')}>
          <button
            type="button"
            className={styles['count']}
            aria-label={t('pinned.count', { count: channel.pinnedMessageCount })}
            aria-pressed={panel === 'pinned'}
            onClick={() => toggle('pinned')}
          >
            <Icon name="pin" size={16} />
            <span aria-hidden="true">{channel.pinnedMessageCount}</span>
          </button>
        </Tooltip>
      )}
      <IconButton
        icon="search"
        label={details('acts.search')}
        keys={searchKeys}
        onClick={() => dispatch(searchOpened({ cid }))}
      />
      <IconButton
        icon="info"
        label={details('open')}
        keys={detailKeys}
        pressed={panel === 'info'}
        onClick={() => toggle('info')}
      />
      <IconButton icon="more" label={t('actions')} {...menu.triggerProps} />
      {beside ? (
        <IconButton icon="x" label={windows('half.close')} keys={closeKeys} onClick={() => dispatch(panelClosed())} />
      ) : null}
      {menu.menu}
    </div>
  )
}
