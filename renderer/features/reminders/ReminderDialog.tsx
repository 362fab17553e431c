import { useState } from 'react'
import { excerpt } from '#shared/rules/messages/text.ts'
import { parseReminderText } from '#shared/rules/reminders/grammar/parse.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { formatsFor, languageNow, useTexts, useRemark } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { fieldsOf, momentOf, type Fields } from '../../lib/time/moments.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText, Refusal } from '../../ui/Dialog/Dialog.tsx'
import { MomentFields } from '../../ui/Dates/MomentDialog.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { EmojiText } from '../emoji/index.ts'
import { setReminder, createReminder } from './commands.ts'
import { announcementOf } from './RemindMenu.tsx'
import { useWhen } from './words.ts'
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
function momentIn(text: string, now: number): number | undefined {
  const language = languageNow()
  return parseReminderText(text, now, language, formatsFor(language).weekdays[0])
}

/**
 * A reminder of something that is not a message yet. The contract has reminders of messages only, so the text becomes a
 * note to self, and the reminder is of that note.
 */
export function NewReminderDialog() {
  const t = useTexts('reminders')
  const common = useTexts('common')
  const when = useWhen()
  const dispatch = useAppDispatch()
  const now = useMinute()
  const [text, setText] = useState('')
  const [time, setTime] = useState('')
  const [tried, setTried] = useState(false)
  const [working, setWorking] = useState(false)
  const remark = useRemark()
  const close = (): void => void dispatch(dialogClosed())
  const at = time.trim() === '' ? undefined : momentIn(time, now)
  const unclear = at === undefined ? t('dialog.notUnderstood') : undefined
  const missing = text.trim() === '' ? t('create.missing') : undefined
  const save = async (remindAt?: number): Promise<void> => {
    setWorking(true)
    const created = await dispatch(createReminder({ text: text.trim(), remindAt }))
    setWorking(false)
    if (!created.ok) return remark.refuse(created.error)
    announce(announcementOf(t, when, remindAt))
    close()
  }
  const submit = (): void => {
    setTried(true)
    // A relative time counts from the click.
    if (missing === undefined && unclear === undefined) void save(momentIn(time, Date.now()))
  }
  const submitWithoutTime = (): void => {
    setTried(true)
    if (missing === undefined) void save()
  }
  return (
    <Dialog
      title={t('create.title')}
      width={440}
      onClose={close}
      onSubmit={submit}
      hint={
        <Button variant="quiet" onClick={submitWithoutTime}>
          {t('create.noTime')}
        </Button>
      }
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button variant="primary" type="submit" working={working}>
            {t('create.save')}
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <TextField
          label={t('create.text')}
          value={text}
          maxLength={500}
          autoComplete="off"
          error={tried ? missing : undefined}
          onChange={setText}
        />
        <TextField
          label={t('dialog.words')}
          value={time}
          autoComplete="off"
          error={tried ? unclear : undefined}
          hint={
            at === undefined
              ? t('create.examples')
              : t('dialog.result', { time: when.absolute(at, now), relative: when.relative(at, now) ?? '' })
          }
          onChange={setTime}
        />
        <DialogText muted>{t('create.where')}</DialogText>
        <Refusal text={remark.text} />
      </div>
    </Dialog>
  )
}
