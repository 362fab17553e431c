import { useState, useId } from 'react'
import {
  CAMPAIGN_PEOPLE,
  type CampaignContent,
  type ListedCampaign,
  type NotSent,
  type OpenCampaign,
  type CampaignReplies,
  type CampaignReading,
} from '#shared/domain/manage/campaigns.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { may } from '#shared/rules/campaigns/campaigns.ts'
import { useErrorText, useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Banner } from '../../../ui/Banner/Banner.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Page } from '../Page.tsx'
import { Portrait, useName, useNames } from '../../people/index.ts'
import { DeleteDialog, StopDialog } from './Dialogs.tsx'
import { copyOf, forOnly } from './use-drafts.ts'
import { StateTag, useReason, Meter } from './words.tsx'
import { useReplies, useExport, exportCampaign, loadCampaign } from './commands.ts'
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

/** What the server counts of a campaign, and the replies that this device knows. */
function Figures({ opened: { campaign, notSent } }: { readonly opened: OpenCampaign }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const { messagesSent, usersDelivered, usersRead, channelsCreated } = campaign.stats
  const replies = useReplies(campaign)
  return (
    <>
      <dl className={styles['figures']}>
        <Figure label={t('progress.messages')} value={formats.number(messagesSent)} />
        {usersDelivered === undefined ? null : (
          <Figure label={t('progress.delivered')} value={formats.number(usersDelivered)} />
        )}
        <Figure label={t('progress.read')} value={formats.number(usersRead)} />
        <Figure label={t('progress.channels')} value={formats.number(channelsCreated)} />
        {replies === undefined ? null : <Replies replies={replies} />}
        <Figure
          label={t(campaign.state === 'in_progress' ? 'progress.notYet' : 'progress.notSent')}
          value={notSent === undefined ? t('progress.unknown') : formats.number(notSent.count)}
        />
      </dl>
      {replies === undefined ? null : (
        <p className={styles['hint']}>
          {t('progress.repliesText')}
          {replies.known < replies.all ? ` ${t('progress.repliesRest')}` : null}
        </p>
      )}
    </>
  )
}

/** Never a number without what it covers. */
function Replies({ replies: { count, known, all } }: { readonly replies: CampaignReplies }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  if (known === 0) return <Figure label={t('progress.replies')} value={t('progress.unknown')} />
  const of = t('progress.repliesIn', { known, count: all })
  return <Figure label={t('progress.replies')} value={formats.number(count)} of={of} />
}

type FigureProps = { readonly label: string; readonly value: string; readonly of?: string }

/** `of`: what the figure covers, where that is not everything. */
function Figure({ label, value, of }: FigureProps) {
  return (
    <div className={styles['figure']}>
      <dt>{label}</dt>
      <dd>{value}</dd>
      {of === undefined ? null : <dd className={styles['figureOf']}>{of}</dd>}
    </div>
  )
}

type CourseProps = { readonly readings: readonly CampaignReading[] }

/** How it went: what the server said each time that it was asked and a figure had changed. */
function Course({ readings }: CourseProps) {
  const t = useTexts('campaigns')
  const caption = useId()
  const [asTable, setAsTable] = useState(false)
  // One time is no course.
  const canDraw = readings.length > 1
  return (
    <section className={styles['course']} aria-labelledby={caption}>
      <header className={styles['courseHead']}>
        <h2 id={caption} className={styles['asideHead']}>
          {t('course.title')}
        </h2>
        {canDraw ? (
          <Button size="small" variant="link" onClick={() => setAsTable(!asTable)}>
            {t(asTable ? 'course.asChart' : 'course.asTable')}
          </Button>
        ) : null}
      </header>
      <p className={styles['hint']}>{t('course.hint')}</p>
      {canDraw && !asTable ? <Chart readings={readings} /> : <CourseTable readings={readings} caption={caption} />}
    </section>
  )
}

const LINES = ['sent', 'delivered', 'read'] as const
type Line = (typeof LINES)[number]

const valueOf = ({ usersSent, usersDelivered, usersRead }: CampaignReading, line: Line): number =>
  line === 'sent' ? usersSent : line === 'read' ? usersRead : (usersDelivered ?? 0)

/** The lines of a drawing of this size are stretched to the width there is; what is written stands beside it. */
const SIZE = { width: 1_000, height: 160 } as const
/** Where the last note stands, so that what it says can be seen. */
const LAST = 960

/** A figure stays what it was until it is noted again: nothing is drawn between two notes that nobody saw. */
function Chart({ readings }: CourseProps) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const [first, last] = [readings[0], readings.at(-1)]
  if (first === undefined || last === undefined) return null
  const lines = LINES.filter((line) => line !== 'delivered' || last.usersDelivered !== undefined)
  const most = Math.max(1, ...readings.flatMap((reading) => lines.map((line) => valueOf(reading, line))))
  const span = Math.max(1, last.at - first.at)
  const pathOf = (line: Line): string =>
    readings
      .filter(({ usersDelivered }) => line !== 'delivered' || usersDelivered !== undefined)
      .map((reading, index) => {
        const x = Math.round(((reading.at - first.at) / span) * LAST)
        const y = Math.round((1 - valueOf(reading, line) / most) * SIZE.height)
        return index === 0 ? `M${x} ${y}` : `H${x}V${y}`
      })
      .join('')
      .concat(`H${SIZE.width}`)
  const name = (line: Line): string => t(`course.lines.${line}`)
  const values = lines.map((line) => `${name(line)}: ${formats.number(valueOf(last, line))}`)
  return (
    <div className={styles['chart']}>
      <div
        role="img"
        aria-label={t('course.chart', { time: formats.dayAndTime(last.at), values: formats.list(values) })}
        className={styles['plot']}
      >
        <span className={styles['plotMost']}>{formats.number(most)}</span>
        <span className={styles['plotNone']}>{formats.number(0)}</span>
        <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} preserveAspectRatio="none" aria-hidden="true">
          {lines.map((line) => (
            <path key={line} d={pathOf(line)} data-line={line} />
          ))}
        </svg>
        <span className={styles['plotFrom']}>{formats.dayAndTime(first.at)}</span>
        <span className={styles['plotTo']}>{formats.timeOrDay(last.at, first.at)}</span>
      </div>
      <ul className={styles['legend']} aria-hidden="true">
        {lines.map((line) => (
          <li key={line}>
            <svg viewBox="0 0 24 2" width={24} height={2}>
              <path d="M0 1H24" data-line={line} />
            </svg>
            {name(line)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function CourseTable({ readings, caption }: CourseProps & { readonly caption: string }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const confirms = readings.at(-1)?.usersDelivered !== undefined
  return (
    <table className={styles['courseTable']} aria-labelledby={caption}>
      <thead>
        <tr>
          <th scope="col">{t('course.at')}</th>
          <th scope="col">{t('course.sent')}</th>
          {confirms ? <th scope="col">{t('progress.delivered')}</th> : null}
          <th scope="col">{t('progress.read')}</th>
          <th scope="col">{t('progress.messages')}</th>
        </tr>
      </thead>
      <tbody>
        {readings.toReversed().map((reading) => (
          <tr key={reading.at}>
            <th scope="row">{formats.dayAndTime(reading.at)}</th>
            <td>{formats.number(reading.usersSent)}</td>
            {confirms ? (
              <td>
                {reading.usersDelivered === undefined ? t('progress.unknown') : formats.number(reading.usersDelivered)}
              </td>
            ) : null}
            <td>{formats.number(reading.usersRead)}</td>
            <td>{formats.number(reading.messagesSent)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
