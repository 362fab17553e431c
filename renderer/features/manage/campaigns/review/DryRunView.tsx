import { useCallback, useEffect, useState, useMemo } from 'react'
import type {
  DryRunPerson,
  DryRunSummary,
  DryRunView as View,
  ListedCampaign,
} from '#shared/domain/manage/campaigns.ts'
import { ok } from '#shared/lib/app-error.ts'
import { isNightIn } from '#shared/rules/people/local-time.ts'
import { useFormats, useTexts } from '../../../../i18n/index.ts'
import { announce } from '../../../../lib/page/announce.ts'
import { useBreakpoint } from '../../../../lib/page/environment.ts'
import { useAppDispatch, useConnection } from '../../../../store/hooks.ts'
import { Button } from '../../../../ui/Button/Button.tsx'
import { Segments } from '../../../../ui/Choice/Choice.tsx'
import { Refusal } from '../../../../ui/Dialog/Dialog.tsx'
import { FindField } from '../../../../ui/Field/TextField.tsx'
import { Table, type TableColumn } from '../../../../ui/Table/Table.tsx'
import { Icon } from '../../../../ui/Icon/Icon.tsx'
import { Portrait } from '../../../people/index.ts'
import { Listed, Page } from '../../Page.tsx'
import { usePagesOf } from '../../loading.ts'
import { StartDialog, DryRunFacts, leftOut, type Narrow } from './StartDialog.tsx'
import { useExport, exportDryRun, loadDryRunPeople } from '../commands.ts'
import { useDryRun, useSameContent, type DryRun, useStartChoice } from '../use-dry-run.ts'
import styles from '../Campaigns.module.css'

type Props = {
  readonly campaign: ListedCampaign
  readonly onBack: () => void
  readonly onStarted: () => void
}

/** In a narrow window what was found is a view of its own. */
type Shown = View | 'facts'

const idOf = ({ id }: DryRunPerson): string => id

/** Everyone who would get it, in the order of sending, and who would not. Nothing is sent. */
export function DryRunView({ campaign, onBack, onStarted }: Props) {
  const t = useTexts('campaigns')
  const { offline } = useConnection()
  const { dryRun, begin } = useDryRun()
  const wide = useBreakpoint() === 'wide'
  const [chosen, setView] = useState<Shown>('gets')
  const view = wide && chosen === 'facts' ? 'gets' : chosen
  const [find, setFind] = useState('')
  const [narrow, setNarrow] = useState<Narrow>({})
  const [isAsking, setAsking] = useState(false)
  const starting = useStartChoice(campaign)
  const { id, version } = campaign
  const content = useSameContent(campaign.content)
  useEffect(() => void begin(content, { id, version }), [begin, content, id, version])
  const summary = dryRun?.summary
  const done = dryRun !== undefined && !dryRun.running && summary !== undefined
  useEffect(() => {
    if (done) announce(t('dry.people', { count: summary.people }))
  }, [done, summary, t])
  const canStart = !offline && done && summary.people + summary.channels > 0
  const look = (next: Narrow): void => {
    setNarrow(next)
    setView(next.why === undefined ? 'gets' : 'left-out')
  }
  const show = (next: Shown): void => {
    setNarrow({})
    setView(next)
  }
  const facts = (
    <DryRunFacts dryRun={dryRun} campaign={campaign} when={starting.choice.when} at={starting.at} onNarrow={look} />
  )
  return (
    <Page
      icon="megaphone"
      title={content.name}
      fact={t('dry.fact')}
      onBack={onBack}
      aside={facts}
      asideWide
      filters={<Filters summary={summary} find={find} view={view} onFind={setFind} onView={show} />}
      actions={
        <Button variant="primary" aria-disabled={!canStart || undefined} onClick={() => setAsking(canStart)}>
          {t('start.open')}
        </Button>
      }
      foot={<Foot dryRun={dryRun} at={starting.at} onAgain={() => void begin(content, { id, version })} />}
    >
      {view === 'facts' ? (
        <div className={styles['compose']}>{facts}</div>
      ) : (
        <People
          key={done ? dryRun.run : undefined}
          dryRun={dryRun}
          view={view}
          find={find.trim()}
          narrow={narrow}
          campaign={campaign}
          at={starting.at}
        />
      )}
      {isAsking && summary !== undefined ? (
        <StartDialog
          campaign={campaign}
          summary={summary}
          starting={starting}
          onClose={() => setAsking(false)}
          onStarted={onStarted}
          onShowNight={() => {
            setAsking(false)
            look({ night: true })
          }}
        />
      ) : null}
    </Page>
  )
}

