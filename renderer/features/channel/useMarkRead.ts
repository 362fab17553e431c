import { useEffect, useRef } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { useAppDispatch, useAppSelector, useAppStore, useChannel, useSetting, useWindow } from '../../store/hooks.ts'
import { usePageInView } from '../../lib/page/page-in-view.ts'
import { useUserActed } from '../../lib/page/user-acted.ts'
import { markedUnreadByHand } from '../../store/window/ui.ts'
import { markChannelRead } from '../sidebar/index.ts'

/** How long a person must have had the newest messages before them. */
const DWELL_MS = 500

/**
 * Marks a channel read when someone is really reading it: window focused and visible, list at its newest row, newest page
 * loaded, not marked unread by hand, and all of that for half a second. A window that only came back with the app, and
 * that no one has touched yet, reads nothing.
 *
 * @param active of two channels side by side the one someone works in
 */
export function useMarkRead(cid: Cid, active = true): void {
  const dispatch = useAppDispatch()
  const inView = usePageInView()
  const touched = useUserActed()
  const unread = useChannel(cid)?.unread ?? 0
  const window = useWindow(`timeline:${cid}`)
  const atBottom = useAppSelector((state) => state.ui.atBottom[cid] === true)
  const byHand = useAppSelector((state) => state.ui.unreadByHand[cid] === true)
  const newestLoaded = window !== undefined && !window.hasNext && window.loading !== 'initial'
  const autoRead = useSetting('autoRead')
  const reading = active && touched && inView && atBottom && newestLoaded && !byHand
  useUnreadFromElsewhere(cid)
  useReadOnLeave(cid, autoRead === 'on-leave', reading && unread > 0)
  useEffect(() => {
    // Each new message starts the half second again.
    if (autoRead !== 'automatic' || !reading || unread === 0) return undefined
    const timer = setTimeout(() => void dispatch(markChannelRead({ cid })), DWELL_MS)
    return () => clearTimeout(timer)
  }, [dispatch, cid, reading, unread, autoRead])
}

/**
 * Marked unread in another window of this channel, or on another device: as little to be read by itself here as where it
 * was marked, until this one is left too.
 */
function useUnreadFromElsewhere(cid: Cid): void {
  const dispatch = useAppDispatch()
  const lastReadAt = useChannel(cid)?.lastReadAt
  const before = useRef(lastReadAt)
  useEffect(() => {
    const wentBack = lastReadAt !== undefined && before.current !== undefined && lastReadAt < before.current
    before.current = lastReadAt
    if (wentBack) dispatch(markedUnreadByHand({ cid }))
  }, [dispatch, cid, lastReadAt])
}

/** Remembers that the newest message was before the reader, and says so when they go elsewhere. */
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
      if (seen.current) void store.dispatch(markChannelRead({ cid }))
    },
    [store, cid],
  )
}
