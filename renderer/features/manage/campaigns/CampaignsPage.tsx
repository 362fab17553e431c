import { useState, useMemo } from 'react'
import type { CampaignContent, ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { hasBegun } from '#shared/rules/campaigns/campaigns.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { useConnection, useMe } from '../../../store/hooks.ts'
import { Banner } from '../../../ui/Banner/Banner.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { FindField } from '../../../ui/Field/TextField.tsx'
import { Table, type TableColumn } from '../../../ui/Table/Table.tsx'
import { Empty } from '../../../ui/View/Empty.tsx'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Tag } from '../../../ui/Mark/Pill.tsx'
import { Listed, NewButton, Page } from '../Page.tsx'
import { Compose } from './Compose.tsx'
import { DryRunView } from './review/DryRunView.tsx'
import { Progress } from './Progress.tsx'
import { useCampaign, useCampaigns } from './commands.ts'
import { useCampaignDrafts, type CampaignDrafts, type Kept, newContent, type CampaignDraft } from './use-drafts.ts'
import { StateTag, Meter } from './words.tsx'
import styles from './Campaigns.module.css'

type Props = { readonly id?: string; readonly onBack?: () => void }

/** What is open: a campaign by its id, or a new one. `checking`: its dry run. */
type Open = { readonly id?: string; readonly checking?: boolean }

const SHOWN = ['all', 'draft', 'scheduled', 'in_progress', 'completed', 'stopped'] as const
type Shown = (typeof SHOWN)[number]

const idOf = ({ id }: ListedCampaign): string => id

/** Messages to many people: listed, written, tried, sent, followed. What is being written stays while others are open. */
export function CampaignsPage({ id, onBack }: Props) {
  const me = useMe()?.id ?? ''
  const [open, setOpen] = useState<Open | undefined>(id === undefined ? undefined : { id })
  const { drafts, kept, change: setDraft, retry } = useCampaignDrafts()
  const write = (content: CampaignContent): void => {
    setDraft('', { content })
    setOpen({})
  }
  if (open === undefined) {
    return (
      <CampaignList
        drafts={drafts}
        keptNew={kept['']}
        onBack={onBack}
        onOpen={(campaign) => setOpen({ id: campaign.id })}
        onCreate={() => (drafts[''] === undefined ? write(newContent(me)) : setOpen({}))}
      />
    )
  }
  const leave = (): void => setOpen(undefined)
  const common = {
    onBack: leave,
    onDraft: setDraft,
    onOpen: setOpen,
    onWrite: write,
    onRetry: retry,
  }
  if (open.id === undefined) {
    return <Compose {...common} draft={drafts[''] ?? { content: newContent(me) }} kept={kept['']} />
  }
  return (
    <OpenCampaign
      key={open.id}
      {...common}
      id={open.id}
      checking={open.checking === true}
      draft={drafts[open.id]}
      kept={kept[open.id]}
    />
  )
}

type OpenProps = {
  readonly id: string
  readonly checking: boolean
  readonly draft: CampaignDraft | undefined
  readonly kept: Kept | undefined
  readonly onBack: () => void
  readonly onDraft: (key: string, draft: CampaignDraft | undefined) => void
  readonly onOpen: (open: Open | undefined) => void
  /** Opens a new campaign with this content. */
  readonly onWrite: (content: CampaignContent) => void
  readonly onRetry: () => void
}

/** A campaign of the server, by its state: it is written, tried, or followed. */
function OpenCampaign({ id, checking, draft, kept, ...on }: OpenProps) {
  const t = useTexts('campaigns')
  const errorText = useErrorText()
  const loaded = useCampaign(id)
  const { value: opened, error } = loaded
  if (opened === undefined) {
    return (
      <Page icon="megaphone" title={t('title')} onBack={on.onBack}>
        <Listed
          list={{ rows: [], loading: loaded.loading, asking: loaded.asking, error, again: loaded.again }}
          empty={{ scene: 'lines', title: t('title') }}
        >
          {null}
        </Listed>
      </Page>
    )
  }
  const { campaign } = opened
  if (error?.code === 'campaigns/gone') {
    return (
      <Page icon="megaphone" title={campaign.content.name} onBack={on.onBack}>
        <Empty scene="lines" title={t('gone')} action={<Button onClick={on.onBack}>{t('toList')}</Button>}>
          {errorText(error)}
        </Empty>
      </Page>
    )
  }
  if (hasBegun(campaign.state)) {
    return <Progress key={campaign.id} opened={opened} error={error} onBack={on.onBack} onWrite={on.onWrite} />
  }
  if (checking) {
    return (
      <DryRunView
        campaign={campaign}
        onBack={() => on.onOpen({ id })}
        onStarted={() => {
          on.onDraft(id, undefined)
          on.onOpen({ id })
        }}
      />
    )
  }
  return (
    <Compose
      key={id}
      campaign={campaign}
      storedAt={opened.storedAt}
      draft={draft ?? { content: campaign.content, version: campaign.version }}
      kept={kept}
      onBack={on.onBack}
      onDraft={on.onDraft}
      onOpen={on.onOpen}
      onWrite={on.onWrite}
      onRetry={on.onRetry}
    />
  )
}

