import { useMemo, useState, useId, type ReactNode } from 'react'
import { cleanName } from '#shared/lib/clean-text.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { asCid, asUserId, type Cid, type UserId } from '#shared/lib/brand.ts'
import { may } from '#shared/rules/channels/capabilities.ts'
import { tomorrowMorning } from '#shared/rules/reminders/reminders.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useAppStore, useConnection, useMe, useUser } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Refusal, Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { fieldsOf, momentOf } from '../../../lib/time/moments.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments, Select } from '../../../ui/Choice/Choice.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { DateField, TimeField } from '../../../ui/Dates/DateField.tsx'
import { FieldFrame, TextField } from '../../../ui/Field/TextField.tsx'
import { channelTitle, PeoplePicker } from '../../sidebar/index.ts'
import { banPeople, EVERYWHERE, type BanTerms } from './commands.ts'
import styles from './Profile.module.css'

const MOST_AT_ONCE = 100

type Props = {
  /** The channel on screen; absent: chosen here. */
  readonly cid?: Cid
  /** Who is banned; absent: chosen here. */
  readonly userId?: UserId
  readonly userIds?: readonly UserId[]
}

/** Bans people, in the channel on screen or in a place that is chosen. */
export function BanDialog({ cid, userId, userIds }: Props) {
  const t = useTexts('profile')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const given = userIds ?? (userId === undefined ? undefined : [userId])
  const [chosen, setChosen] = useState<readonly string[]>([])
  const who = given ?? chosen.map(asUserId)
  const name = cleanName(useUser(who[0])?.name ?? who[0] ?? '')
  const me = useMe()?.id
  const places = usePlaces(cid)
  const [working, setWorking] = useState(false)
  const [failed, setFailed] = useState<Failure>()
  const close = (): void => void dispatch(dialogClosed())
  const ban = async ({ place, ...terms }: FilledBan): Promise<void> => {
    setWorking(true)
    setFailed(undefined)
    const where = place === EVERYWHERE ? undefined : asCid(place)
    const { refused } = await dispatch(banPeople(who, { ...terms, cid: where }))
    setWorking(false)
    const [first] = refused
    if (first === undefined) close()
    else setFailed({ count: refused.length, error: first.error })
  }
  return (
    <BanForm
      title={
        given === undefined
          ? t('banDialog.titleNobody')
          : who.length === 1
            ? t('banDialog.titleOne', { name })
            : t('banDialog.titleMany', { count: who.length })
      }
      hint={offline ? t('banDialog.offline') : t('banDialog.anyTime')}
      confirm={(shadow) =>
        who.length === 1
          ? t(`banDialog.confirm.${shadow ? 'shadow' : 'open'}`, { name })
          : who.length === 0
            ? t('banDialog.confirmNobody')
            : t('banDialog.confirmMany', { count: who.length })
      }
      places={places}
      offersLater
      disabled={who.length === 0 || offline}
      working={working}
      onBan={(filled) => void ban(filled)}
      onClose={close}
      who={
        given === undefined ? (
          <PeoplePicker
            label={t('banDialog.who')}
            chosen={chosen}
            max={MOST_AT_ONCE}
            leaveOut={new Set(me === undefined ? [] : [me])}
            onChange={setChosen}
          />
        ) : null
      }
      outcome={<Failed failed={failed} many={who.length > 1} />}
    />
  )
}

/** Where the viewer may ban: the channel on screen and the whole workspace, or without a channel each of them. */
function usePlaces(cid: Cid | undefined): BanPlaces {
  const t = useTexts('profile')
  const { compare } = useFormats()
  const rights = useAppSelector((state) => state.entities.manage['self']?.rights)
  const channels = useAppSelector((state) => state.entities.channels)
  const store = useAppStore()
  return useMemo(() => {
    const titles = store.getState()
    const everywhere =
      rights?.includes('ban-everywhere') === true ? [{ value: EVERYWHERE, label: t('banDialog.everywhere') }] : []
    if (cid !== undefined) {
      return [{ value: cid, label: t('banDialog.onlyIn', { channel: channelTitle(titles, cid) }) }, ...everywhere]
    }
    const allowed = Object.values(channels)
      .filter((channel) => channel.directUserIds.length === 0 && may(channel, 'ban-channel-members'))
      .map((channel) => ({ value: channel.cid as string, label: `#${channelTitle(titles, channel.cid)}` }))
      .toSorted((a, b) => compare(a.label, b.label))
    return [...everywhere, ...allowed]
  }, [t, compare, rights, channels, store, cid])
}

type Failure = { readonly count: number; readonly error: ErrorBody }

