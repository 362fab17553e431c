import { useState } from 'react'
import type { MessageId } from '#shared/lib/brand.ts'
import { nextMonday, REMINDER_OFFSETS_MS, tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import type { Placement } from '../../ui/Popover/Popover.tsx'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Menu, type MenuItem } from '../../ui/Menu/Menu.tsx'
import { doneReminder, removeReminder, setReminder } from './commands.ts'
import { useWhen, type When } from './words.ts'

type Props = {
  readonly messageId: MessageId
  /** Messages whose reminders are set to the same time. */
  readonly others?: readonly MessageId[]
  readonly anchor: Element | DOMRect
  readonly onClose: () => void
}

/** The times for a reminder: offsets with the resulting time, two mornings, a date, or no time. */
export function RemindMenu({ messageId, others = [], anchor, onClose }: Props) {
  const t = useTexts('reminders')
  const when = useWhen()
  const dispatch = useAppDispatch()
  const reminder = useAppSelector((state) => state.entities.reminders[messageId])
  const isOpen = reminder !== undefined && reminder.doneAt === undefined
  const [now] = useState(() => Date.now())
  const set = async (remindAt?: number): Promise<void> => {
    const results = await Promise.all(
      [messageId, ...others].map((each) => dispatch(setReminder({ messageId: each, remindAt }))),
    )
    if (results.every(({ ok }) => ok)) announce(announcementOf(t, when, remindAt))
  }
  const at = (id: string, label: string, remindAt: number): MenuItem => ({
    id,
    label,
    hint: when.short(remindAt, now),
    onSelect: () => void set(remindAt),
  })
  const [tomorrow, monday] = [tomorrowMorning(now), nextMonday(now)]
  const items: readonly MenuItem[] = [
    { kind: 'heading', id: 'head', content: t(isOpen ? 'menu.againIn' : 'menu.in') },
    // The offset counts from the click, not from when the menu was opened.
    ...OFFSETS.map(({ ms, unit, count }): MenuItem => ({
      id: String(ms),
      label: t(`menu.${unit}`, { count }),
      hint: when.short(now + ms, now),
      onSelect: () => void set(Date.now() + ms),
    })),
    { kind: 'separator', id: 'gap-days' },
    at('tomorrow', t('menu.tomorrow'), tomorrow),
    // On a Sunday both are the same morning.
    ...(monday === tomorrow ? [] : [at('monday', t('menu.monday'), monday)]),
    { kind: 'separator', id: 'gap-more' },
    ...(others.length > 0
      ? []
      : [
          {
            id: 'pick',
            label: t('menu.pick'),
            icon: 'calendar' as const,
            onSelect: () => void dispatch(dialogOpened({ kind: 'reminder', messageId })),
          },
        ]),
    { id: 'save', label: t('menu.save'), icon: 'bookmark', onSelect: () => void set() },
    ...(isOpen && others.length === 0 ? endings(t, dispatch, messageId) : []),
  ]
  return (
    <Menu label={t('menu.label')} items={items} anchor={anchor} placement={AT_END} minWidth={236} onClose={onClose} />
  )
}

/** The buttons that open it are at the end of a row. */
const AT_END: Placement = { side: 'below', align: 'end', gap: 4 }

type Texts = ReturnType<typeof useTexts<'reminders'>>

export const announcementOf = (t: Texts, when: When, remindAt: number | undefined): string =>
  remindAt === undefined ? t('said.saved') : t('said.set', { time: when.absolute(remindAt, Date.now()) })

function endings(t: Texts, dispatch: ReturnType<typeof useAppDispatch>, messageId: MessageId): readonly MenuItem[] {
  const end = async (run: typeof doneReminder, announcement: string): Promise<void> => {
    const result = await dispatch(run({ messageId }))
    if (result.ok) announce(announcement)
  }
  return [
    { kind: 'separator', id: 'gap-end' },
    { id: 'done', label: t('menu.done'), icon: 'check', onSelect: () => void end(doneReminder, t('said.done')) },
    {
      id: 'remove',
      label: t('menu.remove'),
      icon: 'trash',
      onSelect: () => void end(removeReminder, t('said.removed')),
    },
  ]
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The six offsets with the units of the menu. */
const OFFSETS = REMINDER_OFFSETS_MS.map((ms) =>
  ms < HOUR_MS
    ? ({ ms, unit: 'minutes', count: ms / MINUTE_MS } as const)
    : ({ ms, unit: 'hours', count: ms / HOUR_MS } as const),
)
