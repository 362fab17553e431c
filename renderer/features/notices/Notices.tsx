import { createSelector } from '@reduxjs/toolkit'
import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { usePageInView } from '../../lib/page/environment.ts'
import { overlayPart } from '../../lib/page/part.tsx'
import { useAppSelector } from '../../store/hooks.ts'
import type { AppState } from '../../store/store.ts'
import type { LocalNotice } from '../../store/window/notices.ts'
import { onTopModal, topModal } from '../../ui/Modal/Modal.tsx'
import styles from './Notices.module.css'

export const NoticeCard = overlayPart(async () => (await import('./NoticeCard.tsx')).NoticeCard)

/**
 * The newest notices over the lower corner. Their time stops while they have the pointer or focus, or the page is not in
 * view. `children`: notices of other features, shown below until they are dismissed.
 */
export function NoticeRegion({ children }: { readonly children?: ReactNode }) {
  const t = useTexts('notices')
  const shown = useAppSelector(selectShownNotices)
  const overComposer = useAppSelector((state) => state.ui.route.view === 'channel')
  const inView = usePageInView()
  const [interacting, setInteracting] = useState(false)
  const region = useRef<HTMLElement>(null)
  const stack = useRef<HTMLDivElement>(null)
  const held = useFreePlace(region, overComposer)
  const look = useCallback(() => setInteracting(stack.current?.matches(':hover, :focus-within') === true), [])
  return (
    <section
      ref={region}
      className={overComposer ? styles['region'] : `${styles['region']} ${styles['low']}`}
      aria-label={t('region')}
      data-region="notices"
    >
      <div
        ref={stack}
        role="presentation"
        className={styles['stack']}
        onPointerEnter={() => setInteracting(true)}
        onPointerLeave={() => setInteracting(false)}
        onFocus={() => setInteracting(true)}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setInteracting(false)}
      >
        {shown.map((notice) => (
          <NoticeCard key={notice.id} notice={notice} paused={interacting || held || !inView} onGone={look} />
        ))}
        {children}
      </div>
    </section>
  )
}

/**
 * Keeps the notices off the box of an open dialog: in their usual corner, else in the upper one. Where neither is free they
 * are held until the dialog is closed; returns whether they are. Where no composer keeps the list above them, its end can be
 * scrolled above them.
 */
function useFreePlace(ref: RefObject<HTMLElement | null>, overComposer: boolean): boolean {
  const [held, setHeld] = useState(false)
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const leaveRoom = (height: number): void => {
      const room = height > 0 ? `${Math.ceil(height) + CORNER_PX}px` : ''
      if (style.getPropertyValue(ROOM) !== room) style.setProperty(ROOM, room)
    }
    const place = (): void => {
      const region = ref.current
      if (region === null) return
      const box = topModal()?.querySelector('[data-modal-box]')?.getBoundingClientRect()
      const free = PLACES.find((name) => {
        region.dataset['place'] = name
        return box === undefined || !overlap(region.getBoundingClientRect(), box)
      })
      region.dataset['place'] = free ?? 'held'
      setHeld(free === undefined)
      leaveRoom(free === 'usual' && !overComposer ? region.getBoundingClientRect().height : 0)
    }
    const sizes = new ResizeObserver(place)
    const watch = (): void => {
      sizes.disconnect()
      const box = topModal()?.querySelector('[data-modal-box]')
      for (const element of [ref.current, box]) if (element) sizes.observe(element)
      place()
    }
    watch()
    const stop = onTopModal(watch)
    window.addEventListener('resize', place)
    return () => {
      sizes.disconnect()
      stop()
      window.removeEventListener('resize', place)
      leaveRoom(0)
    }
  }, [ref, overComposer])
  return held
}

/** How much of the lower edge the notices take on a page that scrolls to its end: its body has that much room below. */
const ROOM = '--notices-room'
/** What keeps them from the edge of the window, and a gap. */
const CORNER_PX = 32

const PLACES = ['usual', 'top'] as const

const overlap = (a: DOMRect, b: DOMRect): boolean =>
  a.width > 0 && a.height > 0 && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

const MAX_SHOWN = 3

export const selectEngineNotices = (state: AppState) => state.entities.notices
export const selectLocal = (state: AppState) => state.notices.local
const selectDismissed = (state: AppState) => state.notices.dismissed

/** The newest three notices that are not dismissed and whose cause has not ended, oldest first. */
const selectShownNotices = createSelector(
  [selectEngineNotices, selectLocal, selectDismissed],
  (fromEngine, local, dismissed): readonly LocalNotice[] =>
    [...Object.values(fromEngine), ...local]
      .filter((notice) => !notice.over && !(notice.id in dismissed))
      .toSorted((a, b) => a.createdAt - b.createdAt)
      .slice(-MAX_SHOWN),
)
