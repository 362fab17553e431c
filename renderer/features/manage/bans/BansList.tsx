import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { ListedBan } from '#shared/domain/manage/bans.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { ok } from '#shared/lib/result.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { commandFailed } from '../../../store/command.ts'
import { useAppDispatch, useAppSelector, useAppStore, useConnection, useMe, useUser } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { MomentDialog } from '../../../ui/Dates/MomentDialog.tsx'
import { FindField } from '../../../ui/Field/FindField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { MenuPill, Pill, PillOn } from '../../../ui/Mark/Pill.tsx'
import { Table, type TableColumn } from '../../../ui/Table/Table.tsx'
import { BulkBar, Listed, Page, usePagesOf, useTopic } from '../index.ts'
import { bansNoted, Portrait } from '../../people/index.ts'
import { channelTitle } from '../../sidebar/index.ts'
import { changeBan, unbanAll, loadBans, mutePerson } from './commands.ts'
import styles from './Bans.module.css'

type Props = { readonly onBack?: () => void; readonly actions: ReactNode }

/** What narrows the list. `where`: a channel, or everywhere. */
type Filters = { readonly where?: string; readonly byId?: string; readonly shadow?: true }

const EVERYWHERE = 'everywhere'
const NOTHING: ReadonlySet<string> = new Set()
const idOf = ({ userId, cid }: ListedBan): string => `${userId} ${cid ?? ''}`

export function BansList({ onBack, actions }: Props) {
  const t = useTexts('bans')
  const dispatch = useAppDispatch()
  const names = useAppStore()
  const [find, setFind] = useState('')
  const [filters, setFilters] = useState<Filters>({})
  const [selected, setSelected] = useState<ReadonlySet<string>>(NOTHING)
  const query = usePaused(find.trim())
  const { where, byId, shadow } = filters
  const load = useCallback(
    async (offset: number) => {
      const loaded = await dispatch(
        loadBans({
          ...(query === '' ? {} : { query }),
          ...(where === undefined || where === EVERYWHERE ? {} : { cid: where }),
          ...(byId === undefined ? {} : { byId }),
          everywhere: where === EVERYWHERE,
          shadow,
          offset,
        }),
      )
      return loaded.ok ? ok({ rows: loaded.value.bans, more: loaded.value.more }) : loaded
    },
    [dispatch, query, where, byId, shadow],
  )
  const narrowed = query !== '' || Object.values(filters).some((each) => each !== undefined)
  const list = usePagesOf(load, JSON.stringify([query, where, byId, shadow]), useTopic('bans'))
  const columns = useColumns()
  const chosen = list.rows.filter((ban) => selected.has(idOf(ban)))
  const nameOf = (id: string): string => cleanName(names.getState().entities.users[id]?.name ?? id)
  return (
    <Page
      icon="ban"
      title={t('title')}
      fact={list.rows.length === 0 || list.more ? undefined : t('fact', { count: list.rows.length })}
      onBack={onBack}
      actions={actions}
      filters={
        <>
          <FindField label={t('find')} value={find} onChange={setFind} list="[role=table]" maxLength={100} />
          <FilterPills rows={list.rows} filters={filters} onChange={setFilters} />
        </>
      }
    >
      <Listed
        list={list}
        empty={
          narrowed
            ? { scene: 'search', title: t('noneFound') }
            : { scene: 'done', title: t('none'), children: t('noneText') }
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
            labelOf: (id) => t('select', { person: nameOf(id.split(' ')[0] ?? '') }),
            allLabel: t('selectAll'),
            onChange: setSelected,
          }}
        />
      </Listed>
      {chosen.length === 0 ? null : <Bulk bans={chosen} onDone={() => setSelected(NOTHING)} />}
    </Page>
  )
}

/** The server searches: it is asked after this pause in typing. */
const PAUSE_MS = 250

function usePaused(typed: string): string {
  const [text, setText] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), typed === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return text
}

