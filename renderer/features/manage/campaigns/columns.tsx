import { useMemo } from 'react'
import type { ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
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
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('columns.name'),
        width: 'minmax(160px, 2fr)',
        render: ({ id, content: { name, description } }) => (
          <span className={styles['names']}>
            <bdi className="ellipsis">{name === '' ? t('unnamed') : name}</bdi>
            <span className={styles['second']}>
              {drafts[id] === undefined ? <bdi>{description}</bdi> : <em>{t('unsaved')}</em>}
            </span>
          </span>
        ),
      },
      {
        id: 'to',
        title: t('columns.to'),
        width: 'minmax(120px, 1fr)',
        priority: 1,
        render: ({ segments, content }) => (
          <span className={styles['tags']}>
            {segments.slice(0, 2).map(({ id, name }) => (
              <Tag key={id}>
                <bdi>{name}</bdi>
              </Tag>
            ))}
            {segments.length > 2 ? t('moreSegments', { count: segments.length - 2 }) : null}
            {content.userIds.length > 0 ? t('byName', { count: content.userIds.length }) : null}
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
        width: 'minmax(120px, 1fr)',
        priority: 1,
        render: ({ state, stats, scheduledFor }) =>
          state === 'draft' ? (
            <span className={styles['quiet']}>{t('notStarted')}</span>
          ) : state === 'scheduled' ? (
            <span className={styles['quiet']}>
              {scheduledFor === undefined ? '' : t('startsAt', { time: formats.dayAndTime(scheduledFor) })}
            </span>
          ) : (
            <span className={styles['progress']}>
              <Meter value={stats.progress} label={t('columns.progress')} />
              {formats.number(stats.usersSent)}
            </span>
          ),
      },
      {
        id: 'changed',
        title: t('columns.changed'),
        width: '128px',
        priority: 2,
        render: ({ updatedAt }) => (updatedAt === undefined ? '' : formats.ago(updatedAt, now)),
      },
    ],
    [t, formats, now, drafts],
  )
}
