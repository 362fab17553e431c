import { useState } from 'react'
import { reminderState } from '#shared/rules/reminders/reminders.ts'
import type { Reminder } from '#shared/domain/message.ts'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useReminderClock } from '../../store/reminders.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { RemindMenu } from './parts.tsx'
import { useWhen } from './words.ts'
import styles from './Chip.module.css'

/** The reminder of a message, as a chip. A click opens the menu to change it. */
export function Chip({ reminder }: { readonly reminder: Reminder }) {
  const t = useTexts('reminders')
  const when = useWhen()
  const now = useReminderClock([reminder.remindAt])
  const [anchor, setAnchor] = useState<Element>()
  const state = reminderState(reminder, now)
  const text = when.chip(reminder, now)
  return (
    <>
      <button
        type="button"
        className={cx(styles['chip'], styles[state])}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        aria-label={t('chip.menu', { state: text })}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name={state === 'saved' ? 'bookmark' : 'alarm'} size={14} />
        {text}
      </button>
      {anchor === undefined ? null : (
        <RemindMenu messageId={reminder.messageId} anchor={anchor} onClose={() => setAnchor(undefined)} />
      )}
    </>
  )
}
