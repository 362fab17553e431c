import { useMemo, useState } from 'react'
import type { ListedBan } from '#shared/domain/manage/review.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useConnection, useUser } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import type { TableColumn } from '../../../ui/Table/Table.tsx'
import { Portrait } from '../../people/index.ts'
import { channelTitle } from '../../sidebar/index.ts'
import { unban } from './commands.ts'
import styles from './Bans.module.css'

const DAY_MS = 86_400_000

/** @param ended of bans that are over: when they ended, and nothing to unban */
export function useBanColumns(ended: boolean): readonly TableColumn<ListedBan>[] {
  const t = useTexts('bans')
  const formats = useFormats()
  const now = useMinute()
  return useMemo(() => {
    const ends = (until: number): string => {
      // `now` may be up to a minute old: 30 days from this moment are 30 days, not 31.
      const days = Math.round((until - now) / DAY_MS)
      return days < 2 ? formats.dayAndTime(until) : t('left', { date: formats.date(until, now), count: days })
    }
    return [
      { id: 'person', title: t('columns.person'), width: 'minmax(140px, 2fr)', render: (ban) => <Person ban={ban} /> },
      {
        id: 'where',
        title: t('columns.where'),
        width: 'minmax(120px, 1fr)',
        priority: 1,
        render: (ban) => <Where ban={ban} />,
      },
      {
        id: 'reason',
        title: t('columns.reason'),
        width: 'minmax(120px, 2fr)',
        priority: 2,
        render: ({ reason }) =>
          reason === undefined ? <span aria-label={t('noReason')}>—</span> : <bdi>{reason}</bdi>,
      },
      {
        id: 'by',
        title: t('columns.by'),
        width: 'minmax(80px, 1fr)',
        priority: 2,
        render: ({ byId }) => <Name userId={byId} />,
      },
      {
        id: 'since',
        title: t('columns.since'),
        width: '120px',
        priority: 1,
        render: ({ since }) => formats.ago(since, now),
      },
      ...(ended
        ? [
            {
              id: 'ended',
              title: t('columns.ended'),
              width: 'minmax(150px, 1.5fr)',
              render: (ban: ListedBan) => <Ended ban={ban} />,
            },
          ]
        : [
            {
              id: 'ends',
              title: t('columns.ends'),
              width: 'minmax(120px, 150px)',
              render: ({ until }: ListedBan) => (until === undefined ? t('never') : ends(until)),
            },
            {
              id: 'unban',
              title: '',
              width: '140px',
              priority: 1 as const,
              render: (ban: ListedBan) => (
                <span className={styles['unban']}>
                  <UnbanOne ban={ban} />
                </span>
              ),
            },
          ]),
    ]
  }, [t, formats, now, ended])
}

function Where({ ban: { cid, channelName } }: { readonly ban: ListedBan }) {
  const t = useTexts('bans')
  const known = useAppSelector((state) =>
    cid !== undefined && state.entities.channels[cid] !== undefined ? channelTitle(state, cid) : undefined,
  )
  return (
    <span className={styles['where']}>
      <Icon name={cid === undefined ? 'globe' : 'hash'} size={15} />
      <bdi className="ellipsis">{cid === undefined ? t('everywhere') : (known ?? channelName ?? cid)}</bdi>
    </span>
  )
}

/** When a ban ended, and how. */
function Ended({ ban: { until, endedAt, endedById } }: { readonly ban: ListedBan }) {
  const t = useTexts('bans')
  const formats = useFormats()
  const now = useMinute()
  const by = useUser(endedById)
  const expired = until !== undefined && endedAt !== undefined && endedAt >= until
  const how =
    endedById !== undefined
      ? t('unbannedBy', { person: cleanName(by?.name ?? endedById) })
      : expired
        ? t('ranOut')
        : undefined
  return (
    <span className={styles['names']} data-plain>
      <span>{endedAt === undefined ? '—' : formats.ago(endedAt, now)}</span>
      {how === undefined ? null : (
        <span className={styles['second']}>
          <bdi className="ellipsis">{how}</bdi>
        </span>
      )}
    </span>
  )
}

export function Name({ userId }: { readonly userId: string | undefined }) {
  const user = useUser(userId)
  return <bdi className="ellipsis">{user?.name ?? userId ?? '—'}</bdi>
}

function UnbanOne({ ban }: { readonly ban: ListedBan }) {
  const t = useTexts('bans')
  const { offline } = useConnection()
  const dispatch = useAppDispatch()
  const user = useUser(ban.userId)
  const [working, setWorking] = useState(false)
  return (
    <Button
      size="small"
      working={working}
      aria-label={t('unbanOne', { person: cleanName(user?.name ?? ban.userId) })}
      aria-disabled={offline || undefined}
      title={offline ? t('offline') : undefined}
      onClick={(event) => {
        event.stopPropagation()
        if (offline) return
        setWorking(true)
        void dispatch(unban([ban])).then(() => setWorking(false))
      }}
    >
      {t('unban')}
    </Button>
  )
}

function Person({ ban }: { readonly ban: ListedBan }) {
  const { userId, shadow } = ban
  const t = useTexts('bans')
  const narrow = useBreakpoint() === 'narrow'
  const user = useUser(userId)
  return (
    <span className={styles['person']}>
      <Portrait userId={asUserId(userId)} size={32} />
      <span className={styles['names']}>
        <bdi className="ellipsis">{user?.name ?? userId}</bdi>
        {shadow || narrow ? (
          <span className={styles['second']}>
            {shadow ? <Icon name="eye-off" size={13} /> : null}
            {/* A row has room for two lines: in a single column the place takes the second one. */}
            {shadow ? <span className={narrow ? 'sr-only' : undefined}>{t('shadow')}</span> : null}
            {narrow ? <Where ban={ban} /> : null}
          </span>
        ) : null}
      </span>
    </span>
  )
}
