import { useRef, useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useReminderClock, selectReminders, selectReminderTimes } from '../../store/reminders.ts'
import { useAppSelector, useWindow } from '../../store/hooks.ts'
import { Empty } from '../../ui/View/Empty.tsx'
import { View } from '../../ui/View/View.tsx'
import { ConnectionBanner, Unanswered } from '../connection/index.ts'
import { groupsOf, tabOf, type Tab, TABS, ReminderList } from './ReminderList.tsx'
import { useReminderMessages } from './messages.ts'
import { useRoving } from '../../lib/page/roving.ts'
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
      banner={<ConnectionBanner />}
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