type ListProps = {
  readonly drafts: CampaignDrafts
  /** Whether the new one that is being written is stored. */
  readonly keptNew: Kept | undefined
  readonly onBack: Props['onBack']
  readonly onOpen: (campaign: ListedCampaign) => void
  readonly onCreate: () => void
}

function CampaignList({ drafts, keptNew, onBack, onOpen, onCreate }: ListProps) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const errorText = useErrorText()
  const { offline } = useConnection()
  const [find, setFind] = useState('')
  const [shown, setShown] = useState<Shown>('all')
  const { list, asOf } = useCampaigns({ find: find.trim(), state: shown === 'all' ? undefined : shown })
  const columns = useCampaignColumns(drafts)
  const isFiltered = find.trim() !== '' || shown !== 'all'
  return (
    <Page
      icon="megaphone"
      title={t('title')}
      fact={list.rows.length === 0 ? t('fact') : t(list.more ? 'loaded' : 'count', { count: list.rows.length })}
      onBack={onBack}
      actions={
        <NewButton variant="primary" blocked={offline ? t('offline') : undefined} onClick={onCreate}>
          {t('create')}
        </NewButton>
      }
      filters={
        <>
          <FindField label={t('find')} value={find} onChange={setFind} list="[role=table]" maxLength={100} />
          <Segments
            label={t('filter')}
            value={shown}
            choices={SHOWN.map((value) => ({ value, label: value === 'all' ? t('all') : t(`states.${value}`) }))}
            onChange={setShown}
          />
        </>
      }
    >
      {drafts[''] === undefined ? null : (
        <Banner
          icon={keptNew?.error === undefined ? 'pencil' : 'alert-triangle'}
          action={t('drafts.continue')}
          onAction={onCreate}
        >
          {keptNew?.error === undefined ? t('drafts.new') : t('drafts.newNotKept', { why: errorText(keptNew.error) })}
        </Banner>
      )}
      {asOf === undefined ? null : <Banner icon="cloud-off">{t('asOf', { time: formats.dayAndTime(asOf) })}</Banner>}
      <Listed
        list={list}
        empty={
          isFiltered
            ? { scene: 'search', title: t('noneFound') }
            : { scene: 'lines', title: t('none'), children: t('noneText') }
        }
      >
        <Table label={t('title')} columns={columns} rows={list.rows} idOf={idOf} onEnd={list.next} onOpen={onOpen} />
      </Listed>
    </Page>
  )
}

/** `drafts`: what is being written, by the id of its campaign. */
function useCampaignColumns(drafts: Readonly<Record<string, unknown>>): readonly TableColumn<ListedCampaign>[] {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const now = useMinute()
  // There is no column for it then.
  const isNarrow = useBreakpoint() === 'narrow'
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('columns.name'),
        width: 'minmax(160px, 1.2fr)',
        render: (campaign) => (
          <span className={styles['names']}>
            <bdi className="ellipsis">{campaign.content.name === '' ? t('unnamed') : campaign.content.name}</bdi>
            <span className={styles['second']}>
              {drafts[campaign.id] !== undefined ? (
                <em>{t('unsaved')}</em>
              ) : isNarrow && campaign.state !== 'draft' ? (
                <Advance campaign={campaign} />
              ) : (
                <bdi>{campaign.content.description}</bdi>
              )}
            </span>
          </span>
        ),
      },
      {
        id: 'to',
        title: t('columns.to'),
        width: 'minmax(150px, 1.4fr)',
        priority: 1,
        render: ({ segments, content }) => (
          <span className={styles['tags']}>
            {segments.slice(0, 2).map(({ id, name }) => (
              <Tag key={id}>
                <bdi>{name}</bdi>
              </Tag>
            ))}
            {segments.length > 2 ? <span>{t('moreSegments', { count: segments.length - 2 })}</span> : null}
            {content.userIds.length > 0 ? (
              <span className="ellipsis">{t('byName', { count: content.userIds.length })}</span>
            ) : null}
          </span>
        ),
      },
      {
        id: 'state',
        title: t('columns.state'),
        width: '112px',
        render: ({ state }) => <StateTag state={state} />,
      },
      {
        id: 'progress',
        title: t('columns.progress'),
        width: 'minmax(190px, 1fr)',
        priority: 1,
        render: (campaign) => <Advance campaign={campaign} />,
      },
      {
        id: 'changed',
        title: t('columns.changed'),
        width: '128px',
        priority: 2,
        render: ({ updatedAt }) => (updatedAt === undefined ? '' : formats.ago(updatedAt, now)),
      },
    ],
    [t, formats, now, drafts, isNarrow],
  )
}

/** How far it is: when it starts, or to how many it went. */
function Advance({ campaign: { state, stats, scheduledFor } }: { readonly campaign: ListedCampaign }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  if (state === 'draft') return <span className={styles['quiet']}>{t('notStarted')}</span>
  if (state === 'scheduled') {
    const start = scheduledFor === undefined ? '' : t('startsAt', { time: formats.dayAndTime(scheduledFor) })
    return <span className={styles['quiet']}>{start}</span>
  }
  return (
    <span className={styles['progress']}>
      <Meter value={stats.progress} label={t('columns.progress')} />
      {formats.number(stats.usersSent)}
    </span>
  )
}
