import { useSyncExternalStore } from 'react'
import type { Reminder } from '#shared/domain/message.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useObject } from '../../store/hooks.ts'
import { selectReminders } from '../../store/reminders.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { laterFiltered } from '../../store/window/views.ts'
import { Toast, ToastActions, useAnnouncedOnce } from '../../ui/Toast/Toast.tsx'
import { EmojiText } from '../emoji/index.ts'
import { doneReminder, openMessage, setReminder } from './commands.ts'
import { useAbout, useReminderMessages } from './words.ts'
import styles from './Toast.module.css'
import { nameFor } from '../../lib/page/stored.ts'
import { perAccount } from '../../store/objects.ts'

const SNOOZE_MS = 30 * 60_000
/** A reminder that rang this long after its time was missed: Parlor was not running. */
const MISSED_AFTER_MS = 2 * 60_000
const LISTED = 3

const wasMissed = ({ remindAt = 0, rangAt = 0 }: Reminder): boolean => rangAt - remindAt > MISSED_AFTER_MS

/** One toast for all reminders that rang on this device. Shown until it is acknowledged. */
export function ReminderToasts() {
  const { subscribe, times } = useObject(ACKNOWLEDGED)
  const acknowledged = useSyncExternalStore(subscribe, times)
  const rung = useAppSelector(selectReminders).filter(
    ({ messageId, remindAt, rangAt, doneAt }) =>
      rangAt !== undefined && doneAt === undefined && acknowledged[messageId] !== remindAt,
  )
  const listed = useAppSelector(
    ({ ui, views }) => ui.route.view === 'later' && (views.later === 'all' || views.later === 'reminders'),
  )
  useReminderMessages(rung.length > 0)
  const [first] = rung
  if (first === undefined) return null
  if (listed) return <Listed reminders={rung} />
  return rung.length === 1 ? <One reminder={first} /> : <Several reminders={rung} />
}

/** Later has them at its top, with their actions: a toast would say the same over its last rows. They are announced. */
function Listed({ reminders }: { readonly reminders: readonly Reminder[] }) {
  const t = useTexts('reminders')
  const title = useTitle(reminders)
  const count = reminders.length
  const rang = Math.max(...reminders.map(({ rangAt = 0 }) => rangAt))
  useAnnouncedOnce({ id: `${count} ${rang}`, text: count === 1 ? t('toast.title') : title })
  return null
}

function useTitle(reminders: readonly Reminder[]): string {
  const t = useTexts('reminders')
  return t(reminders.every(wasMissed) ? 'toast.missed' : 'toast.several', { count: reminders.length })
}

function One({ reminder }: { readonly reminder: Reminder }) {
  const t = useTexts('reminders')
  const acknowledged = useObject(ACKNOWLEDGED)
  const dispatch = useAppDispatch()
  const text = useToastText(reminder)
  const open = (): void => {
    acknowledged.add([reminder])
    dispatch(openMessage(reminder))
  }
  return (
    <Card
      id={`${reminder.messageId} ${reminder.remindAt}`}
      title={t(wasMissed(reminder) ? 'toast.missedOne' : 'toast.title')}
      text={text}
      reminders={[reminder]}
    >
      <div className={styles['text']}>
        <EmojiText text={text} />
      </div>
      <Actions reminders={[reminder]} first={{ label: t('toast.open'), run: open }} />
    </Card>
  )
}

function Several({ reminders }: { readonly reminders: readonly Reminder[] }) {
  const t = useTexts('reminders')
  const acknowledged = useObject(ACKNOWLEDGED)
  const dispatch = useAppDispatch()
  const count = reminders.length
  const title = useTitle(reminders)
  const open = (): void => {
    acknowledged.add(reminders)
    dispatch(laterFiltered('reminders'))
    dispatch(routeOpened({ view: 'later' }))
  }
  return (
    <Card id={`${count}`} title={title} text="" reminders={reminders}>
      <ul className={styles['lines']}>
        {reminders.slice(0, LISTED).map((reminder) => (
          <Line key={reminder.messageId} reminder={reminder} />
        ))}
        {count > LISTED ? <li>{t('toast.more', { count: count - LISTED })}</li> : null}
      </ul>
      <Actions reminders={reminders} first={{ label: t('toast.list'), run: open }} />
    </Card>
  )
}

