import { useEffect, useState } from 'react'
import type { NotifyRecord, NotifyStep } from '#shared/domain/notification.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector, useSetting } from '../../store/hooks.ts'
import { dialogClosed, dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { updateSettings } from '../settings/index.ts'
import { command } from '../../store/command.ts'
import styles from './Level.module.css'
import { selectMessage } from '../../store/selectors.ts'
import { muteChannel } from '../sidebar/index.ts'
import { followThread } from '../threads/index.ts'

type Props = { readonly cid: Cid; readonly messageId: MessageId }

type RecordState =
  | { readonly state: 'asking' | 'unknown' }
  | { readonly state: 'failed'; readonly error: ErrorBody }
  | { readonly state: 'known'; readonly record: NotifyRecord }

/** Why there was a notification about a message, or not: every rule that was checked, and a button to change the outcome. */
export function WhyNotifiedDialog({ cid, messageId }: Props) {
  const t = useTexts('notifications')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const result = useNotifyRecord(messageId)
  const record = result.state === 'known' ? result.record : undefined
  const repair = useRepair({ cid, messageId, record })
  const close = (): void => void dispatch(dialogClosed())
  return (
    <Dialog
      title={t(record === undefined ? 'why.title' : record.notifies ? 'why.titleNotified' : 'why.titleNotNotified')}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{t('why.close')}</Button>
          <Button
            variant="primary"
            onClick={() => {
              close()
              repair.run()
            }}
          >
            {repair.label}
          </Button>
        </>
      }
    >
      {result.state === 'known' ? (
        <Trail record={result.record} />
      ) : (
        <DialogText muted>{result.state === 'failed' ? errorText(result.error) : t(`why.${result.state}`)}</DialogText>
      )}
    </Dialog>
  )
}

function useNotifyRecord(messageId: MessageId): RecordState {
  const dispatch = useAppDispatch()
  const [result, setResult] = useState<RecordState>({ state: 'asking' })
  useEffect(() => {
    let live = true
    const load = async (): Promise<void> => {
      const loaded = await dispatch(loadNotifyRecord({ messageId }))
      if (!live) return
      if (!loaded.ok) setResult({ state: 'failed', error: loaded.error })
      else setResult(loaded.value === undefined ? { state: 'unknown' } : { state: 'known', record: loaded.value })
    }
    void load()
    return () => {
      live = false
    }
  }, [dispatch, messageId])
  return result
}

function Trail({ record }: { readonly record: NotifyRecord }) {
  const t = useTexts('notifications')
  const passed = usePassed()
  const reason = useReason(record)
  const { steps, notifies, outcome } = record
  return (
    <ol className={styles['trail']} aria-label={t('why.trail')}>
      {steps
        .filter(({ stops }) => !stops)
        .map((step) => (
          <li key={step.rule} className={styles['step']}>
            <Icon name="check" size={16} />
            <span>{passed(step)}</span>
          </li>
        ))}
      <li className={`${styles['step']} ${styles['last']}`}>
        <Icon name={notifies ? 'bell' : 'bell-off'} size={16} />
        <span>
          <strong>{t(notifies ? 'trail.notified' : 'trail.notNotified')}</strong> {reason}
        </span>
      </li>
      {outcome === 'not-shown' || outcome === 'refused' ? null : (
        <li className={styles['step']}>
          <Icon name="info" size={16} />
          <span>{t(`why.outcomes.${outcome}`)}</span>
        </li>
      )}
    </ol>
  )
}

/** The text of a rule that did not stop the notification. */
function usePassed(): (step: NotifyStep) => string {
  const t = useTexts('notifications')
  return (step) => {
    if (step.rule === 'cause') {
      return t(`passed.causes.${step.cause ?? 'channel'}`, { keyword: step.keyword ?? '' })
    }
    if (step.rule === 'level') {
      return t(step.own ? 'passed.ownLevel' : 'passed.level', { level: t(`page.levels.${step.level}`) })
    }
    if (step.rule === 'quiet') return t(step.allowed && step.by !== 'nothing' ? 'passed.allowed' : 'passed.quiet')
    return t(`passed.${step.rule}`)
  }
}

/** Quiet: the dialog shows the error. */
const loadNotifyRecord = command(
  'notifications/whyAsked',
  (input: { readonly messageId: MessageId }, engine) => engine.notifications.why(input),
  { quiet: true },
)

type Options = { readonly cid: Cid; readonly messageId: MessageId; readonly record: NotifyRecord | undefined }
type Repair = { readonly label: string; readonly run: () => void }

/** The action that changes what decided about a notification; the settings page if there is no specific one. */
function useRepair({ cid, messageId, record }: Options): Repair {
  const t = useTexts('notifications')
  const dispatch = useAppDispatch()
  const notifications = useSetting('notifications')
  const message = useAppSelector((state) => selectMessage(state, messageId))
  const parentId = message?.parentId
  const author = message?.userId
  const settings: Repair = {
    label: t('repair.settings'),
    run: () => void dispatch(routeOpened({ view: 'settings', section: 'notifications' })),
  }
  const level: Repair = {
    label: t('repair.level'),
    run: () => void dispatch(dialogOpened({ kind: 'notify-level', cid })),
  }
  const last = record?.steps.at(-1)
  if (record === undefined || last === undefined || record.outcome === 'refused') return settings
  if (record.notifies) return level
  switch (last.rule) {
    case 'level':
    case 'digest':
      return level
    case 'channel-muted':
      return { label: t('repair.unmute'), run: () => void dispatch(muteChannel({ cid, muted: false })) }
    case 'person-muted':
      if (author === undefined) return settings
      return { label: t('repair.person'), run: () => void dispatch(dialogOpened({ kind: 'person', userId: author })) }
    case 'cause':
      if (parentId === undefined) return settings
      return {
        label: t('repair.follow'),
        run: () => void dispatch(followThread({ cid, parentId, follows: true })),
      }
    case 'quiet':
      if (last.by !== 'pause') return settings
      return {
        label: t('repair.resume'),
        run: () => void dispatch(updateSettings({ notifications: { ...notifications, pausedUntil: 0 } })),
      }
    case 'account-muted':
      return {
        label: t('repair.account'),
        run: () => void dispatch(routeOpened({ view: 'settings', section: 'account' })),
      }
    case 'own':
    case 'kind':
    case 'read':
    case 'watching':
    case 'late':
      return settings
  }
}

/** The deciding rule as a sentence. */
export function useReason({ notifies, cause, steps, outcome }: NotifyRecord): string {
  const t = useTexts('notifications')
  const last = steps.at(-1)
  if (notifies || last === undefined) {
    const keyword = steps.find((step) => step.rule === 'cause')?.keyword ?? ''
    const why = t(`trail.causes.${cause ?? 'channel'}`, { keyword })
    return outcome === 'refused' ? t('trail.refused', { why }) : why
  }
  if (last.rule === 'level') return t(last.own ? `trail.ownLevels.${last.level}` : `trail.levels.${last.level}`)
  return last.rule === 'quiet' ? t(`trail.quiet.${last.by}`) : t(`trail.stops.${last.rule}`)
}
