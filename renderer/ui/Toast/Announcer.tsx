import { useEffect, useState } from 'react'
import { onAnnouncement, type Announcement } from '../../lib/page/announce.ts'

/** The one place screen readers hear news from. Rendered once per window. */
export function Announcer() {
  const [polite, setPolite] = useState<Announcement>()
  const [assertive, setAssertive] = useState<Announcement>()
  useEffect(() => onAnnouncement((news) => (news.assertive ? setAssertive : setPolite)(news)), [])
  return (
    <>
      <div className="sr-only" role="status" aria-live="polite" data-announcer="polite">
        <span key={polite?.serial}>{polite?.text}</span>
      </div>
      <div className="sr-only" role="alert" aria-live="assertive" data-announcer="assertive">
        <span key={assertive?.serial}>{assertive?.text}</span>
      </div>
    </>
  )
}
