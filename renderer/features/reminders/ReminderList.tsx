import { useState, type KeyboardEvent } from 'react'
import type { Reminder } from '#shared/domain/reminder.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { keyOf } from '../../lib/text/chords.ts'
import { cx } from '../../lib/cx.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { doneReminder, openMessage, removeReminder, setReminder } from './commands.ts'
import type { Group } from './groups.ts'
import { RemindMenu } from './RemindMenu.tsx'
import { ReminderRow } from './ReminderRow.tsx'
import styles from './Reminders.module.css'

type Props = {
  readonly groups: readonly Group[]
  readonly now: number
  /** The last row was removed: the focus must move elsewhere. */
  readonly onEmptied: () => void
}

/** The rows of one tab. One tab stop: arrows or J and K move, Enter opens, E completes, H snoozes, Delete removes. */
export function ReminderList({ groups, now, onEmptied }: Props) {
  const t = useTexts('reminders')
  const dispatch = useAppDispatch()
  const reminders = groups.flatMap((group) => group.reminders)
  const ids = reminders.map(({ messageId }) => messageId)
  const roving = useRoving({ ids })
  const { ref, onKeyDown, onFocus } = roving.containerProps
  const [menu, setMenu] = useState<{ readonly messageId: MessageId; readonly anchor: Element }>()

  /** Removes a row and moves the focus to the next one, else to the previous one. */
  const end = async (reminder: Reminder, how: 'done' | 'again' | 'removed'): Promise<void> => {
    const { messageId } = reminder
    const at = ids.indexOf(messageId)
    const neighbour = ids[at + 1] ?? ids[at - 1]
    const isFocused = ref.current?.contains(document.activeElement) === true
    const result = await dispatch(ENDINGS[how]({ messageId }))
    if (!result.ok) return
    announce(t(`said.${how}`))
    if (!isFocused) return
    if (neighbour === undefined) onEmptied()
    else roving.focus(neighbour)
  }
  const toggle = (reminder: Reminder): void => void end(reminder, reminder.doneAt === undefined ? 'done' : 'again')
  const change = ({ messageId }: Reminder): void => void dispatch(dialogOpened({ kind: 'reminder', messageId }))

  const onLetter = (event: KeyboardEvent): void => {
    const target = event.target instanceof Element ? event.target.closest('[data-reminder]') : null
    const reminder = reminders.find(({ messageId }) => messageId === target?.getAttribute('data-reminder'))
    if (reminder === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const at = ids.indexOf(reminder.messageId)
    const run = {
      j: () => roving.focus(ids[Math.min(at + 1, ids.length - 1)] ?? reminder.messageId),
      k: () => roving.focus(ids[Math.max(at - 1, 0)] ?? reminder.messageId),
      e: () => toggle(reminder),
      h: () => target !== null && setMenu({ messageId: reminder.messageId, anchor: target }),
      Delete: () => void end(reminder, 'removed'),
    }[keyOf(event)]
    if (run === undefined) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      role="presentation"
      onFocus={onFocus}
      onKeyDown={(event) => {
        onLetter(event)
        onKeyDown(event)
      }}
    >
      {groups.map(({ name, reminders: rows }) => (
        <section key={name ?? 'all'} aria-label={name === undefined ? t('title') : t(`groups.${name}`)}>
          {name === undefined ? null : <GroupHead name={name} count={rows.length} />}
          <ul>
            {rows.map((reminder) => (
              <ReminderRow
                key={reminder.messageId}
                reminder={reminder}
                now={now}
                item={roving.itemProps(reminder.messageId)}
                held={menu?.messageId === reminder.messageId}
                onOpen={() => dispatch(openMessage(reminder))}
                onToggle={() => toggle(reminder)}
                onSnooze={(anchor) => setMenu({ messageId: reminder.messageId, anchor })}
                onChange={() => change(reminder)}
                onRemove={() => void end(reminder, 'removed')}
              />
            ))}
          </ul>
        </section>
      ))}
      {menu === undefined ? null : <RemindMenu {...menu} onClose={() => setMenu(undefined)} />}
    </div>
  )
}

/** `again` sets a reminder without a time: its previous time has passed. */
const ENDINGS = { done: doneReminder, again: setReminder, removed: removeReminder } as const

const GLYPHS = { overdue: 'alert-circle', due: 'bell', today: undefined, upcoming: undefined } as const

function GroupHead({ name, count }: { readonly name: NonNullable<Group['name']>; readonly count: number }) {
  const t = useTexts('reminders')
  const glyph = GLYPHS[name]
  return (
    <h2 className={cx(styles['groupHead'], styles[`${name}Head`])}>
      {glyph === undefined ? null : <Icon name={glyph} size={17} />}
      {t(`groups.${name}`)} <span className={styles['count']}>{count}</span>
    </h2>
  )
}
