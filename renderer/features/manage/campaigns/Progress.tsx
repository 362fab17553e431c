import { useState } from 'react'
import {
  CAMPAIGN_PEOPLE,
  type CampaignContent,
  type ListedCampaign,
  type NotSent,
  type OpenCampaign,
} from '#shared/domain/manage/campaigns.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { may } from '#shared/rules/campaigns/states.ts'
import { useErrorText, useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Banner } from '../../../ui/Banner/Banner.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Page } from '../Page.tsx'
import { Portrait, useName, useNames } from '../../people/index.ts'
import { exportCampaign, loadCampaign } from './commands.ts'
import { Course } from './results/Course.tsx'
import { DeleteDialog, StopDialog } from './Dialogs.tsx'
import { copyOf, forOnly } from './drafts.ts'
import { Figures } from './results/Figures.tsx'
import { Meter } from './Meter.tsx'
import { StateTag, useReason } from './words.tsx'
import { useExport } from './use-export.ts'
import styles from './Campaigns.module.css'

type Props = {
  readonly opened: OpenCampaign
  /** Why what is shown could not be loaded again. */
  readonly error: ErrorBody | undefined
  readonly onBack: () => void
  /** Opens a new campaign with this content. */
  readonly onWrite: (content: CampaignContent) => void
}

/** A campaign on its way, or over: what the server counts, and whom it did not reach. */
export function Progress({ opened, error, onBack, onWrite }: Props) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const errorText = useErrorText()
  const wide = useBreakpoint() === 'wide'
  const [asking, setAsking] = useState<'stop' | 'delete'>()
  const { campaign, notSent, storedAt } = opened
  const { content, stats, state } = campaign
  // Channels of segments are no people.
  const isOfPeople = campaign.segments.every(({ type }) => type === 'user')
  const total = notSent === undefined || !isOfPeople ? undefined : stats.usersSent + notSent.count
  const dispatch = useAppDispatch()
  const saving = useExport(() => dispatch(exportCampaign({ id: campaign.id })))
  const aside = <Details opened={opened} />
  return (
    <Page
      icon="megaphone"
      title={content.name}
      fact={t(`states.${state}`)}
      onBack={onBack}
      aside={aside}
      asideWide
      actions={
        <Actions
          campaign={campaign}
          saving={saving}
          onDuplicate={() => onWrite(copyOf(content, t('copyOf', { name: content.name })))}
          onAsk={setAsking}
        />
      }
    >
      {storedAt === undefined ? null : (
        <Banner icon="cloud-off">{t('asOf', { time: formats.dayAndTime(storedAt) })}</Banner>
      )}
      <div className={styles['compose']}>
        <Refusal text={saving.text} />
        {error === undefined || storedAt !== undefined ? null : (
          <p role="status" className={styles['note']}>
            {t('stale', { why: errorText(error) })}
          </p>
        )}
        <div className={styles['bigLine']}>
          <span className={styles['big']}>{formats.number(stats.usersSent)}</span>
          <span>
            {total === undefined ? t('progress.sent', { count: stats.usersSent }) : t('progress.of', { count: total })}
          </span>
          <StateTag state={state} />
        </div>
        <Meter large value={stats.progress} label={t('columns.progress')} />
        <Figures opened={opened} />
        {notSent === undefined ? <p className={styles['hint']}>{t('progress.unknownText')}</p> : null}
        {opened.readings === undefined ? null : <Course readings={opened.readings} />}
        <Missed opened={opened} onWrite={onWrite} />
        {wide ? null : aside}
      </div>
      {asking === 'stop' ? (
        <StopDialog
          campaign={campaign}
          left={notSent?.rows.some((row) => row.state === 'pending') === true ? notSent.count : undefined}
          onClose={() => setAsking(undefined)}
        />
      ) : null}
      {asking === 'delete' ? (
        <DeleteDialog campaign={campaign} onClose={() => setAsking(undefined)} onDone={onBack} />
      ) : null}
    </Page>
  )
}

type ActionsProps = {
  readonly campaign: ListedCampaign
  readonly saving: ReturnType<typeof useExport>
  readonly onDuplicate: () => void
  readonly onAsk: (what: 'stop' | 'delete') => void
}

