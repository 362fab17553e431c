import { useMemo, useEffect } from 'react'
import { reminderState, refreshInMs } from '#shared/rules/reminders/reminders.ts'
import type { Reminder } from '#shared/domain/message.ts'
import { startOfDay, useFormats, useTexts } from '../../i18n/index.ts'
import { useAppSelector, useChannel, useAppDispatch, useAttachCount, useObject } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import { useLineOf } from '../attachments/index.ts'
import { channelTitle } from '../sidebar/index.ts'
import { useName } from '../people/index.ts'
import { perAccount } from '../../store/objects.ts'
import { closeReminders, openReminders } from './commands.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

export type When = {
  /** `in 6 h`, `now`, `3 days ago`; `undefined` if the date is more useful. */
  readonly relative: (at: number, now: number) => string | undefined
  /** `18:30` today, else `Mon, 23 Nov, 10:00`. */
  readonly absolute: (at: number, now: number) => string
  /** `13:26` today, else `Sat 11:56`: for menu items. */
  readonly short: (at: number, now: number) => string
  /** `3 days`. */
  readonly length: (ms: number) => string
  /** The text of the chip on a message. */
  readonly chip: (reminder: Reminder, now: number) => string
}

/** Time formats for reminders, in the language of the interface. */
export function useWhen(): When {
  const t = useTexts('reminders')
  const formats = useFormats()
  return useMemo(() => {
    const isToday = (at: number, now: number): boolean => startOfDay(at) === startOfDay(now)
    const absolute = (at: number, now: number): string => (isToday(at, now) ? formats.time(at) : formats.dayAndTime(at))
    const length = (ms: number): string => {
      const { unit, count } = measured(ms)
      return t(`when.${unit}`, { count })
    }
    return {
      absolute,
      length,
      relative: (at, now) => {
        if (refreshInMs(at, now) === undefined) return undefined
        const { unit, count } = between(at, now)
        if (count === 0) return t('when.now')
        if (at > now) return t(`when.${IN[unit]}`, { count })
        return t(`when.${AGO[unit]}`, { count })
      },
      short: (at, now) => (isToday(at, now) ? formats.time(at) : formats.weekdayAndTime(at)),
      chip: (reminder, now) => {
        const { remindAt } = reminder
        const state = reminderState(reminder, now)
        if (remindAt === undefined || state === 'saved') return t('chip.saved')
        if (state === 'due') return t('chip.due')
        if (state === 'overdue') return t('chip.overdue', { time: length(now - remindAt) })
        return t(isToday(remindAt, now) ? 'chip.setToday' : 'chip.setDay', { time: absolute(remindAt, now) })
      },
    }
  }, [t, formats])
}

const IN = { minutes: 'inMinutes', hours: 'inHours', days: 'inDays' } as const
const AGO = { minutes: 'minutesAgo', hours: 'hoursAgo', days: 'daysAgo' } as const

type Measured = { readonly unit: 'minutes' | 'hours' | 'days'; readonly count: number }

/** A day or more is counted in calendar days, because "in 2 days" means a date. */
function between(at: number, now: number): Measured {
  const distance = measured(Math.abs(at - now))
  if (distance.unit !== 'days') return distance
  return { unit: 'days', count: Math.round(Math.abs(startOfDay(at) - startOfDay(now)) / DAY_MS) }
}

/** In the coarsest unit that fits, with the same steps as `refreshInMs`. */
function measured(ms: number): Measured {
  const minutes = Math.round(ms / MINUTE_MS)
  if (minutes < 60) return { unit: 'minutes', count: minutes }
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? { unit: 'hours', count: hours } : { unit: 'days', count: Math.floor(hours / 24) }
}

/** The message of a reminder, for its row and its toast. */
type About = {
  readonly authorId: string | undefined
  readonly author: string
  /** `#release-4-2`, `Direct message`. */
  readonly place: string
  readonly isDirect: boolean
  readonly text: string
}

export function useAbout({ messageId, cid }: Reminder): About {
  const t = useTexts('reminders')
  const message = useAppSelector((state) => selectMessage(state, messageId))
  const channel = useChannel(cid)
  const title = useAppSelector((state) => channelTitle(state, cid))
  const author = useName(message?.userId ?? '')
  const lineOf = useLineOf()
  const isDirect = (channel?.directUserIds.length ?? 0) > 0
  return {
    authorId: message?.userId,
    author: message === undefined ? '' : author,
    place: isDirect ? t('row.direct') : title === '' ? t('row.unknownPlace') : `#${title}`,
    isDirect,
    text: message === undefined ? t('row.absent') : lineOf(message),
  }
}

/** Counts the components that need the messages of reminders; the engine counts a page only once. */
class Users {
  #count = 0

  readonly enter = (): number => (this.#count += 1)
  readonly leave = (): number => (this.#count -= 1)
}

const USERS = perAccount(() => new Users())

/** Loads the messages of all reminders while `wanted`. */
export function useReminderMessages(wanted: boolean): void {
  const dispatch = useAppDispatch()
  const attached = useAttachCount()
  const users = useObject(USERS)
  useEffect(() => {
    if (!wanted) return undefined
    if (users.enter() === 1 || attached > 1) void dispatch(openReminders())
    return () => {
      if (users.leave() === 0) void dispatch(closeReminders())
    }
  }, [dispatch, users, wanted, attached])
}
