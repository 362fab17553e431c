import { useMemo, useState } from 'react'
import type { ListedCampaign } from '#shared/domain/manage/campaigns.ts'
import { may } from '#shared/rules/campaigns/states.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useConnection } from '../../../store/hooks.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { Tag } from '../../../ui/Mark/Tag.tsx'
import { useMenu } from '../../../ui/Menu/Menu.tsx'
import type { TableColumn } from '../../../ui/Table/Table.tsx'
import { DeleteDialog } from './Dialogs.tsx'
import { Meter } from './Meter.tsx'
import { StateTag } from './words.tsx'
import styles from './Campaigns.module.css'

type Options = {
  /** What is being written, by the id of its campaign. */
  readonly drafts: Readonly<Record<string, unknown>>
  readonly onDuplicate: (campaign: ListedCampaign) => void
}

export function useCampaignColumns({ drafts, onDuplicate }: Options): readonly TableColumn<ListedCampaign>[] {
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
        render: ({ updatedAt }) => (updatedAt === undefined ? '' : formats.relative(updatedAt, now)),
      },
      {
        id: 'more',
        title: '',
        width: '44px',
        render: (campaign) => <More campaign={campaign} onDuplicate={() => onDuplicate(campaign)} />,
      },
    ],
    [t, formats, now, drafts, onDuplicate],
  )
}

type MoreProps = { readonly campaign: ListedCampaign; readonly onDuplicate: () => void }

function More({ campaign, onDuplicate }: MoreProps) {
  const t = useTexts('campaigns')
  const { offline } = useConnection()
  const [deleting, setDeleting] = useState(false)
  const { content, state } = campaign
  const label = t('more', { name: content.name })
  const menu = useMenu({
    label,
    items: () => [
      { id: 'duplicate', label: t('duplicate'), icon: 'copy', onSelect: onDuplicate },
      {
        id: 'delete',
        label: t('delete.open'),
        icon: 'trash',
        danger: true,
        disabledReason: offline ? t('offline') : may('delete', state) ? undefined : t('delete.running'),
        onSelect: () => setDeleting(true),
      },
    ],
  })
  return (
    <>
      <IconButton icon="more" label={label} tabIndex={-1} {...menu.triggerProps} />
      {menu.menu}
      {deleting ? <DeleteDialog campaign={campaign} onClose={() => setDeleting(false)} /> : null}
    </>
  )
}
