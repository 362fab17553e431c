import { useRef, useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useReminderClock } from '../../store/use-reminder-clock.ts'
import { useAppSelector, useWindow } from '../../store/hooks.ts'
import { selectReminders, selectReminderTimes } from '../../store/reminders.ts'
import { Empty } from '../../ui/View/Empty.tsx'
import { View } from '../../ui/View/View.tsx'
import { ConnectionBanner, Unanswered } from '../connection/index.ts'
import { groupsOf, tabOf, type Tab } from './groups.ts'
import { ReminderList } from './ReminderList.tsx'
import { ReminderTabs } from './ReminderTabs.tsx'
import { useLater } from './use-later.ts'
import styles from './Reminders.module.css'

type Props = {
  /** Below 640 px: goes back to the list. */
  readonly onBack?: (() => void) | undefined
}

/** All reminders: overdue, due, upcoming, saved without a time, and done. */
export function RemindersView({ onBack }: Props) {
  const t = useTexts('reminders')
  const common = useTexts('common')
  const heading = useRef<HTMLHeadingElement>(null)
  const [tab, setTab] = useState<Tab>('open')
  const reminders = useAppSelector(selectReminders)
  const now = useReminderClock(useAppSelector(selectReminderTimes))
  useLater(true)
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
