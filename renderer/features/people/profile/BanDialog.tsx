import { useId, useState } from 'react'
import { cleanName } from '#shared/lib/clean-text.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { asUserId, type Cid, type UserId } from '#shared/lib/brand.ts'
import { tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { fieldsOf, momentOf } from '../../../lib/time/moments.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useConnection, useMe, useUser } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { DateField, TimeField } from '../../../ui/Dates/DateField.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { FieldFrame, TextField } from '../../../ui/Field/TextField.tsx'
import { PeoplePicker } from '../../sidebar/index.ts'
import { banPeople, type BanTerms } from './commands.ts'
import { usePlaces, EVERYWHERE } from './use-ban-places.ts'
import styles from './Profile.module.css'

/** See docs/wire.md 3.13; also within the limit of the bridge. */
const REASON_LIMIT = 400
const MOST_AT_ONCE = 100

type Props = {
  /** The channel on screen; absent: chosen here. */
  readonly cid?: Cid
  /** Who is banned; absent: chosen here. */
  readonly userId?: UserId
  readonly userIds?: readonly UserId[]
}

/** Bans people: where, for how long, why, what becomes of their messages, and openly or not. */
export function BanDialog({ cid, userId, userIds }: Props) {
  const t = useTexts('profile')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const given = userIds ?? (userId === undefined ? undefined : [userId])
  const [chosen, setChosen] = useState<readonly string[]>([])
  const who = given ?? chosen.map(asUserId)
  const name = cleanName(useUser(who[0])?.name ?? who[0] ?? '')
  const form = useBanForm(cid)
  const me = useMe()?.id
  const close = (): void => void dispatch(dialogClosed())
  const confirm =
    who.length === 1
      ? t(`banDialog.confirm.${form.shadow ? 'shadow' : 'open'}`, { name })
      : who.length === 0
        ? t('banDialog.confirmNobody')
        : t('banDialog.confirmMany', { count: who.length })
  const isReady = who.length > 0 && form.terms !== undefined && !offline
  const submit = async (): Promise<void> => {
    if (!isReady || form.terms === undefined) return
    if (await form.send(who, form.terms)) close()
  }
  return (
    <Dialog
      width={520}
      title={
        given === undefined
          ? t('banDialog.titleNobody')
          : who.length === 1
            ? t('banDialog.titleOne', { name })
            : t('banDialog.titleMany', { count: who.length })
      }
      hint={offline ? t('banDialog.offline') : t('banDialog.anyTime')}
      onClose={close}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="danger" working={form.working} aria-disabled={!isReady || undefined}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {given === undefined ? (
          <PeoplePicker
            label={t('banDialog.who')}
            chosen={chosen}
            max={MOST_AT_ONCE}
            leaveOut={new Set(me === undefined ? [] : [me])}
            onChange={setChosen}
          />
        ) : null}
        <Terms cid={cid} form={form} />
        <Failed failed={form.failed} many={who.length > 1} />
      </div>
    </Dialog>
  )
}

type Messages = 'leave' | NonNullable<BanTerms['messages']>
const MESSAGES: readonly Messages[] = ['leave', 'soft', 'pruning', 'hard']

function useBanForm(cid: Cid | undefined) {
  const dispatch = useAppDispatch()
  const places = usePlaces(cid)
  const [place, setPlace] = useState<string>(places[0]?.value ?? '')
  const [length, setLength] = useState<Length>({ choice: '7d' })
  const [reason, setReason] = useState('')
  const [messages, setMessages] = useState<Messages>('leave')
  const [shadow, setShadow] = useState(false)
  const [future, setFuture] = useState(false)
  const [working, setWorking] = useState(false)
  const [failed, setFailed] = useState<{ readonly count: number; readonly error: ErrorBody }>()
  const now = useMinute()
  const end = endOf(length, now)
  const isPast = end !== 'never' && (end === undefined || end <= now)
  const terms: BanTerms | undefined =
    place === '' || isPast
      ? undefined
      : {
          cid: place === EVERYWHERE ? undefined : (place as Cid),
          until: end === 'never' ? undefined : end,
          reason: reason.trim(),
          shadow,
          messages: messages === 'leave' ? undefined : messages,
          future: future && place !== EVERYWHERE,
        }
  /** Whether all were banned; otherwise those who were not are named. */
  const send = async (who: readonly UserId[], given: BanTerms): Promise<boolean> => {
    setWorking(true)
    setFailed(undefined)
    const { refused } = await dispatch(banPeople(who, given))
    setWorking(false)
    const [first] = refused
    if (first === undefined) return true
    setFailed({ count: refused.length, error: first.error })
    return false
  }
  return {
    places,
    place,
    setPlace,
    length,
    setLength,
    reason,
    setReason,
    messages,
    setMessages,
    shadow,
    setShadow,
    future,
    setFuture,
    working,
    failed,
    terms,
    send,
  }
}

type TermsProps = { readonly cid: Cid | undefined; readonly form: ReturnType<typeof useBanForm> }

function Terms({ cid, form }: TermsProps) {
  const t = useTexts('profile')
  return (
    <>
      <Where cid={cid} places={form.places} value={form.place} onChange={form.setPlace} />
      <HowLong value={form.length} onChange={form.setLength} />
      <TextField
        label={t('banDialog.reason')}
        optional={t('banDialog.reasonFor')}
        maxLength={REASON_LIMIT}
        value={form.reason}
        onChange={form.setReason}
      />
      <TheirMessages value={form.messages} onChange={form.setMessages} />
      <Option
        label={t('banDialog.shadow')}
        hint={t('banDialog.shadowHint')}
        on={form.shadow}
        onChange={form.setShadow}
      />
      {form.place === EVERYWHERE ? null : (
        <Option
          label={t('banDialog.later')}
          hint={t('banDialog.laterHint')}
          on={form.future}
          onChange={form.setFuture}
        />
      )}
    </>
  )
}

type FailedProps = { readonly failed: ReturnType<typeof useBanForm>['failed']; readonly many: boolean }

function Failed({ failed, many }: FailedProps) {
  const t = useTexts('profile')
  const errorText = useErrorText()
  if (failed === undefined) return null
  const why = errorText(failed.error)
  return <Refusal text={many ? t('banDialog.someRefused', { count: failed.count, why }) : why} />
}

type WhereProps = {
  readonly cid: Cid | undefined
  readonly places: ReturnType<typeof usePlaces>
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Two places side by side, more of them as a list. */
function Where({ cid, places, value, onChange }: WhereProps) {
  const t = useTexts('profile')
  return (
    <div>
      <div className={styles['label']}>{t('banDialog.where')}</div>
      {places.length === 0 ? (
        <p className={styles['effect']}>{t('banDialog.nowhere')}</p>
      ) : cid !== undefined && places.length <= 2 ? (
        <Segments block label={t('banDialog.where')} value={value} choices={places} onChange={onChange} />
      ) : (
        <Select label={t('banDialog.where')} value={value} choices={places} onChange={onChange} />
      )}
    </div>
  )
}

const LENGTHS = ['1d', '7d', '30d', 'always', 'until'] as const
type Length = { readonly choice: (typeof LENGTHS)[number]; readonly date?: string; readonly time?: string }

const DAY_MS = 24 * 3_600_000
const DAYS = { '1d': 1, '7d': 7, '30d': 30 } as const

/** Epoch milliseconds; `undefined`: what was typed is no time. */
function endOf({ choice, date = '', time = '' }: Length, now: number): number | 'never' | undefined {
  if (choice === 'always') return 'never'
  return choice === 'until' ? momentOf(date, time) : now + DAYS[choice] * DAY_MS
}

function HowLong({ value, onChange }: { readonly value: Length; readonly onChange: (value: Length) => void }) {
  const t = useTexts('profile')
  const formats = useFormats()
  const now = useMinute()
  const end = endOf(value, now)
  return (
    <div>
      <div className={styles['label']}>{t('banDialog.for')}</div>
      <Segments
        block
        label={t('banDialog.for')}
        value={value.choice}
        choices={LENGTHS.map((choice) => ({ value: choice, label: t(`banDialog.choices.${choice}`) }))}
        onChange={(choice) => onChange(choice === 'until' ? { choice, ...fieldsOf(tomorrowMorning(now)) } : { choice })}
      />
      {value.choice === 'until' ? (
        <div className={styles['moment']}>
          <DateField
            label={t('banDialog.day')}
            value={value.date ?? ''}
            onChange={(date) => onChange({ ...value, date })}
          />
          <TimeField
            label={t('banDialog.time')}
            value={value.time ?? ''}
            onChange={(time) => onChange({ ...value, time })}
          />
        </div>
      ) : null}
      <p className={styles['effect']} aria-live="polite">
        {end === 'never'
          ? t('banDialog.endsNever')
          : end === undefined
            ? t('banDialog.endsUnknown')
            : end <= now
              ? t('banDialog.endsPast')
              : t('banDialog.ends', { time: formats.dayAndTime(end) })}
      </p>
    </div>
  )
}

function TheirMessages({
  value,
  onChange,
}: {
  readonly value: Messages
  readonly onChange: (value: Messages) => void
}) {
  const t = useTexts('profile')
  return (
    <FieldFrame id="ban-messages" label={t('banDialog.messages')} hint={t(`banDialog.messageHints.${value}`)}>
      <Select
        label={t('banDialog.messages')}
        value={value}
        choices={MESSAGES.map((each) => ({ value: each, label: t(`banDialog.messageChoices.${each}`) }))}
        onChange={onChange}
      />
    </FieldFrame>
  )
}

type OptionProps = {
  readonly label: string
  readonly hint: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

function Option({ label, hint, on, onChange }: OptionProps) {
  const id = useId()
  return (
    <div className={styles['switchRow']}>
      <div>
        <div id={`${id}-label`} className={styles['label']}>
          {label}
        </div>
        <div id={`${id}-hint`} className={styles['effect']}>
          {hint}
        </div>
      </div>
      <Switch labelledBy={`${id}-label`} describedBy={`${id}-hint`} on={on} onChange={onChange} />
    </div>
  )
}
