import { useCallback, useMemo, useState } from 'react'
import type { ListedBan } from '#shared/domain/bans.ts'
import { ok } from '#shared/lib/result.ts'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useConnection, useUser } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { FindField } from '../../ui/Field/FindField.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Table, type TableColumn } from '../../ui/Table/Table.tsx'
import { BulkBar, Listed, Page, usePagesOf, useTopic } from '../manage/index.ts'
import { Portrait } from '../people/index.ts'
import { liftBans, loadBans } from './commands.ts'
import styles from './Bans.module.css'

type Props = { readonly onBack?: () => void }

const idOf = ({ userId, cid }: ListedBan): string => `${userId} ${cid ?? ''}`

/** Everyone who is banned: where, by whom, why, until when. */
export function BansPage({ onBack }: Props) {
  const t = useTexts('bans')
  const dispatch = useAppDispatch()
  const [reason, setReason] = useState('')
  const [selected, setSelected] = useState<ReadonlySet<string>>(NOTHING)
  const query = reason.trim()
  const load = useCallback(
    async (offset: number) => {
      const loaded = await dispatch(loadBans({ reason: query, offset }))
      return loaded.ok ? ok({ rows: loaded.value.bans, more: loaded.value.more }) : loaded
    },
    [dispatch, query],
  )
  const list = usePagesOf(load, query, useTopic('bans'))
  const columns = useColumns()
  const chosen = list.rows.filter((ban) => selected.has(idOf(ban)))
  return (
    <Page
      icon="ban"
      title={t('title')}
      fact={list.rows.length === 0 ? undefined : t('fact', { count: list.rows.length })}
      onBack={onBack}
      filters={<FindField label={t('find')} value={reason} onChange={setReason} list="[role=table]" maxLength={100} />}
    >
      <Listed
        list={list}
        empty={
          query === ''
            ? { scene: 'done', title: t('none'), children: t('noneText') }
            : { scene: 'search', title: t('noneFound') }
        }
      >
        <Table
          label={t('title')}
          columns={columns}
          rows={list.rows}
          idOf={idOf}
          onEnd={list.next}
          onOpen={({ userId }) => dispatch(dialogOpened({ kind: 'person', userId }))}
          selection={{
            ids: selected,
            labelOf: (id) => t('select', { person: id.split(' ')[0] ?? '' }),
            allLabel: t('selectAll'),
            onChange: setSelected,
          }}
        />
      </Listed>
      {chosen.length === 0 ? null : <Lift bans={chosen} onDone={() => setSelected(NOTHING)} />}
    </Page>
  )
}

const NOTHING: ReadonlySet<string> = new Set()

/** Removes the selected bans. */
function Lift({ bans, onDone }: { readonly bans: readonly ListedBan[]; readonly onDone: () => void }) {
  const t = useTexts('bans')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const lift = async (): Promise<void> => {
    setWorking(true)
    const done = await dispatch(liftBans({ bans: bans.map(({ userId, cid }) => ({ userId, cid })) }))
    setWorking(false)
    if (!done.ok) return
    const { refused } = done.value
    announce(t('lifted', { count: bans.length - refused.length }))
    onDone()
  }
  return (
    <BulkBar count={bans.length} onClear={onDone}>
      <Button
        size="small"
        working={working}
        aria-disabled={offline || undefined}
        title={offline ? t('offline') : undefined}
        onClick={() => offline || void lift()}
      >
        {t('lift', { count: bans.length })}
      </Button>
    </BulkBar>
  )
}

function useColumns(): readonly TableColumn<ListedBan>[] {
  const t = useTexts('bans')
  const formats = useFormats()
  const now = useMinute()
  return useMemo(
    () => [
      { id: 'person', title: t('columns.person'), width: 'minmax(180px, 2fr)', render: (ban) => <Person ban={ban} /> },
      {
        id: 'where',
        title: t('columns.where'),
        width: 'minmax(120px, 1fr)',
        render: ({ cid, channelName }) => (cid === undefined ? t('everywhere') : `#${channelName ?? cid}`),
      },
      {
        id: 'reason',
        title: t('columns.reason'),
        width: 'minmax(120px, 2fr)',
        priority: 2,
        render: ({ reason }) => <bdi>{reason ?? '—'}</bdi>,
      },
      {
        id: 'since',
        title: t('columns.since'),
        width: '130px',
        priority: 1,
        render: ({ since }) => formats.relative(since, now),
      },
      {
        id: 'ends',
        title: t('columns.ends'),
        width: '150px',
        render: ({ until }) => (until === undefined ? t('never') : formats.relative(until, now)),
      },
    ],
    [t, formats, now],
  )
}

function Person({ ban: { userId, byId, shadow } }: { readonly ban: ListedBan }) {
  const t = useTexts('bans')
  const user = useUser(userId)
  const by = useUser(byId)
  return (
    <span className={styles['person']}>
      <Portrait userId={userId} size={32} />
      <span className={styles['names']}>
        <bdi className="ellipsis">{user?.name ?? userId}</bdi>
        <span className={styles['second']}>
          {shadow ? (
            <>
              <Icon name="eye-off" size={13} /> {t('shadow')}
            </>
          ) : by === undefined ? (
            <bdi>{userId}</bdi>
          ) : (
            t('by', { person: by.name })
          )}
        </span>
      </span>
    </span>
  )
}
