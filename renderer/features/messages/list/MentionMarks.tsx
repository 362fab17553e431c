import { useMemo } from 'react'
import type { Message } from '#shared/domain/message.ts'
import type { ListView } from './list-view.ts'
import type { Row } from '../model/rows.ts'
import { mentions } from '../row/select.ts'
import styles from './MessagePane.module.css'

type Props = {
  readonly messages: readonly Message[]
  readonly viewerId: string | undefined
  readonly rows: readonly Row[]
  readonly view: ListView
}

/** Marks beside the scroll bar at mentions of the viewer. Hidden from screen readers, because the rows say it and keys move between mentions. */
export function MentionMarks({ messages, viewerId, rows, view }: Props) {
  const shares = useMemo(() => {
    const mentioning = messages.filter((message) => mentions(message, viewerId))
    return mentioning.length === 0 ? [] : view.sharesOf(new Set(mentioning.map(({ id }) => id)), rows)
  }, [messages, viewerId, rows, view])
  if (shares.length === 0) return null
  return (
    <div className={styles['marks']} aria-hidden="true">
      {shares.map((share) => (
        <span key={share} style={{ insetBlockStart: `${share * 100}%` }} />
      ))}
    </div>
  )
}
