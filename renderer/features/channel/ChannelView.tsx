import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import {
  useAppSelector,
  useChannelField,
  useAppDispatch,
  useAppStore,
  useObject,
  useSetting,
  useWindow,
} from '../../store/hooks.ts'
import { perWindow } from '../../store/objects.ts'
import { usePageInView } from '../../lib/page/page-in-view.ts'
import { createUserInput } from '../../lib/page/environment.ts'
import { markedUnreadByHand } from '../../store/window/ui.ts'
import { channelTitle, markSeenRead } from '../sidebar/index.ts'
import { Composer } from '../composer/index.ts'
import { ConnectionBanner } from '../connection/index.ts'
import { useChannelStart } from './getting-started/use-channel-start.tsx'
import { MessageList } from '../messages/index.ts'
import { ChannelHeader } from './ChannelHeader.tsx'
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

/** How long the newest messages must be in view. */
const DWELL_MS = 500

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
  useEffect(() => {
    // Each new message restarts the half second.
    if (autoRead !== 'automatic' || !reading || unread === 0) return undefined
    const timer = setTimeout(() => void dispatch(markSeenRead({ cid })), DWELL_MS)
    return () => clearTimeout(timer)
  }, [dispatch, cid, reading, unread, autoRead])
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