type PillsProps = {
  readonly rows: readonly ListedBan[]
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

function FilterPills({ rows, filters, onChange }: PillsProps) {
  const t = useTexts('bans')
  const { compare } = useFormats()
  const me = useMe()?.id
  const store = useAppStore()
  const { where, byId, shadow } = filters
  const titleOf = (cid: string): string => `#${channelTitle(store.getState(), asCid(cid))}`
  const nameOf = (id: string): string => cleanName(store.getState().entities.users[id]?.name ?? id)
  const places = (): readonly { id: string; label: string; onSelect: () => void }[] => [
    { id: EVERYWHERE, label: t('filters.everywhere'), onSelect: () => onChange({ ...filters, where: EVERYWHERE }) },
    ...Object.values(store.getState().entities.channels)
      .filter(({ directUserIds }) => directUserIds.length === 0)
      .map(({ cid }) => ({ id: cid, label: titleOf(cid), onSelect: () => onChange({ ...filters, where: cid }) }))
      .toSorted((a, b) => compare(a.label, b.label)),
  ]
  const people = (): readonly { id: string; label: string; onSelect: () => void }[] =>
    [...new Set([...(me === undefined ? [] : [me]), ...rows.flatMap((row) => row.byId ?? [])])].map((id) => ({
      id,
      label: id === me ? t('filters.me') : nameOf(id),
      onSelect: () => onChange({ ...filters, byId: id }),
    }))
  const remove = (name: string): string => t('filters.remove', { name })
  return (
    <>
      {where === undefined ? (
        <MenuPill icon="hash" text={t('filters.where')} items={places} />
      ) : (
        <PillOn
          text={where === EVERYWHERE ? t('filters.everywhere') : titleOf(where)}
          label={remove(t('filters.where'))}
          onRemove={() => onChange({ ...filters, where: undefined })}
        />
      )}
      {byId === undefined ? (
        <MenuPill icon="user" text={t('filters.by')} items={people} />
      ) : (
        <PillOn
          text={byId === me ? t('filters.me') : nameOf(byId)}
          label={remove(t('filters.by'))}
          onRemove={() => onChange({ ...filters, byId: undefined })}
        />
      )}
      {shadow === undefined ? (
        <Pill icon="eye-off" text={t('filters.shadow')} onPress={() => onChange({ ...filters, shadow: true })} />
      ) : (
        <PillOn
          text={t('filters.shadow')}
          label={remove(t('filters.shadow'))}
          onRemove={() => onChange({ ...filters, shadow: undefined })}
        />
      )}
    </>
  )
}

/** Unbans, with Undo. */
function useUnban(): (bans: readonly ListedBan[]) => Promise<boolean> {
  const dispatch = useAppDispatch()
  const store = useAppStore()
  return async (bans) => {
    const done = await dispatch(unbanAll({ bans: bans.map(({ userId, cid }) => ({ userId, cid })) }))
    if (!done.ok) return false
    const { refused } = done.value
    const [first] = refused
    if (first !== undefined) dispatch(commandFailed({ type: 'bans/unbanned', error: { code: first.code } }))
    const unbanned = bans.filter(({ userId }) => !refused.some((each) => each.userId === userId))
    const [one] = unbanned
    if (one !== undefined) {
      const name = cleanName(store.getState().entities.users[one.userId]?.name ?? one.userId)
      dispatch(
        bansNoted({
          code: 'bans/unbanned',
          name,
          undo: {
            unbans: false,
            bans: unbanned.map(({ userId, cid, until, reason = '', shadow }) => ({
              userId,
              cid,
              until,
              reason,
              shadow,
            })),
          },
        }),
      )
    }
    return true
  }
}

/** Changes the selected bans. */
function Bulk({ bans, onDone }: { readonly bans: readonly ListedBan[]; readonly onDone: () => void }) {
  const t = useTexts('bans')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const unban = useUnban()
  const [working, setWorking] = useState(false)
  const [changing, setChanging] = useState(false)
  const during = async (work: () => Promise<boolean>): Promise<void> => {
    if (offline) return
    setWorking(true)
    const done = await work()
    setWorking(false)
    if (done) onDone()
  }
  const muteAll = async (): Promise<boolean> => {
    const ids = [...new Set(bans.map(({ userId }) => userId))]
    for (const userId of ids) {
      const muted = await dispatch(mutePerson({ userId, muted: true }))
      if (!muted.ok) return false
    }
    announce(t('muted', { count: ids.length }))
    return true
  }
  const off = { working, 'aria-disabled': offline || undefined, title: offline ? t('offline') : undefined }
  return (
    <BulkBar count={bans.length} onClear={onDone}>
      <Button size="small" variant="quiet" icon="undo" {...off} onClick={() => void during(() => unban(bans))}>
        {t('unban')}
      </Button>
      <Button size="small" variant="quiet" icon="clock" {...off} onClick={() => offline || setChanging(true)}>
        {t('change')}
      </Button>
      <Button size="small" variant="quiet" icon="bell-off" {...off} onClick={() => void during(muteAll)}>
        {t('muteForMe')}
      </Button>
      {changing ? <ChangeEnd bans={bans} onDone={onDone} onClose={() => setChanging(false)} /> : null}
    </BulkBar>
  )
}

type ChangeProps = {
  readonly bans: readonly ListedBan[]
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Bans again until another time: a second ban replaces the first. */
function ChangeEnd({ bans, onDone, onClose }: ChangeProps) {
  const t = useTexts('bans')
  const dispatch = useAppDispatch()
  const change = async (until: number): Promise<void> => {
    let refused: ErrorBody | undefined
    let changed = 0
    for (const { userId, cid, reason, shadow } of bans) {
      const forMs = Math.max(60_000, Math.round(until - Date.now()))
      const done = await dispatch(changeBan({ userId, cid, reason, shadow, forMs }))
      if (done.ok) changed += 1
      else refused = done.error
    }
    announce(t('changed', { count: changed }))
    if (refused !== undefined) dispatch(commandFailed({ type: 'bans/changed', error: refused }))
    onDone()
  }
  const [first] = bans
  return (
    <MomentDialog
      title={t('changeTitle')}
      confirm={t('changeConfirm')}
      result={(time) => t('changeResult', { time })}
      start={bans.length === 1 ? first?.until : undefined}
      onChoose={(at) => void change(at)}
      onClose={onClose}
    />
  )
}

const DAY_MS = 86_400_000

function useColumns(): readonly TableColumn<ListedBan>[] {
  const t = useTexts('bans')
  const formats = useFormats()
  const now = useMinute()
  return useMemo(() => {
    const ends = (until: number): string => {
      const days = Math.ceil((until - now) / DAY_MS)
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
        render: ({ since }) => formats.relative(since, now),
      },
      {
        id: 'ends',
        title: t('columns.ends'),
        width: 'minmax(120px, 150px)',
        render: ({ until }) => (until === undefined ? t('never') : ends(until)),
      },
      { id: 'unban', title: '', width: '140px', priority: 1, render: (ban) => <UnbanOne ban={ban} /> },
    ]
  }, [t, formats, now])
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

export function Name({ userId }: { readonly userId: string | undefined }) {
  const user = useUser(userId)
  return <bdi className="ellipsis">{user?.name ?? userId ?? '—'}</bdi>
}

function UnbanOne({ ban }: { readonly ban: ListedBan }) {
  const t = useTexts('bans')
  const { offline } = useConnection()
  const unban = useUnban()
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
        void unban([ban]).then(() => setWorking(false))
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
