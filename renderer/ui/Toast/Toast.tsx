import { useEffect, useRef, type ReactNode, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { announce, onAnnouncement, type Announcement } from '../../lib/page/announce.ts'
import { Icon, type IconName } from '../Icon/Icon.tsx'
import { IconButton } from '../Button/Button.tsx'
import { onTopModal } from '../Modal/Modal.tsx'
import styles from './Toast.module.css'

type Said = {
  readonly text: string
  /** Announced again when it changes, not when only the text does; the text itself if absent. */
  readonly id?: string
  readonly assertive?: boolean
}

type Props = {
  readonly icon: IconName
  readonly tone: 'error' | 'warning' | 'info' | 'success'
  readonly title: string
  readonly announcement: Said
  readonly dismissLabel: string
  readonly onDismiss: () => void
  readonly children?: ReactNode
}

/**
 * A card in the corner: what happened, and the actions on it. It is no live region: one that comes with its text is often
 * not read out, so the regions that are always there announce it.
 */
export function Toast({ icon, tone, title, announcement, dismissLabel, onDismiss, children }: Props) {
  useAnnouncedOnce(announcement)
  return (
    <div role="group" aria-label={title} className={cx(styles['toast'], styles[tone])}>
      <Icon name={icon} size={20} />
      <div className={styles['main']}>
        <div className={styles['title']}>{title}</div>
        {children}
      </div>
      <IconButton icon="x" size="tiny" iconSize={15} label={dismissLabel} tooltipSide="above" onClick={onDismiss} />
    </div>
  )
}

/** Announces a text when it is shown first, and again when what it is about changes. */
export function useAnnouncedOnce({ text, id = text, assertive = false }: Said): void {
  const announced = useRef<string>(undefined)
  useEffect(() => {
    if (announced.current === id) return
    announced.current = id
    announce(text, { assertive })
  }, [id, text, assertive])
}

/** The buttons below a toastâs text. */
export function ToastActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>
}

/** An announcement younger than this when the regions move has hardly been read out: it is repeated in the new place. */
const HEARD_MS = 1_000

/** The live regions for screen readers. Rendered once per window. */
export function Announcer() {
  const [polite, setPolite] = useState<Announcement>()
  const [assertive, setAssertive] = useState<Announcement>()
  useEffect(() => {
    let last: { readonly news: Announcement; readonly at: number } | undefined
    const show = (news: Announcement): void => {
      last = { news, at: performance.now() }
      ;(news.assertive ? setAssertive : setPolite)(news)
    }
    const stopHearing = onAnnouncement(show)
    // Regions that move with their text in them would be read out again.
    const stopMoving = onTopModal(() => {
      setPolite(undefined)
      setAssertive(undefined)
      const news = last !== undefined && performance.now() - last.at < HEARD_MS ? last.news : undefined
      if (news !== undefined) setTimeout(() => show({ ...news, serial: -news.serial }))
    })
    return () => {
      stopHearing()
      stopMoving()
    }
  }, [])
  return (
    <>
      <div className="sr-only" role="status" aria-live="polite" data-announcer="polite">
        <span key={polite?.serial} lang={polite?.language}>
          {polite?.text}
        </span>
      </div>
      <div className="sr-only" role="alert" aria-live="assertive" data-announcer="assertive">
        <span key={assertive?.serial}>{assertive?.text}</span>
      </div>
    </>
  )
}
