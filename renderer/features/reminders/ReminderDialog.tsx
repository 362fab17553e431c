import { useState } from 'react'
import { excerpt } from '#shared/rules/messages/text.ts'
import { parseReminderText } from '#shared/rules/reminders/grammar/parse.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { formatsFor, i18next, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { fieldsOf, momentOf, type Fields } from '../../lib/time/moments.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { MomentFields } from '../../ui/Dates/MomentDialog.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { EmojiText } from '../emoji/index.ts'
import { setReminder } from './commands.ts'
import { announcementOf, useWhen } from './RemindMenu.tsx'
import styles from './Dialog.module.css'

type Props = { readonly messageId: MessageId; readonly words?: string }

/** A date and a time as fields or as text: the one changed last counts, and updates the other. */
export function ReminderDialog({ messageId, words = '' }: Props) {
  const t = useTexts('reminders')
  const when = useWhen()
  const dispatch = useAppDispatch()
  const message = useAppSelector((state) => state.entities.messages[messageId])
  const before = useAppSelector((state) => state.entities.reminders[messageId])
  const now = useMinute()
  const form = useMoment(before?.doneAt === undefined ? before?.remindAt : undefined, now, words)
  const [tried, setTried] = useState(false)
  const close = (): void => void dispatch(dialogClosed())
  const set = async (remindAt?: number): Promise<void> => {
    const result = await dispatch(setReminder({ messageId, remindAt }))
    if (!result.ok) return
    announce(announcementOf(t, when, remindAt))
    close()
  }
  const problem = form.at === undefined ? t('dialog.notUnderstood') : form.at <= now ? t('dialog.past') : undefined
  const submit = (): void => {
    setTried(true)
    // A relative time counts from the click.
    if (problem === undefined) void set(form.momentAt(Date.now()))
  }
  const relative = form.at === undefined ? undefined : when.relative(form.at, now)
  return (
    <Dialog
      title={t(before?.remindAt === undefined ? 'dialog.title' : 'dialog.change')}
      width={440}
      onClose={close}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={() => void set()}>{t('dialog.save')}</Button>
          <Button variant="primary" type="submit">
            {t('dialog.set')}
          </Button>
        </>
      }
    >
      {message === undefined || message.text === '' ? null : (
        <p className={styles['about']}>
          <EmojiText text={excerpt(message.text, 120)} />
        </p>
      )}
      <TextField
        label={t('dialog.words')}
        value={form.text}
        autoComplete="off"
        onChange={form.setText}
        error={(tried || form.settled) && problem !== undefined ? problem : undefined}
        hint={
          form.text === '' || form.at === undefined
            ? t('dialog.wordsHint')
            : t('dialog.result', { time: when.absolute(form.at, now), relative: relative ?? '' })
        }
      />
      <MomentFields fields={form.fields} min={fieldsOf(now).date} onChange={form.choose} />
    </Dialog>
  )
}

function useMoment(start: number | undefined, now: number, words: string) {
  const [text, setText] = useState(words)
  const [fields, setFields] = useState(() =>
    fieldsOf(momentIn(words, now) ?? (start !== undefined && start > now ? start : tomorrowMorning(now))),
  )
  const momentAt = (from: number): number | undefined =>
    text === '' ? momentOf(fields.date, fields.time) : momentIn(text, from)
  return {
    fields,
    text,
    momentAt,
    at: momentAt(now),
    /** Typed text may be incomplete, fields are not. */
    settled: text === '',
    setText: (typed: string): void => {
      setText(typed)
      const parsed = momentIn(typed, Date.now())
      if (parsed !== undefined) setFields(fieldsOf(parsed))
    },
    choose: (chosen: Fields): void => {
      setText('')
      setFields(chosen)
    },
  }
}

/** A time in plain language, in any of the languages; absent: not understood. */
export function momentIn(text: string, now: number): number | undefined {
  const language = i18next.resolvedLanguage ?? 'en'
  return parseReminderText(text, now, language, formatsFor(language).weekdays[0])
}
