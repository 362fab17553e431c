import { useEffect, useRef } from 'react'
import type { OutboxItem } from '#shared/domain/intent.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useAppSelector } from '../../store/hooks.ts'

/** Withdrawn by the user, who wants to change it. */
const WITHDRAWN = 'outbox/taken-back'

/**
 * Announces messages that could not be sent, at once, wherever the user is: the row that says so may not be on screen.
 * Failures of other kinds raise a notice.
 */
export function FailedSends() {
  const t = useTexts('outbox')
  const errorText = useErrorText()
  const rows = useAppSelector(({ entities }) => entities.outbox)
  const before = useRef(rows)
  useEffect(() => {
    const known = before.current
    before.current = rows
    for (const item of Object.values(rows)) {
      const old = known[item.id]
      // What had failed when the window opened is no news.
      if (old === undefined || old.state === 'parked' || !hasFailed(item)) continue
      const { summary, reason } = item
      announce(t('notSent', { text: summary, reason: reason === undefined ? '' : errorText(reason) }), {
        assertive: true,
      })
    }
  }, [rows, t, errorText])
  return null
}

const hasFailed = ({ kind, state, content, reason }: OutboxItem): boolean =>
  kind === 'send-message' && state === 'parked' && content === undefined && reason?.code !== WITHDRAWN
