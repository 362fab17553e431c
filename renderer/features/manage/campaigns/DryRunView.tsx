import { useCallback, useEffect, useMemo, useState } from 'react'
import {
  type DryRunPerson,
  type DryRunSummary,
  type DryRunView as View,
  type Exclusion,
  type ListedCampaign,
} from '#shared/domain/manage/campaigns.ts'
import { ok } from '#shared/lib/app-error.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { FindField } from '../../../ui/Field/FindField.tsx'
import { Table, type TableColumn } from '../../../ui/Table/Table.tsx'
import { Listed, Page } from '../Page.tsx'
import { usePagesOf } from '../loading.ts'
import { Portrait } from '../../people/index.ts'
import { Sum } from './Aside.tsx'
import { loadDryRunPeople } from './commands.ts'
import { StartDialog } from './StartDialog.tsx'
import { useDryRun, useSameContent, type DryRun } from './use-dry-run.ts'
import { useFieldName } from './words.tsx'
import styles from './Campaigns.module.css'

type Props = {
  readonly campaign: ListedCampaign
  readonly onBack: () => void
  readonly onStarted: () => void
}

type Narrow = { readonly twice?: true; readonly reach?: 'new'; readonly missing?: string; readonly why?: Exclusion }

const idOf = ({ id }: DryRunPerson): string => id

/** Everyone who would get it, in the order of sending, and who would not. Nothing is sent. */
export function DryRunView({ campaign, onBack, onStarted }: Props) {
  const t = useTexts('campaigns')
  const { offline } = useConnection()
  const { dryRun, begin } = useDryRun()
  const [view, setView] = useState<View>('gets')
  const [find, setFind] = useState('')
  const [narrow, setNarrow] = useState<Narrow>({})
  const [starting, setStarting] = useState(false)
  const { id, version } = campaign
  const content = useSameContent(campaign.content)
  useEffect(() => void begin(content, { id, version }), [begin, content, id, version])
  const summary = dryRun?.summary
  const done = dryRun !== undefined && !dryRun.running && summary !== undefined
  useEffect(() => {
    if (done) announce(t('dry.people', { count: summary.people }))
  }, [done, summary, t])
  const ready = done ? dryRun : undefined
  return (
    <Page
      icon="megaphone"
      title={content.name}
      fact={t('dry.fact')}
      onBack={onBack}
      aside={
        <Facts
          dryRun={dryRun}
          campaign={campaign}
          onNarrow={(next) => {
            setNarrow(next)
            setView(next.why === undefined ? 'gets' : 'left-out')
          }}
        />
      }
      filters={
        <>
          <FindField label={t('dry.find')} value={find} onChange={setFind} list="[role=table]" maxLength={100} />
          <Segments
            label={t('dry.view')}
            value={view}
            choices={[
              { value: 'gets', label: t('dry.gets', { count: summary?.people ?? 0 }) },
              { value: 'left-out', label: t('dry.leftOut', { count: leftOut(summary) }) },
            ]}
            onChange={(next) => {
              setNarrow({})
              setView(next)
            }}
          />
        </>
      }
      actions={
        <Button
          variant="primary"
          aria-disabled={offline || !done || summary.people + summary.channels === 0 || undefined}
          onClick={() => {
            if (!offline && done && summary.people + summary.channels > 0) setStarting(true)
          }}
        >
          {t('start.open')}
        </Button>
      }
      foot={<Foot dryRun={dryRun} onAgain={() => void begin(content, { id, version })} />}
    >
      <People key={ready?.run} dryRun={dryRun} view={view} find={find.trim()} narrow={narrow} campaign={campaign} />
      {starting && summary !== undefined ? (
        <StartDialog campaign={campaign} summary={summary} onClose={() => setStarting(false)} onStarted={onStarted} />
      ) : null}
    </Page>
  )
}

type FootProps = { readonly dryRun: DryRun | undefined; readonly onAgain: () => void }

function Foot({ dryRun, onAgain }: FootProps) {
  const t = useTexts('campaigns')
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
    </>
  )
}

const leftOut = (summary: DryRunSummary | undefined): number =>
  Object.values(summary?.excluded ?? {}).reduce((sum, count) => sum + count, 0)

type PeopleProps = {
  readonly dryRun: DryRun | undefined
  readonly view: View
  readonly find: string
  readonly narrow: Narrow
  readonly campaign: ListedCampaign
}

