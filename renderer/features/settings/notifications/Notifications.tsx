import { type ReactNode, useId, useState, useEffect } from 'react'
import type { NotifyRecord, NotifyProof, QuietHours } from '#shared/domain/notification.ts'
import { type Pause as PauseName, pausedUntil as untilOf } from '#shared/rules/notifications/choices.ts'
import type { KeywordCount as Count } from '#shared/domain/search.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useHost } from '../../../store/hooks.ts'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { Select } from '../../../ui/Choice/Select.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { openDestination } from '../../../store/window/destination.ts'
import { selectChannel } from '../../../store/selectors.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { MomentDialog } from '../../../ui/Dates/MomentDialog.tsx'
import { clockOf, minutesOf } from '../../../lib/time/moments.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { TimeField } from '../../../ui/Dates/DateField.tsx'
import { ManagedBy, useIsManaged } from '../managed/ManagedSettings.tsx'
import { SettingRow, CommaListForm } from '../controls/SettingRow.tsx'
import { askNotifications, proveNotifications, countKeywords } from '../commands.ts'
import { Sounds, useChoices } from './Sounds.tsx'
import { useReason } from './use-reason.ts'
import styles from './Notifications.module.css'
import keywordCountStyles from '../Settings.module.css'

const LEVELS = ['mentions', 'all', 'none'] as const
const PREVIEWS = ['full', 'sender', 'nothing'] as const
const FLASHES = ['once', 'until-opened', 'never'] as const
const BADGES = ['mentions', 'all', 'off'] as const

/** Which messages notify, how much a notification shows, and quiet times. */
export function Notifications() {
  const t = useTexts('notifications')
  const [{ level, preview, presenting, badge, flash }, choose] = useChoices()
  const { kind } = useHost()
  const isManaged = useIsManaged('NotificationContent')
  const presentingId = useId()
  return (
    <>
      <Proof />
      <h2>{t('page.what')}</h2>
      <SettingRow title={t('page.level')} hint={t(`page.levelHints.${level}`)}>
        <Segments
          label={t('page.level')}
          value={level}
          onChange={(value) => choose({ level: value })}
          choices={LEVELS.map((value) => ({ value, label: t(`page.levels.${value}`) }))}
        />
      </SettingRow>
      <Keywords />
      <h2>{t('page.how')}</h2>
      <SettingRow title={t('page.preview')} hint={t(`page.previewHints.${preview}`)}>
        {isManaged ? (
          <ManagedBy />
        ) : (
          <Select
            label={t('page.preview')}
            value={preview}
            onChange={(value) => choose({ preview: value })}
            choices={PREVIEWS.map((value) => ({ value, label: t(`page.previews.${value}`) }))}
          />
        )}
      </SettingRow>
      <SettingRow id={presentingId} title={t('page.presenting')} hint={<PresentingHint />}>
        <Switch
          labelledBy={presentingId}
          describedBy={`${presentingId}-hint`}
          on={presenting}
          onChange={(on) => choose({ presenting: on })}
        />
      </SettingRow>
      <Sounds />
      <SettingRow title={t('page.badge')} hint={t('page.badgeHint')}>
        <Segments
          label={t('page.badge')}
          value={badge}
          onChange={(value) => choose({ badge: value })}
          choices={BADGES.map((value) => ({ value, label: t(`page.badges.${value}`) }))}
        />
      </SettingRow>
      {kind === 'browser' ? null : (
        <SettingRow title={t('page.flash')} hint={t('page.flashHint')}>
          <Segments
            label={t('page.flash')}
            value={flash}
            onChange={(value) => choose({ flash: value })}
            choices={FLASHES.map((value) => ({ value, label: t(`page.flashes.${value}`) }))}
          />
        </SettingRow>
      )}
      <h2>{t('page.quiet')}</h2>
      <Pause />
      <QuietHoursList />
      <LastOnes />
    </>
  )
}

/** Explains why this is a manual switch: no system reports that the screen is being shared. */
function PresentingHint() {
  const t = useTexts('notifications')
  const { kind, os } = useHost()
  return (
    <>
      {t('page.presentingHint')} {t(`page.presentingSystems.${kind === 'browser' ? 'browser' : os}`)}
    </>
  )
}

const LIMIT = 100

const countOf = (keywords: readonly string[]): ReactNode => <KeywordCount keywords={keywords} />

