import { useCallback, useEffect, useState, type ReactNode } from 'react'
import type { ListedBan } from '#shared/domain/manage/review.ts'
import { type ErrorBody, ok } from '#shared/lib/app-error.ts'
import { asCid, asUserId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { commandFailed } from '../../../store/command.ts'
import { useAppDispatch, useAppStore, useConnection, useMe } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { MomentDialog } from '../../../ui/Dates/index.ts'
import { FindField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { MenuPill, Pill, PillOn } from '../../../ui/Mark/Pill.tsx'
import { Table } from '../../../ui/Table/Table.tsx'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { channelTitle } from '../../sidebar/index.ts'
import { BulkBar, Listed, NewButton, Page } from '../Page.tsx'
import { usePagesOf } from '../loading.ts'
import { useTopic, useMayManage } from '../state.ts'
import { useBanColumns } from './columns.tsx'
import { changeBan, loadBans, mutePerson, unban } from './commands.ts'
import { MutesList } from './MutesList.tsx'
import styles from './Bans.module.css'

type Props = {
  /** The person whose bans are shown first. */
  readonly id?: string
  readonly onBack?: () => void
}

const TABS = ['bans', 'mutes'] as const

/** Everyone who is banned or muted: where, by whom, why, until when. */
export function BansPage({ id, onBack }: Props) {
  const t = useTexts('bans')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const mayBan = useMayManage('ban')
  const [tab, setTab] = useState<(typeof TABS)[number]>('bans')
  const actions = (
    <span className={styles['actions']}>
      <Segments
        label={t('tabs.label')}
        value={tab}
        choices={TABS.map((value) => ({ value, label: t(`tabs.${value}`) }))}
        onChange={setTab}
      />
      {mayBan ? (
        <NewButton
          size="small"
          blocked={offline ? t('offline') : undefined}
          onClick={() => dispatch(dialogOpened({ kind: 'ban' }))}
        >
          {t('banSomeone')}
        </NewButton>
      ) : null}
    </span>
  )
  return tab === 'bans' ? (
    <BansList userId={id} onBack={onBack} actions={actions} />
  ) : (
    <MutesList onBack={onBack} actions={actions} />
  )
}

type ListProps = {
  /** Only the bans of this person. */
  readonly userId?: string
  readonly onBack?: () => void
  readonly actions: ReactNode
}

/** What narrows the list. `where`: a channel, or everywhere. `ended`: bans that are over instead of those in force. */
type Filters = {
  readonly userId?: string
  readonly where?: string
  readonly byId?: string
  readonly shadow?: true
  readonly ended?: true
}

const EVERYWHERE = 'everywhere'
const NOTHING: ReadonlySet<string> = new Set()
/** A person may have had several bans in one place. */
const idOf = ({ userId, cid, endedAt, since }: ListedBan): string =>
  `${userId} ${cid ?? ''}${endedAt === undefined ? '' : ` ${since} ${endedAt}`}`

function BansList({ userId: ofPerson, onBack, actions }: ListProps) {
  const t = useTexts('bans')
  const dispatch = useAppDispatch()
  const names = useAppStore()
  const [find, setFind] = useState('')
  const [filters, setFilters] = useState<Filters>({ userId: ofPerson })
  const [selected, setSelected] = useState<ReadonlySet<string>>(NOTHING)
  const { ended = false } = filters
  const query = usePaused(find.trim())
  const { list, onlyExpired } = useBans(query, filters)
  const narrowed = query !== '' || Object.values(filters).some((each) => each !== undefined)
  const columns = useBanColumns(ended)
  const chosen = ended ? [] : list.rows.filter((ban) => selected.has(idOf(ban)))
  const nameOf = (id: string): string => cleanName(names.getState().entities.users[id]?.name ?? id)
  return (
    <Page
      icon="ban"
      title={t('title')}
      fact={
        list.rows.length === 0 || list.more ? undefined : t(ended ? 'endedFact' : 'fact', { count: list.rows.length })
      }
      onBack={onBack}
      actions={actions}
      foot={
        ended && onlyExpired ? (
          <p className={styles['note']}>
            <Icon name="info" size={15} />
            {t('onlyExpired')}
          </p>
        ) : undefined
      }
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
          label={t(ended ? 'filters.ended' : 'title')}
          columns={columns}
          rows={list.rows}
          idOf={idOf}
          onEnd={list.next}
          onOpen={({ userId }) => dispatch(dialogOpened({ kind: 'person', userId }))}
          selection={
            ended
              ? undefined
              : {
                  ids: selected,
                  labelOf: (id) => t('select', { person: nameOf(id.split(' ')[0] ?? '') }),
                  allLabel: t('selectAll'),
                  onChange: setSelected,
                }
          }
        />
      </Listed>
      {chosen.length === 0 ? null : <Bulk bans={chosen} onDone={() => setSelected(NOTHING)} />}
    </Page>
  )
}

/** The bans of a query, page by page. */
function useBans(query: string, filters: Filters) {
  const dispatch = useAppDispatch()
  const { userId, where, byId, shadow, ended = false } = filters
  const [onlyExpired, setOnlyExpired] = useState(false)
  const load = useCallback(
    async (offset: number) => {
      const loaded = await dispatch(
        loadBans({
          ...(query === '' ? {} : { query }),
          ...(userId === undefined ? {} : { userId: asUserId(userId) }),
          ...(where === undefined || where === EVERYWHERE ? {} : { cid: where }),
          ...(byId === undefined ? {} : { byId }),
          everywhere: where === EVERYWHERE,
          shadow,
          ended,
          offset,
        }),
      )
      if (!loaded.ok) return loaded
      setOnlyExpired(loaded.value.onlyExpired === true)
      return ok({ rows: loaded.value.bans, more: loaded.value.more })
    },
    [dispatch, query, userId, where, byId, shadow, ended],
  )
  const list = usePagesOf(load, JSON.stringify([query, filters]), useTopic('bans'))
  return { list, onlyExpired }
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
  const { userId, where, byId, shadow, ended } = filters
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
      {userId === undefined ? null : (
        <PillOn
          text={nameOf(userId)}
          label={remove(t('columns.person'))}
          onRemove={() => onChange({ ...filters, userId: undefined })}
        />
      )}
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
      {ended === undefined ? (
        <Pill icon="history" text={t('filters.ended')} onPress={() => onChange({ ...filters, ended: true })} />
      ) : (
        <PillOn
          text={t('filters.ended')}
          label={remove(t('filters.ended'))}
          onRemove={() => onChange({ ...filters, ended: undefined })}
        />
      )}
    </>
  )
}

/** Changes the selected bans. */
function Bulk({ bans, onDone }: { readonly bans: readonly ListedBan[]; readonly onDone: () => void }) {
  const t = useTexts('bans')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
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
      <Button
        size="small"
        variant="quiet"
        icon="undo"
        {...off}
        onClick={() => void during(() => dispatch(unban(bans)))}
      >
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
