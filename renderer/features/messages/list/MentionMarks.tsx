import { useMemo } from 'react'
import type { Message } from '#shared/domain/message.ts'
import type { ListView } from './list-view.ts'
import { mentions } from '../row/select.ts'
import styles from './MessagePane.module.css'

type Props = {
  readonly messages: readonly Message[]
  readonly viewerId: string | undefined
  readonly view: ListView
}

/** Where in the list the viewer is named, beside the scrollbar. The rows say it themselves; keys walk from one to the next. */
export function MentionMarks({ messages, viewerId, view }: Props) {
  const shares = useMemo(
    () => view.sharesOf(messages.filter((message) => mentions(message, viewerId)).map(({ id }) => id)),
    [messages, viewerId, view],
  )
  if (shares.length === 0) return null
  return (
    <div className={styles['marks']} aria-hidden="true">
      {shares.map((share) => (
        <span key={share} style={{ insetBlockStart: `${share * 100}%` }} />
      ))}
    </div>
  )
}
