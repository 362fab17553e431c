import { useEffect, useState } from 'react'
import { onAnnouncement, type Announcement } from '../../lib/page/announce.ts'
import { onTopModal } from '../Modal/Modal.tsx'

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