type FiltersProps = {
  readonly summary: DryRunSummary | undefined
  readonly find: string
  readonly view: Shown
  readonly onFind: (text: string) => void
  readonly onView: (view: Shown) => void
}

function Filters({ summary, find, view, onFind, onView }: FiltersProps) {
  const t = useTexts('campaigns')
  const wide = useBreakpoint() === 'wide'
  return (
    <>
      <FindField label={t('dry.find')} value={find} onChange={onFind} list="[role=table]" maxLength={100} />
      <Segments
        label={t('dry.view')}
        value={view}
        choices={[
          { value: 'gets', label: t('dry.gets', { count: summary?.people ?? 0 }) },
          { value: 'left-out', label: t('dry.leftOut', { count: leftOut(summary) }) },
          ...(wide ? [] : [{ value: 'facts' as const, label: t('dry.facts') }]),
        ]}
        onChange={onView}
      />
    </>
  )
}

type FootProps = { readonly dryRun: DryRun | undefined; readonly at: number; readonly onAgain: () => void }

function Foot({ dryRun, at, onAgain }: FootProps) {
  const t = useTexts('campaigns')
  const dispatch = useAppDispatch()
  const run = dryRun?.running === false ? dryRun.run : undefined
  const exporting = useExport(() => dispatch(exportDryRun({ run: run ?? '', at })))
  const formats = useFormats()
  const { offline } = useConnection()
  const wide = useBreakpoint() === 'wide'
  const summary = dryRun?.summary
  const isOff = offline || dryRun?.running === true
  return (
    <>
      {wide || summary === undefined ? null : <b>{t('dry.people', { count: summary.people })}</b>}
      <span role="status" className={styles['quiet']}>
        {dryRun?.running === true
          ? t('who.counting', { count: dryRun.checked })
          : summary === undefined
            ? null
            : t('dry.checked', { time: formats.time(summary.at), count: dryRun?.checked ?? 0 })}
      </span>
      <Button size="small" variant="link" aria-disabled={isOff || undefined} onClick={() => isOff || onAgain()}>
        {t('dry.again')}
      </Button>
      <Button
        size="small"
        variant="link"
        working={exporting.working}
        aria-disabled={run === undefined || undefined}
        onClick={() => run === undefined || exporting.save()}
      >
        {t('dry.export')}
      </Button>
      <Refusal text={exporting.text} />
    </>
  )
}

type PeopleProps = {
  readonly dryRun: DryRun | undefined
  readonly view: View
  readonly find: string
  readonly narrow: Narrow
  readonly campaign: ListedCampaign
  /** When they would get it. */
  readonly at: number
}

function People({ dryRun, view, find, narrow, campaign, at }: PeopleProps) {
  const t = useTexts('campaigns')
  const dispatch = useAppDispatch()
  const run = dryRun !== undefined && !dryRun.running ? dryRun.run : undefined
  const load = useCallback(
    async (offset: number) => {
      if (run === undefined) return ok({ rows: [], more: false })
      const { night, ...others } = narrow
      const then = night === true ? { nightAt: at } : {}
      const loaded = await dispatch(loadDryRunPeople({ run, view, find, offset, ...others, ...then }))
      if (!loaded.ok) return loaded
      const { people, count } = loaded.value
      return ok({ rows: people, more: offset + people.length < count })
    },
    [dispatch, run, view, find, narrow, at],
  )
  const list = usePagesOf(load, JSON.stringify([run, view, find, narrow, narrow.night === true ? at : 0]), 0)
  // Of a large audience it is not looked up.
  const reach = dryRun?.summary?.reach
  const isReachKnown = reach?.new !== undefined || reach?.existing !== undefined
  const columns = usePeopleColumns(view, campaign, { at, isReachKnown })
  const loading = run === undefined && dryRun?.error === undefined
  return (
    <Listed
      list={{
        rows: run === undefined ? [] : list.rows,
        loading: loading || list.loading,
        error: dryRun?.error ?? list.error,
        again: list.again,
      }}
      empty={{ scene: 'search', title: view === 'gets' ? t('dry.nobody') : t('dry.nobodyOut') }}
    >
      <Table
        label={view === 'gets' ? t('dry.getsLabel') : t('dry.outLabel')}
        columns={columns}
        rows={list.rows}
        idOf={idOf}
        rowPx={40}
        onEnd={list.next}
      />
    </Listed>
  )
}