/** Keywords that notify like a mention. */
function Keywords() {
  const t = useTexts('notifications')
  const [{ keywords }, choose] = useChoices()
  const faultOf = (words: readonly string[]): string | undefined => {
    const tooLong = words.find((word) => word.length > LIMIT)
    if (tooLong !== undefined) return t('page.keywordTooLong', { word: tooLong.slice(0, 20), count: LIMIT })
    return words.length > LIMIT ? t('page.keywordsTooMany', { count: LIMIT }) : undefined
  }
  return (
    <CommaListForm
      key={keywords.join()}
      label={t('page.keywords')}
      hint={t('page.keywordsHint')}
      saveLabel={t('page.keepKeywords')}
      saved={keywords}
      faultOf={faultOf}
      onSave={(words) => choose({ keywords: words })}
      below={countOf}
    />
  )
}

/** Log of recent messages: notified or not, and why. Loaded on request; never stored. */
function LastOnes() {
  const t = useTexts('notifications')
  const dispatch = useAppDispatch()
  const [records, setRecords] = useState<readonly NotifyRecord[]>()
  const ask = async (): Promise<void> => {
    const answer = await dispatch(askNotifications())
    if (answer.ok) setRecords(answer.value)
  }
  return (
    <section aria-labelledby="last-ones" className={styles['last']}>
      <h2 id="last-ones">{t('page.last')}</h2>
      <p className={styles['hint']}>{t('page.lastHint')}</p>
      <Button onClick={() => void ask()}>{t(records === undefined ? 'page.showLast' : 'page.showLastAgain')}</Button>
      {records === undefined ? null : records.length === 0 ? (
        <p>{t('page.noneLast')}</p>
      ) : (
        <ul>
          {records.map((record) => (
            <Line key={record.messageId} record={record} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Line({ record }: { readonly record: NotifyRecord }) {
  const t = useTexts('notifications')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const channel = useAppSelector((state) => selectChannel(state, record.cid))
  const reason = useReason(record)
  const { cid, messageId, at, notifies } = record
  return (
    <li className={styles['line']}>
      <time dateTime={new Date(at).toISOString()}>{formats.dayAndTime(at)}</time>
      <span>
        <button type="button" onClick={() => openDestination(dispatch, { type: 'focus', cid, messageId })}>
          {channel?.name ?? cid}
        </button>
        <strong>{t(notifies ? 'trail.notified' : 'trail.notNotified')}</strong> {reason}
      </span>
    </li>
  )
}

/** Pauses all notifications for a while. */
function Pause() {
  const t = useTexts('notifications')
  const formats = useFormats()
  const now = useMinute()
  const [{ pausedUntil }, choose] = useChoices()
  const [asks, setAsks] = useState(false)
  const isPaused = pausedUntil > now
  const pause = (how: PauseName) => () => choose({ pausedUntil: untilOf(how, Date.now()) })
  return (
    <SettingRow
      title={t('page.pause')}
      hint={isPaused ? t('page.pausedUntil', { time: formats.dayAndTime(pausedUntil) }) : t('page.pauseHint')}
    >
      <span className={styles['buttons']}>
        {isPaused ? (
          <Button onClick={pause('off')}>{t('page.resume')}</Button>
        ) : (
          <>
            <Button onClick={pause('half-hour')}>{t('page.pauseHalfHour')}</Button>
            <Button onClick={pause('hour')}>{t('page.pauseHour')}</Button>
            <Button onClick={pause('tomorrow')}>{t('page.pauseTomorrow')}</Button>
            <Button aria-haspopup="dialog" onClick={() => setAsks(true)}>
              {t('page.pauseUntil')}
            </Button>
          </>
        )}
      </span>
      {asks ? (
        <MomentDialog
          title={t('page.pauseTitle')}
          confirm={t('page.pauseConfirm')}
          result={(time) => t('page.pausedUntil', { time })}
          onChoose={(at) => choose({ pausedUntil: at })}
          onClose={() => setAsks(false)}
        />
      ) : null}
    </SettingRow>
  )
}

/** Sends a test notification and shows where it was suppressed, if it was. */
function Proof() {
  const t = useTexts('notifications')
  const dispatch = useAppDispatch()
  const [isAsking, setIsAsking] = useState(false)
  const [proof, setProof] = useState<NotifyProof>()
  const permission = useBrowserPermission()
  const prove = async (): Promise<void> => {
    setIsAsking(true)
    setProof(undefined)
    await permission.ask()
    const answer = await dispatch(proveNotifications())
    setIsAsking(false)
    if (answer.ok) setProof(answer.value)
  }
  return (
    <SettingRow
      title={t('page.proof')}
      hint={
        <span role="status">
          {proof === undefined
            ? t('page.proofHint')
            : t(`page.outcomes.${permission.refused ? 'blocked' : proof.outcome}`)}
          {proof === undefined || proof.quiet === 'nothing' ? null : <> {t(`page.quietNow.${proof.quiet}`)}</>}
        </span>
      }
    >
      <Button disabled={isAsking} onClick={() => void prove()}>
        {t('page.prove')}
      </Button>
    </SettingRow>
  )
}

/** In a browser, notifications need permission, which can be requested only after a click. */
function useBrowserPermission(): { readonly refused: boolean; readonly ask: () => Promise<void> } {
  const [refused, setRefused] = useState(false)
  return {
    refused,
    async ask() {
      if (!('Notification' in window)) return
      const answer =
        Notification.permission === 'default' ? await Notification.requestPermission() : Notification.permission
      setRefused(answer === 'denied')
    },
  }
}

/** The count is updated after this pause in typing. */
const PAUSE_MS = 400
/** Limit of the settings, for the number of keywords and the length of each. */
const MAX_KEYWORDS = 100

/** How many recent messages the keywords would match. */
function KeywordCount({ keywords }: { readonly keywords: readonly string[] }) {
  const t = useTexts('notifications')
  const count = useCount(keywords)
  if (keywords.length === 0) return null
  return (
    <p role="status" className={keywordCountStyles['hint']}>
      {count === undefined || count.of === 0 ? null : t('page.keywordsCount', { count: count.matched, of: count.of })}
    </p>
  )
}

function useCount(words: readonly string[]): Count | undefined {
  const dispatch = useAppDispatch()
  const [known, setKnown] = useState<{ readonly key: string; readonly count: Count }>()
  const key = words.join('\n')
  useEffect(() => {
    const keywords = key.split('\n').filter((word) => word !== '' && word.length <= MAX_KEYWORDS)
    if (keywords.length === 0 || keywords.length > MAX_KEYWORDS) return undefined
    let isCurrent = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(countKeywords({ keywords }))
      if (isCurrent && answer.ok) setKnown({ key, count: answer.value })
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [dispatch, key])
  return known?.key === key ? known.count : undefined
}

/** Default for new quiet hours: weekday evenings and nights. */
const FIRST: Omit<QuietHours, 'id'> = { weekdays: [1, 2, 3, 4, 5], from: 20 * 60, to: 8 * 60 }
const MAX_QUIET_HOURS = 20
/** A Monday, for formatting weekday names. */
const MONDAY = Date.UTC(2026, 0, 5, 12)
const DAY_MS = 86_400_000

/** Weekly quiet hours; messages received in them are summarized at their end. */
function QuietHoursList() {
  const t = useTexts('notifications')
  const [{ quietHours }, choose] = useChoices()
  const replace = (id: string, hours: QuietHours | undefined): void =>
    choose({ quietHours: quietHours.flatMap((each) => (each.id === id ? (hours ?? []) : each)) })
  return (
    <section aria-label={t('page.hours')} className={styles['hours']}>
      <p className={styles['hint']}>{t('page.hoursHint')}</p>
      {quietHours.map((hours) => (
        <Stretch key={hours.id} hours={hours} onChange={(changed) => replace(hours.id, changed)} />
      ))}
      <Button
        disabled={quietHours.length >= MAX_QUIET_HOURS}
        onClick={() => choose({ quietHours: [...quietHours, { ...FIRST, id: crypto.randomUUID() }] })}
      >
        {t('page.addHours')}
      </Button>
    </section>
  )
}

type StretchProps = { readonly hours: QuietHours; readonly onChange: (hours: QuietHours | undefined) => void }

function Stretch({ hours, onChange }: StretchProps) {
  const t = useTexts('notifications')
  const { weekdays } = hours
  const toggle = (day: number): void =>
    onChange({
      ...hours,
      weekdays: weekdays.includes(day)
        ? weekdays.filter((each) => each !== day)
        : [...weekdays, day].toSorted((a, b) => a - b),
    })
  return (
    <div role="group" aria-label={t('page.stretch')} className={styles['stretch']}>
      <Days chosen={weekdays} onToggle={toggle} />
      <TimeField
        label={t('page.from')}
        value={clockOf(hours.from)}
        onChange={(time) => onChange({ ...hours, from: minutesOf(time) ?? hours.from })}
      />
      <TimeField
        label={t('page.to')}
        value={clockOf(hours.to)}
        onChange={(time) => onChange({ ...hours, to: minutesOf(time) ?? hours.to })}
      />
      <IconButton icon="trash" label={t('page.removeHours')} onClick={() => onChange(undefined)} />
    </div>
  )
}

function Days({ chosen, onToggle }: { readonly chosen: readonly number[]; readonly onToggle: (day: number) => void }) {
  const formats = useFormats()
  return (
    <span className={styles['days']}>
      {formats.weekdays.map((day) => {
        const at = MONDAY + (day - 1) * DAY_MS
        return (
          <button
            key={day}
            type="button"
            aria-pressed={chosen.includes(day)}
            aria-label={formats.weekday(at)}
            onClick={() => onToggle(day)}
          >
            {formats.weekdayShort(at)}
          </button>
        )
      })}
    </span>
  )
}
