import { useRef, useState, type KeyboardEvent } from 'react'
import type { Reminder } from '#shared/domain/reminder.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { reminderState } from '#shared/rules/reminders/reminders.ts'
import { useTexts } from '../../i18n/index.ts'
import { useReminderClock, selectReminders, selectReminderTimes } from '../../store/reminders.ts'
import { useAppSelector, useWindow, useAppDispatch, useConnection } from '../../store/hooks.ts'
import { Empty } from '../../ui/View/Empty.tsx'
import { View } from '../../ui/View/View.tsx'
import { useRoving } from '../../lib/page/roving.ts'
import { announce } from '../../lib/page/announce.ts'
import { keyOf } from '../../lib/text/chords.ts'
import { cx } from '../../lib/cx.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { richText } from '../../lib/text/rich.tsx'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Tooltip } from '../../ui/Popover/Tooltip.tsx'
import { ConnectionBanner, Unanswered } from '../connection/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { Portrait } from '../people/index.ts'
import { PlaceTabs } from '../sidebar/index.ts'
import { useReminderMessages, useAbout, type About } from './messages.ts'
import { doneReminder, openMessage, removeReminder, setReminder } from './commands.ts'
import { RemindMenu, useWhen } from './RemindMenu.tsx'
import styles from './Reminders.module.css'

type Props = {
  /** Below 640 px: goes back to the list. */
  readonly onBack?: () => void
}

/** All reminders: overdue, due, upcoming, saved without a time, and done. */
export function RemindersView({ onBack }: Props) {
  const t = useTexts('reminders')
  const common = useTexts('common')
  const heading = useRef<HTMLHeadingElement>(null)
  const [tab, setTab] = useState<Tab>('open')
  const reminders = useAppSelector(selectReminders)
  const now = useReminderClock(useAppSelector(selectReminderTimes))
  useReminderMessages(true)
  const unanswered = useWindow('later')?.unanswered === true
  const counts = {
    open: reminders.filter((reminder) => tabOf(reminder) === 'open').length,
    saved: reminders.filter((reminder) => tabOf(reminder) === 'saved').length,
  }
  const groups = groupsOf(reminders, tab, now)
  return (
    <View
      icon="alarm"
      title={t('title')}
      back={onBack && { label: common('back'), onPress: onBack }}
      banner={
        <>
          <ConnectionBanner />
          <PlaceTabs of="later" />
        </>
      }
      heading={heading}
    >
      <div className={styles['column']}>
        <ReminderTabs tab={tab} counts={counts} onChange={setTab} />
        <div id="reminders-panel" role="tabpanel" aria-labelledby={`reminders-tab-${tab}`} className={styles['panel']}>
          {groups.length === 0 && unanswered ? (
            <Unanswered part="reminders" />
          ) : groups.length === 0 ? (
            <Empty scene="clock" title={t(`empty.${tab}`)}>
              {t(`empty.${tab}Text`)}
            </Empty>
          ) : (
            <ReminderList groups={groups} now={now} onEmptied={() => heading.current?.focus()} />
          )}
        </div>
      </div>
    </View>
  )
}

type TabsProps = {
  readonly tab: Tab
  readonly counts: { readonly open: number; readonly saved: number }
  readonly onChange: (tab: Tab) => void
}

/** Arrows move and select. Done reminders have no count, because they need no action. */
function ReminderTabs({ tab, counts, onChange }: TabsProps) {
  const t = useTexts('reminders')
  const roving = useRoving({ ids: TABS, orientation: 'horizontal', wrap: true, initialId: tab })
  const { ref } = roving.containerProps
  const countOf = (name: Tab): number => (name === 'done' ? 0 : counts[name])
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      role="tablist"
      tabIndex={-1}
      aria-label={t('tabs.label')}
      className={styles['tabs']}
      onKeyDown={(event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
        const next = step === undefined ? undefined : TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length]
        if (next === undefined) return
        event.preventDefault()
        onChange(next)
        roving.focus(next)
      }}
    >
      {TABS.map((name) => (
        <button
          key={name}
          id={`reminders-tab-${name}`}
          type="button"
          role="tab"
          aria-selected={name === tab}
          aria-controls="reminders-panel"
          tabIndex={name === tab ? 0 : -1}
          data-roving-id={name}
          onClick={() => onChange(name)}
        >
          {t(`tabs.${name}`)}
          {countOf(name) === 0 ? null : <span className={styles['count']}>{countOf(name)}</span>}
        </button>
      ))}
    </div>
  )
}

type ReminderListProps = {
  readonly groups: readonly Group[]
  readonly now: number
  /** The last row was removed: the focus must move elsewhere. */
  readonly onEmptied: () => void
}

/** The rows of one tab. One tab stop: arrows or J and K move, Enter opens, E completes, H snoozes, Delete removes. */
function ReminderList({ groups, now, onEmptied }: ReminderListProps) {
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

type ReminderRowProps = {
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
function ReminderRow({ reminder, now, item, held, onOpen, onToggle, ...act }: ReminderRowProps) {
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

type Tab = 'open' | 'saved' | 'done'
const TABS: readonly Tab[] = ['open', 'saved', 'done']

type GroupName = 'overdue' | 'due' | 'today' | 'upcoming'
const GROUP_NAMES: readonly GroupName[] = ['overdue', 'due', 'today', 'upcoming']

type Group = { readonly name: GroupName | undefined; readonly reminders: readonly Reminder[] }

function tabOf(reminder: Reminder): Tab {
  if (reminder.doneAt !== undefined) return 'done'
  return reminder.remindAt === undefined ? 'saved' : 'open'
}

/** The groups of a tab: open reminders by due time, others as one list. Without empty groups. */
function groupsOf(reminders: readonly Reminder[], tab: Tab, now: number): readonly Group[] {
  const listed = reminders.filter((reminder) => tabOf(reminder) === tab)
  if (tab !== 'open') return listed.length === 0 ? [] : [{ name: undefined, reminders: listed }]
  return GROUP_NAMES.map((name) => ({
    name,
    reminders: listed.filter((reminder) => groupOf(reminder, now) === name),
  })).filter((group) => group.reminders.length > 0)
}

function groupOf(reminder: Reminder, now: number): GroupName {
  const state = reminderState(reminder, now)
  if (state === 'overdue' || state === 'due') return state
  const [at, today] = [new Date(reminder.remindAt ?? now), new Date(now)]
  return at.toDateString() === today.toDateString() ? 'today' : 'upcoming'
}