type Column = TableColumn<DryRunPerson>
type Moment = {
  /** When they would get it. */
  readonly at: number
  /** Whether it is known of anyone if they have a channel. */
  readonly isReachKnown: boolean
}

/** Of those who get it, in the order of sending, or of those who are left out. */
function usePeopleColumns(view: View, campaign: ListedCampaign, moment: Moment): readonly Column[] {
  const who = useWho(campaign)
  const gets = useGets(who, moment)
  const t = useTexts('campaigns')
  return useMemo(() => {
    if (view === 'gets') return gets
    const why: Column = {
      id: 'why',
      title: t('dry.columns.why'),
      width: 'minmax(140px, 3.4fr)',
      render: ({ why: reason }) => (reason === undefined ? '' : t(`excluded.${reason}`)),
    }
    return [...who, why]
  }, [t, view, who, gets])
}

/** Who it is, and by which segments they were found. */
function useWho({ segments }: ListedCampaign): readonly Column[] {
  const t = useTexts('campaigns')
  const formats = useFormats()
  return useMemo(
    () => [
      {
        id: 'person',
        title: t('dry.columns.person'),
        width: 'minmax(120px, 2fr)',
        render: ({ id, name }) => (
          <span className={styles['person']}>
            <Portrait userId={id} name={name} size={24} />
            <bdi className="ellipsis">{name}</bdi>
          </span>
        ),
      },
      {
        id: 'from',
        title: t('dry.columns.from'),
        width: 'minmax(84px, 1fr)',
        priority: 1,
        render: ({ from }) => (
          <bdi>
            {formats.list(
              from.map((id) =>
                id === null ? t('dry.byName') : (segments.find((segment) => segment.id === id)?.name ?? id),
              ),
            )}
          </bdi>
        ),
      },
    ],
    [t, formats, segments],
  )
}

function useGets(who: readonly Column[], { at, isReachKnown }: Moment): readonly Column[] {
  const t = useTexts('campaigns')
  const formats = useFormats()
  return useMemo(() => {
    const channel: Column = {
      id: 'reach',
      title: t('dry.columns.channel'),
      width: '84px',
      priority: 2,
      render: ({ reach }) => t(`reach.${reach}`),
    }
    return [
      {
        id: 'place',
        title: t('dry.columns.place'),
        width: '64px',
        priority: 1,
        render: ({ place }) => (place === undefined ? '' : formats.number(place)),
      },
      ...who,
      ...(isReachKnown ? [channel] : []),
      {
        id: 'time',
        title: t('dry.columns.time'),
        width: 'minmax(190px, 1.5fr)',
        priority: 1,
        render: ({ timeZone }) => <TheirTime at={at} timeZone={timeZone} />,
      },
      {
        id: 'text',
        title: t('dry.columns.begins'),
        width: 'minmax(80px, 1.5fr)',
        priority: 1,
        render: ({ text }) => <bdi className={styles['second']}>{text.slice(0, 80)}</bdi>,
      },
    ]
  }, [t, formats, who, at, isReachKnown])
}

/** The moment in the time zone of their profile. */
function TheirTime({ at, timeZone }: { readonly at: number; readonly timeZone: string | undefined }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const time = timeZone === undefined ? undefined : formats.timeIn(at, timeZone)
  if (timeZone === undefined || time === undefined) return <span className={styles['quiet']}>{t('reach.unknown')}</span>
  const isNight = isNightIn(timeZone, at)
  return (
    <span className={styles['theirTime']} data-tone={isNight ? 'warning' : undefined}>
      {isNight ? (
        <>
          <Icon name="moon" size={15} />
          <span className="sr-only">{t('night.sign')}</span>
        </>
      ) : null}
      <span className="ellipsis">
        {time}, {formats.zone(at, timeZone)}
      </span>
    </span>
  )
}