function Failed({ failed, many }: { readonly failed: Failure | undefined; readonly many: boolean }) {
  const t = useTexts('profile')
  const errorText = useErrorText()
  if (failed === undefined) return null
  const why = errorText(failed.error)
  return <Refusal text={many ? t('banDialog.someRefused', { count: failed.count, why }) : why} />
}

/** See docs/wire.md 3.13; also within the limit of the bridge. */
const REASON_LIMIT = 400

/** Where one may ban; the first is chosen. */
type BanPlaces = readonly { readonly value: string; readonly label: string }[]

/** What was filled in, with the value of the chosen place. */
export type FilledBan = Omit<BanTerms, 'cid'> & { readonly place: string }

type BanFormProps = {
  readonly title: string
  readonly hint?: string
  /** The text of the button. */
  readonly confirm: (shadow: boolean) => string
  readonly places: BanPlaces
  /** Below the places: what is missing there. */
  readonly placeNote?: ReactNode
  /** Whether a ban can include channels that are created later. */
  readonly offersLater: boolean
  /** Whether a shadow ban is chosen at first. */
  readonly startsShadow?: boolean
  /** Something outside the form is missing. */
  readonly disabled: boolean
  readonly working?: boolean
  readonly onBan: (ban: FilledBan) => void
  readonly onClose: () => void
  /** Whom; above the form. */
  readonly who?: ReactNode
  /** What became of it; below the form. */
  readonly outcome?: ReactNode
}

type Messages = 'leave' | NonNullable<BanTerms['messages']>
const MESSAGES: readonly Messages[] = ['leave', 'soft', 'pruning', 'hard']

/** A dialog for a ban: where, for how long, why, what becomes of the messages, and openly or not. */
export function BanForm({
  title,
  hint,
  confirm,
  places,
  placeNote,
  offersLater,
  startsShadow = false,
  ...props
}: BanFormProps) {
  const t = useTexts('profile')
  const common = useTexts('common')
  const [place, setPlace] = useState(places[0]?.value ?? '')
  const [length, setLength] = useState<Length>({ choice: '7d' })
  const [reason, setReason] = useState('')
  const [messages, setMessages] = useState<Messages>('leave')
  const [shadow, setShadow] = useState(startsShadow)
  const [later, setLater] = useState(false)
  const now = useMinute()
  const isReady = !props.disabled && place !== '' && isAhead(length, now)
  const canLater = offersLater && place !== EVERYWHERE
  const submit = (): void => {
    const end = endOf(length, Date.now())
    if (!isReady || end === undefined) return
    props.onBan({
      place,
      until: end === 'never' ? undefined : end,
      reason: reason.trim(),
      shadow,
      messages: messages === 'leave' ? undefined : messages,
      future: later && canLater,
    })
  }
  return (
    <Dialog
      width={520}
      title={title}
      hint={hint}
      onClose={props.onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={props.onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="danger" working={props.working} aria-disabled={!isReady || undefined}>
            {confirm(shadow)}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {props.who}
        <Where places={places} note={placeNote} value={place} onChange={setPlace} />
        <HowLong value={length} onChange={setLength} />
        <TextField
          label={t('banDialog.reason')}
          optional={t('banDialog.reasonFor')}
          maxLength={REASON_LIMIT}
          value={reason}
          onChange={setReason}
        />
        <TheirMessages value={messages} onChange={setMessages} />
        <Option label={t('banDialog.shadow')} hint={t('banDialog.shadowHint')} on={shadow} onChange={setShadow} />
        {canLater ? (
          <Option label={t('banDialog.later')} hint={t('banDialog.laterHint')} on={later} onChange={setLater} />
        ) : null}
        {props.outcome}
      </div>
    </Dialog>
  )
}

type WhereProps = {
  readonly places: BanPlaces
  readonly note: ReactNode
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Two places side by side, more of them as a list. */
function Where({ places, note, value, onChange }: WhereProps) {
  const t = useTexts('profile')
  return (
    <div>
      <div className={styles['label']}>{t('banDialog.where')}</div>
      {places.length === 0 ? (
        <p className={styles['effect']}>{t('banDialog.nowhere')}</p>
      ) : places.length <= 2 ? (
        <Segments block label={t('banDialog.where')} value={value} choices={places} onChange={onChange} />
      ) : (
        <Select label={t('banDialog.where')} value={value} choices={places} onChange={onChange} />
      )}
      {note}
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

function isAhead(length: Length, now: number): boolean {
  const end = endOf(length, now)
  return end === 'never' || (end !== undefined && end > now)
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