function People({ dryRun, view, find, narrow, campaign }: PeopleProps) {
  const t = useTexts('campaigns')
  const dispatch = useAppDispatch()
  const run = dryRun !== undefined && !dryRun.running ? dryRun.run : undefined
  const load = useCallback(
    async (offset: number) => {
      if (run === undefined) return ok({ rows: [], more: false })
      const loaded = await dispatch(loadDryRunPeople({ run, view, find, offset, ...narrow }))
      if (!loaded.ok) return loaded
      const { people, count } = loaded.value
      return ok({ rows: people, more: offset + people.length < count })
    },
    [dispatch, run, view, find, narrow],
  )
  const list = usePagesOf(load, JSON.stringify([run, view, find, narrow]), 0)
  const columns = usePeopleColumns(view, campaign)
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

function usePeopleColumns(view: View, { segments }: ListedCampaign): readonly TableColumn<DryRunPerson>[] {
  const t = useTexts('campaigns')
  const formats = useFormats()
  return useMemo(() => {
    const person: TableColumn<DryRunPerson> = {
      id: 'person',
      title: t('dry.columns.person'),
      width: 'minmax(150px, 2fr)',
      render: ({ id, name }) => (
        <span className={styles['person']}>
          <Portrait userId={id} size={24} />
          <bdi className="ellipsis">{name}</bdi>
        </span>
      ),
    }
    const from: TableColumn<DryRunPerson> = {
      id: 'from',
      title: t('dry.columns.from'),
      width: 'minmax(110px, 1fr)',
      priority: 1,
      render: (row) => (
        <bdi>
          {formats.list(
            row.from.map((id) =>
              id === null ? t('dry.byName') : (segments.find((segment) => segment.id === id)?.name ?? id),
            ),
          )}
        </bdi>
      ),
    }
    if (view === 'left-out') {
      return [
        person,
        from,
        {
          id: 'why',
          title: t('dry.columns.why'),
          width: 'minmax(140px, 2fr)',
          render: ({ why }) => (why === undefined ? '' : t(`excluded.${why}`)),
        },
      ]
    }
    return [
      {
        id: 'place',
        title: t('dry.columns.place'),
        width: '72px',
        priority: 1,
        render: ({ place }) => (place === undefined ? '' : formats.number(place)),
      },
      person,
      from,
      {
        id: 'reach',
        title: t('dry.columns.channel'),
        width: '110px',
        priority: 2,
        render: ({ reach }) => t(`reach.${reach}`),
      },
      {
        id: 'text',
        title: t('dry.columns.begins'),
        width: 'minmax(120px, 2fr)',
        priority: 1,
        render: ({ text }) => <bdi className={styles['second']}>{text.slice(0, 80)}</bdi>,
      },
    ]
  }, [t, formats, view, segments])
}

type FactsProps = {
  readonly dryRun: DryRun | undefined
  readonly campaign: ListedCampaign
  readonly onNarrow: (narrow: Narrow) => void
}

function Facts({ dryRun, campaign, onNarrow }: FactsProps) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const errorText = useErrorText()
  const fieldName = useFieldName()
  const summary = dryRun?.summary
  if (dryRun?.error !== undefined) return <p role="alert">{errorText(dryRun.error)}</p>
  if (summary === undefined)
    return <p className={styles['hint']}>{t('who.counting', { count: dryRun?.checked ?? 0 })}</p>
  const isNew = summary.reach.new ?? 0
  return (
    <div className={styles['aside']}>
      <h2 className={styles['factsHead']}>{t('dry.people', { count: summary.people })}</h2>
      <p className={styles['hint']}>{t('dry.once')}</p>
      <h3 className={styles['asideHead']}>{t('dry.look')}</h3>
      <ul className={styles['looks']}>
        {Object.entries(summary.missing).map(([key, count]) => (
          <Look
            key={key}
            text={t('who.missing', { field: fieldName(key) })}
            count={formats.number(count)}
            onPress={() => onNarrow({ missing: key })}
          />
        ))}
        {isNew === 0 ? null : (
          <Look text={t('dry.new')} count={formats.number(isNew)} onPress={() => onNarrow({ reach: 'new' })} />
        )}
        {summary.twice === 0 ? null : (
          <Look text={t('dry.twice')} count={formats.number(summary.twice)} onPress={() => onNarrow({ twice: true })} />
        )}
        {(Object.entries(summary.excluded) as [Exclusion, number][]).map(([why, count]) => (
          <Look key={why} text={t(`excluded.${why}`)} count={formats.number(count)} onPress={() => onNarrow({ why })} />
        ))}
      </ul>
      <Sum dryRun={dryRun} />
      {campaign.content.channel?.id === undefined ? null : <p className={styles['hint']}>{t('dry.shared')}</p>}
      {summary.follows ? <p className={styles['note']}>{t('dry.follows')}</p> : null}
    </div>
  )
}

function Look({
  text,
  count,
  onPress,
}: {
  readonly text: string
  readonly count: string
  readonly onPress: () => void
}) {
  return (
    <li>
      <button type="button" className={styles['look']} onClick={onPress}>
        <span>{text}</span>
        <span>{count}</span>
      </button>
    </li>
  )
}
