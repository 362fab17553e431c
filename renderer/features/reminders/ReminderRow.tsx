import type { Reminder } from '#shared/domain/reminder.ts'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { richText } from '../../lib/text/rich.tsx'
import { useConnection } from '../../store/hooks.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Tooltip } from '../../ui/Popover/Tooltip.tsx'
import { EmojiText } from '../emoji/index.ts'
import { Portrait } from '../people/index.ts'
import { groupOf } from './groups.ts'
import { useAbout, type About } from './use-about.ts'
import { useWhen } from './use-when.ts'
import styles from './Reminders.module.css'

type Props = {
  readonly reminder: Reminder
  readonly now: number
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  /** The menu of the row is open, so its buttons stay visible. */
  readonly held: boolean
  readonly onOpen: () => void
  readonly onToggle: () => void
  readonly onSnooze: (anchor: Element) => void
  readonly onChange: () => void
  readonly onRemove: () => void
}

/** One reminder: checkbox, text, author and place, time. */
export function ReminderRow({ reminder, now, item, held, onOpen, onToggle, ...act }: Props) {
  const t = useTexts('reminders')
  const about = useAbout(reminder)
  const when = useMoments(reminder, now)
  const isDone = reminder.doneAt !== undefined
  const isTimed = reminder.remindAt !== undefined && !isDone
  const name = t('row.name', {
    ...about,
    when: [when.main, when.small].filter((part) => part !== undefined).join(', '),
  })
  return (
    <li
      className={cx(styles['row'], held && styles['held'], isTimed && styles[groupOf(reminder, now)])}
      data-reminder={reminder.messageId}
    >
      <button
        type="button"
        className={cx(styles['tick'], isDone && styles['ticked'])}
        tabIndex={item.tabIndex}
        aria-label={t(isDone ? 'row.again' : 'row.done')}
        onClick={onToggle}
      >
        <Icon name="check" size={13} />
      </button>
      <button type="button" className={styles['open']} aria-label={name} {...item} onClick={onOpen}>
        <span className={styles['body']}>
          <span className={styles['text']} dir="auto">
            <EmojiText text={about.text} />
          </span>
          <Meta about={about} pending={reminder.pending} />
        </span>
        <span className={styles['when']}>
          {when.main}
          {when.small === undefined ? null : <small>{when.small}</small>}
        </span>
      </button>
      <span className={styles['actions']}>
        <IconButton
          size="small"
          icon="alarm"
          label={t('row.snooze')}
          tabIndex={item.tabIndex}
          aria-haspopup="menu"
          aria-expanded={held}
          onClick={(event) => act.onSnooze(event.currentTarget)}
        />
        <IconButton
          size="small"
          icon="pencil"
          label={t(isTimed ? 'row.change' : 'row.setTime')}
          tabIndex={item.tabIndex}
          onClick={act.onChange}
        />
        <IconButton size="small" icon="trash" label={t('row.remove')} tabIndex={item.tabIndex} onClick={act.onRemove} />
      </span>
    </li>
  )
}

/** The two lines at the end of a row; only the date once the relative time is too far away. */
function useMoments({ remindAt, doneAt }: Reminder, now: number): { readonly main?: string; readonly small?: string } {
  const t = useTexts('reminders')
  const when = useWhen()
  if (doneAt !== undefined) return { small: t('row.doneAt', { when: when.absolute(doneAt, now) }) }
  if (remindAt === undefined) return {}
  const relative = when.relative(remindAt, now)
  const absolute = when.absolute(remindAt, now)
  return relative === undefined ? { main: absolute } : { main: relative, small: absolute }
}

function Meta({ about, pending }: { readonly about: About; readonly pending: boolean }) {
  const t = useTexts('reminders')
  const { offline } = useConnection()
  return (
    <span className={styles['meta']}>
      {about.authorId === undefined ? null : <Portrait userId={about.authorId} size={16} />}
      <span>
        {about.author === '' ? (
          <b>{about.place}</b>
        ) : (
          richText((values) => t('row.in', values), { author: about.author, place: about.place })
        )}
      </span>
      {pending && offline ? (
        <Tooltip text={t('row.pending')} side="above">
          <span className={styles['pending']}>
            <Icon name="cloud-off" size={14} />
          </span>
        </Tooltip>
      ) : null}
    </span>
  )
}