function Actions({ campaign, saving, onDuplicate, onAsk }: ActionsProps) {
  const t = useTexts('campaigns')
  const { offline } = useConnection()
  return (
    <>
      <Button
        icon="download"
        working={saving.working}
        aria-disabled={offline || undefined}
        onClick={() => offline || saving.save()}
      >
        {t('export')}
      </Button>
      <Button icon="copy" onClick={onDuplicate}>
        {t('duplicate')}
      </Button>
      {may('stop', campaign.state) ? (
        <Button icon="stop" aria-disabled={offline || undefined} onClick={() => offline || onAsk('stop')}>
          {t('stop.open')}
        </Button>
      ) : (
        <Button
          variant="risky"
          icon="trash"
          aria-disabled={offline || undefined}
          onClick={() => offline || onAsk('delete')}
        >
          {t('delete.open')}
        </Button>
      )}
    </>
  )
}

/**
 * People without the message, with the reason; those for whom another try can help go into a new campaign. While it is
 * running, those whose turn has not come are no failures.
 */
function Missed({ opened, onWrite }: Pick<Props, 'opened' | 'onWrite'>) {
  const t = useTexts('campaigns')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const reason = useReason(opened.campaign.state)
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const { campaign, notSent } = opened
  const isRunning = campaign.state === 'in_progress'
  const all = notSent?.rows ?? NONE
  const rows = isRunning ? all.filter(({ state }) => state !== 'pending') : all
  // The server names them first.
  const areAll = isRunning ? rows.length < all.length : rows.length >= (notSent?.count ?? 0)
  const names = useNames(rows.map(({ id }) => id))
  const again = async (): Promise<void> => {
    if (offline || working) return
    setWorking(true)
    const whole = await dispatch(loadCampaign({ id: campaign.id, notSent: CAMPAIGN_PEOPLE }))
    setWorking(false)
    if (!whole.ok) return formMessage.refuse(whole.error)
    const ids = (whole.value.notSent?.rows ?? []).flatMap(({ kind, id }) => (kind === 'user' ? [id] : []))
    onWrite(forOnly(campaign.content, ids, t('againOf', { name: campaign.content.name })))
  }
  if (rows.length === 0) return null
  return (
    <section aria-label={t('missed.title')}>
      <header className={styles['missedHead']}>
        <h2>
          {isRunning ? t('missed.soFar', { count: rows.length }) : t('missed.count', { count: notSent?.count ?? 0 })}
        </h2>
        {isRunning ? null : (
          <Button
            size="small"
            working={working}
            aria-disabled={offline || undefined}
            title={t('missed.againHint', { most: CAMPAIGN_PEOPLE })}
            onClick={() => void again()}
          >
            {t('missed.again')}
          </Button>
        )}
      </header>
      <Refusal text={formMessage.text} />
      <ul className={styles['missed']}>
        {rows.map((row, index) => (
          <li key={`${row.kind} ${row.id}`}>
            {row.kind === 'user' ? <Portrait userId={row.id} size={26} /> : null}
            <bdi className={styles['missedName']}>{names[index] ?? row.id}</bdi>
            <span className={styles['second']}>{reason(row)}</span>
          </li>
        ))}
      </ul>
      {areAll ? null : <p className={styles['hint']}>{t('missed.first', { count: rows.length })}</p>}
      {isRunning ? null : <p className={styles['hint']}>{t('missed.againHint', { most: CAMPAIGN_PEOPLE })}</p>}
    </section>
  )
}

const NONE: readonly NotSent[] = []

function Details({ opened: { campaign } }: Pick<Props, 'opened'>) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const { content, segments, stats, scheduledFor, stopAt, state } = campaign
  const sender = useName(content.senderId)
  const to = [
    ...segments.map(({ name }) => name),
    ...(content.userIds.length > 0 ? [t('byName', { count: content.userIds.length })] : []),
  ]
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('to'), to.length === 0 ? undefined : formats.list(to)],
    [t('details.scheduled'), scheduledFor === undefined ? undefined : formats.dayAndTime(scheduledFor)],
    [t('details.started'), stats.startedAt === undefined ? undefined : formats.dayAndTime(stats.startedAt)],
    [t('details.ended'), stats.completedAt === undefined ? undefined : formats.dayAndTime(stats.completedAt)],
    [t('details.stopAt'), stopAt === undefined ? undefined : formats.dayAndTime(stopAt)],
  ]
  return (
    <div className={styles['aside']}>
      <h2 className={styles['asideHead']}>{t('message')}</h2>
      <div className={styles['card']}>
        <Portrait userId={content.senderId} size={32} />
        <div className={styles['cardText']}>
          <bdi className={styles['cardName']}>{sender}</bdi>
          <p className={styles['raw']}>
            <bdi>{content.text}</bdi>
          </p>
        </div>
      </div>
      <dl className={styles['sum']}>
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name} className={styles['pair']}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
        )}
      </dl>
      {state === 'in_progress' ? <p className={styles['note']}>{t('details.goesOn')}</p> : null}
    </div>
  )
}
