import { useMemo } from 'react'
import type { ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Tag } from '../../../ui/Mark/Tag.tsx'
import type { TableColumn } from '../../../ui/Table/Table.tsx'
import { Meter } from './Meter.tsx'
import { StateTag } from './words.tsx'
import styles from './Campaigns.module.css'

/** `drafts`: what is being written, by the id of its campaign. */
export function useCampaignColumns(drafts: Readonly<Record<string, unknown>>): readonly TableColumn<ListedCampaign>[] {
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