function Line({ reminder }: { readonly reminder: Reminder }) {
  const text = useToastText(reminder)
  return (
    <li className={styles['line']}>
      <EmojiText text={text} />
    </li>
  )
}

function useToastText(reminder: Reminder): string {
  const t = useTexts('reminders')
  const { author, place, isDirect, text } = useAbout(reminder)
  if (author === '') return text
  return t(isDirect ? 'toast.wordsDirect' : 'toast.words', { author, place, text })
}

type CardProps = {
  /** Announced again when it changes. */
  readonly id: string
  readonly title: string
  readonly text: string
  readonly reminders: readonly Reminder[]
  readonly children: React.ReactNode
}

function Card({ id, title, text, reminders, children }: CardProps) {
  const t = useTexts('reminders')
  const acknowledged = useObject(ACKNOWLEDGED)
  return (
    <Toast
      icon="alarm"
      tone="info"
      title={title}
      announcement={{ id, text: text === '' ? title : `${title}. ${text}` }}
      dismissLabel={t('toast.dismiss')}
      onDismiss={() => acknowledged.add(reminders)}
    >
      {children}
    </Toast>
  )
}

type ActionsProps = {
  readonly reminders: readonly Reminder[]
  readonly first: { readonly label: string; readonly run: () => void }
}

function Actions({ reminders, first }: ActionsProps) {
  const t = useTexts('reminders')
  const dispatch = useAppDispatch()
  const snooze = (): void => {
    for (const { messageId } of reminders) void dispatch(setReminder({ messageId, remindAt: Date.now() + SNOOZE_MS }))
  }
  const done = (): void => {
    for (const { messageId } of reminders) void dispatch(doneReminder({ messageId }))
  }
  return (
    <ToastActions>
      <button type="button" onClick={first.run}>
        {first.label}
      </button>
      <button type="button" onClick={snooze}>
        {t('toast.snooze')}
      </button>
      <button type="button" onClick={done}>
        {t('toast.done')}
      </button>
    </ToastActions>
  )
}

const KEY = 'parlor.reminders.answered'
const LIMIT = 200

type Times = Readonly<Record<string, number>>

/**
 * Reminders of one account whose toast was opened or dismissed, by message and reminder time. In local storage, so that
 * another window and the next start do not show them again; if that is disabled, in the memory of this window.
 */
class Acknowledged {
  readonly #key: string
  readonly #listeners = new Set<() => void>()
  #times: Times | undefined

  constructor(account: string) {
    this.#key = nameFor(KEY, account)
  }

  readonly times = (): Times => (this.#times ??= parse(localStorage, this.#key) ?? parse(localStorage, KEY) ?? {})

  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) window.addEventListener('storage', this.#onStorage)
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) window.removeEventListener('storage', this.#onStorage)
    }
  }

  readonly add = (reminders: readonly Reminder[]): void => {
    const more = reminders.map(({ messageId, remindAt = 0 }) => [messageId, remindAt] as const)
    this.#times = Object.fromEntries([...Object.entries(this.times()), ...more].slice(-LIMIT))
    this.#notify()
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.#times))
    } catch (reason) {
      console.debug('answered reminders not written', reason)
    }
  }

  readonly #onStorage = (event: StorageEvent): void => {
    if (event.key !== this.#key) return
    this.#times = undefined
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

function parse(storage: Storage, key: string): Times | undefined {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return undefined
    const entries = Object.entries(stored)
    return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
  } catch (reason) {
    console.debug('answered reminders not read', reason)
    return undefined
  }
}

export const ACKNOWLEDGED = perAccount(({ account }) => new Acknowledged(account))
