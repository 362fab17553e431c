import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
  type DirectoryPerson,
  PERSON_STATES,
  PERSON_SORTS,
  type PersonSort,
  type PersonState,
} from '#shared/domain/manage/directory.ts'
import { asUserId } from '#shared/lib/brand.ts'
import { ok } from '#shared/lib/app-error.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import { accountKeyOf } from '../../../store/accounts.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { dialogOpened, placeLeft, routeOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { FindField, TextField } from '../../../ui/Field/TextField.tsx'
import { Table, type TableSort } from '../../../ui/Table/Table.tsx'
import { MenuPill, PillOn, PopoverPill } from '../../../ui/Mark/Pill.tsx'
import { BulkBar, Listed, NewButton, Page, useReturnToRow } from '../Page.tsx'
import { usePagesOf, type PagesOf } from '../loading.ts'
import { useManage, useMayManage, useTopic } from '../state.ts'
import { ColumnsMenu, columnsOf, storeColumns, storedColumns, useColumns } from './columns.tsx'
import { loadPeople, useRoles, useRoleName } from './commands.ts'
import { PersonPanel } from './PersonPanel.tsx'
import styles from './Directory.module.css'

type Props = {
  /** The person whose details are shown first. */
  readonly id?: string
  /** How the list was before: it is shown so again, and the focus goes back to the person. */
  readonly list?: DirectoryList
  readonly onBack?: () => void
}

const NOTHING: ReadonlySet<string> = new Set()
/** Typing is over for the moment. */
const PAUSE_MS = 250

const idOf = ({ id }: DirectoryPerson): string => id

/** Everyone in the workspace: found, narrowed, sorted, changed. */
export function DirectoryPage({ id, list: before, onBack }: Props) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const isLocal = useManage()?.source === 'owner'
  const [find, setFind] = useState(before?.find ?? '')
  const [filter, setFilter] = useState(before?.filter ?? NO_FILTER)
  const [sort, setSort] = useState<TableSort>(before?.sort ?? { column: 'name', direction: 1 })
  const [selected, setSelected] = useState(NOTHING)
  const [openId, setOpenId] = useState(id)
  const { list, isCut } = usePeople(find, filter, sort, before?.count)
  const roles = useRoles()
  const { columns, chosen, choose } = useChosenColumns()
  const rows = list.rows
  const closePanel = useReturnToRow(openId, setOpenId)
  /** Going back from what is opened next returns here. */
  const leave = (): void => {
    const list = { find, filter, sort, count: rows.length }
    dispatch(routeOpened({ view: 'manage', page: 'people', id: openId, list }))
    dispatch(placeLeft())
  }
  const picked = rows.filter((person) => selected.has(person.id))
  return (
    <Page
      icon="users"
      title={t('title')}
      onBack={onBack}
      actions={<Actions find={find} onFind={setFind} />}
      filters={
        <>
          <Filters
            filter={filter}
            roles={roles}
            teams={[...new Set(rows.flatMap(({ teams }) => teams))]}
            withDeleted={isLocal}
            onChange={(next) => {
              setFilter(next)
              setSelected(NOTHING)
            }}
          />
          <span className={styles['count']} role="status">
            {rows.length === 0 ? '' : t(isCut ? 'cut' : list.more ? 'loadedSoFar' : 'loaded', { count: rows.length })}
          </span>
          <ColumnsMenu all={columnsOf(rows, chosen)} chosen={chosen} onChange={choose} />
        </>
      }
      onClosePanel={closePanel}
      panel={
        openId === undefined ? undefined : (
          <PersonPanel
            key={openId}
            userId={asUserId(openId)}
            roles={roles}
            isLocal={isLocal}
            onLeave={leave}
            onClose={closePanel}
          />
        )
      }
    >
      <People
        list={list}
        isNarrowed={find.trim() !== '' || isNarrowed(filter)}
        columns={columns}
        sort={sort}
        onSort={setSort}
        openId={openId}
        returnTo={before === undefined ? undefined : id}
        onOpen={setOpenId}
        selected={selected}
        onSelected={setSelected}
      />
      {picked.length === 0 ? null : <Bulk people={picked} onClear={() => setSelected(NOTHING)} />}
    </Page>
  )
}

function Actions({ find, onFind }: { readonly find: string; readonly onFind: (text: string) => void }) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  return (
    <>
      <div className={styles['find']}>
        <FindField label={t('find')} value={find} onChange={onFind} list="[role=table]" maxLength={100} />
      </div>
      <NewButton variant="primary" onClick={() => dispatch(dialogOpened({ kind: 'add-to-directory' }))}>
        {t('add.open')}
      </NewButton>
    </>
  )
}

type PeopleProps = {
  readonly list: PagesOf<DirectoryPerson>
  /** What is asked for is less than everyone. */
  readonly isNarrowed: boolean
  readonly columns: ReturnType<typeof useColumns>
  readonly sort: TableSort
  readonly onSort: (sort: TableSort) => void
  readonly openId: string | undefined
  readonly returnTo: string | undefined
  readonly onOpen: (id: string) => void
  readonly selected: ReadonlySet<string>
  readonly onSelected: (ids: ReadonlySet<string>) => void
}

function People({ list, columns, sort, onSort, openId, onOpen, selected, onSelected, ...props }: PeopleProps) {
  const t = useTexts('directory')
  const { rows } = list
  const selection = useMemo(() => {
    const names = new Map<string, string>(rows.map(({ id, name }) => [id, name]))
    return {
      ids: selected,
      labelOf: (id: string) => t('select', { person: names.get(id) ?? id }),
      allLabel: t('selectAll'),
      onChange: onSelected,
    }
  }, [rows, selected, onSelected, t])
  return (
    <Listed
      list={list}
      empty={
        props.isNarrowed
          ? { scene: 'search', title: t('noneFound'), children: t('noneFoundText') }
          : { scene: 'done', title: t('none') }
      }
    >
      <Table
        label={t('title')}
        columns={columns}
        rows={rows}
        idOf={idOf}
        sort={sort}
        onSort={onSort}
        onEnd={list.next}
        openId={openId}
        focusFirst={props.returnTo}
        onOpen={(person) => onOpen(person.id)}
        selection={selection}
      />
    </Listed>
  )
}

/** A page of people for what is asked; asked again when typing pauses. */
function usePeople(find: string, filter: typeof NO_FILTER, sort: TableSort, atLeast?: number) {
  const dispatch = useAppDispatch()
  const typed = find.trim()
  const [words, setWords] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setWords(typed), typed === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const now = useRef(0)
  const [isCut, setCut] = useState(false)
  const query = JSON.stringify([words, filter, sort])
  const load = useCallback(
    async (offset: number) => {
      // All pages of a list have the same bounds.
      if (offset === 0) now.current = Date.now()
      const { period, ...narrowed } = filter
      const bounds = boundsOf(period, now.current)
      const loaded = await dispatch(loadPeople({ find: words, ...narrowed, ...bounds, sort: sortOf(sort), offset }))
      if (!loaded.ok) return loaded
      setCut(loaded.value.cut === true)
      return ok({ rows: loaded.value.people, more: loaded.value.more })
    },
    [dispatch, words, filter, sort],
  )
  return { list: usePagesOf(load, query, useTopic('people'), atLeast), isCut }
}

/** The columns chosen for this workspace. */
function useChosenColumns() {
  const account = useAppSelector(accountKeyOf)
  const [chosen, setChosen] = useState(() => storedColumns(localStorage, account))
  const choose = useCallback(
    (next: typeof chosen): void => {
      setChosen(next)
      storeColumns(localStorage, account, next)
    },
    [account],
  )
  return { columns: useColumns(chosen), chosen, choose }
}

/** What can be done with several people at once. */
function Bulk({ people, onClear }: { readonly people: readonly DirectoryPerson[]; readonly onClear: () => void }) {
  const t = useTexts('directory')
  const dispatch = useAppDispatch()
  const addsToSegments = useMayManage('campaigns')
  const ids = useMemo(
    () => ({
      all: people.map(({ id }) => id),
      here: people.flatMap(({ id, deactivatedAt, deletedAt }) =>
        (deactivatedAt ?? deletedAt) === undefined ? [id] : [],
      ),
      gone: people.flatMap(({ id, deactivatedAt, deletedAt }) =>
        deactivatedAt !== undefined && deletedAt === undefined ? [id] : [],
      ),
      kept: people.flatMap(({ id, deletedAt }) => (deletedAt === undefined ? [id] : [])),
    }),
    [people],
  )
  const open = (
    kind: 'add-to-segment' | 'change-role' | 'deactivate-people' | 'reactivate-people' | 'delete-people',
    of: typeof ids.all,
  ) => dispatch(dialogOpened({ kind, userIds: of.slice(0, AT_ONCE) }))
  return (
    <BulkBar count={people.length} onClear={onClear}>
      {ids.here.length === 0 || !addsToSegments ? null : (
        <Button size="small" onClick={() => open('add-to-segment', ids.here)}>
          {t('addToSegment')}
        </Button>
      )}
      {ids.here.length === 0 ? null : (
        <>
          <Button size="small" onClick={() => open('change-role', ids.here)}>
            {t('role.open')}
          </Button>
          <Button size="small" onClick={() => open('deactivate-people', ids.here)}>
            {t('deactivate.open')}
          </Button>
        </>
      )}
      {ids.gone.length === 0 ? null : (
        <Button size="small" onClick={() => open('reactivate-people', ids.gone)}>
          {t('reactivate.open')}
        </Button>
      )}
      {ids.kept.length === 0 ? null : (
        <Button size="small" variant="risky" onClick={() => open('delete-people', ids.kept)}>
          {t('delete.open')}
        </Button>
      )}
    </BulkBar>
  )
}

/** The calls take so many people; the bar says the number, and so do the dialogs. */
const AT_ONCE = 100

type FiltersProps = {
  readonly filter: DirectoryFilter
  readonly roles: readonly string[]
  /** Teams of the people who are loaded. */
  readonly teams: readonly string[]
  /** The server lists deleted people. */
  readonly withDeleted: boolean
  readonly onChange: (filter: DirectoryFilter) => void
}

const toggled = (list: readonly string[], value: string): readonly string[] =>
  list.includes(value) ? list.filter((each) => each !== value) : [...list, value]

/** Narrows the directory by role, team, state and last activity. */
function Filters({ filter, roles, teams, withDeleted, onChange }: FiltersProps) {
  const t = useTexts('directory')
  const formats = useFormats()
  const roleName = useRoleName()
  return (
    <>
      {filter.roles.length === 0 ? (
        <MenuPill
          icon="key"
          text={t('filters.role')}
          items={() =>
            roles.map((role) => ({
              id: role,
              label: roleName(role),
              onSelect: () => onChange({ ...filter, roles: [role] }),
            }))
          }
        />
      ) : (
        <PillOn
          text={t('filters.roleIs', { role: formats.list(filter.roles.map(roleName)) })}
          label={t('filters.remove', { filter: t('filters.role') })}
          onRemove={() => onChange({ ...filter, roles: [] })}
        />
      )}
      {filter.teams.length > 0 ? (
        <PillOn
          text={t('filters.teamIs', { team: formats.list(filter.teams) })}
          label={t('filters.remove', { filter: t('filters.team') })}
          onRemove={() => onChange({ ...filter, teams: [] })}
        />
      ) : (
        <PopoverPill icon="users" text={t('filters.team')}>
          {(close) => (
            <TeamChoice
              teams={teams.toSorted(formats.compare)}
              onChoose={(chosen) => {
                close()
                onChange({ ...filter, teams: chosen })
              }}
            />
          )}
        </PopoverPill>
      )}
      <StateFilter filter={filter} withDeleted={withDeleted} onChange={onChange} />
      <PeriodFilter filter={filter} onChange={onChange} />
    </>
  )
}

function StateFilter({ filter, withDeleted, onChange }: Pick<FiltersProps, 'filter' | 'withDeleted' | 'onChange'>) {
  const t = useTexts('directory')
  const states = PERSON_STATES.filter((state) => state !== 'deleted' || withDeleted)
  if (filter.state === undefined) {
    return (
      <MenuPill
        icon="circle-dashed"
        text={t('filters.state')}
        items={() =>
          states.map((state) => ({
            id: state,
            label: t(`states.${state}`),
            onSelect: () => onChange({ ...filter, state }),
          }))
        }
      />
    )
  }
  return (
    <PillOn
      text={t(`states.${filter.state}`)}
      label={t('filters.remove', { filter: t('filters.state') })}
      onRemove={() => onChange({ ...filter, state: undefined })}
    />
  )
}

function PeriodFilter({ filter, onChange }: Pick<FiltersProps, 'filter' | 'onChange'>) {
  const t = useTexts('directory')
  if (filter.period === undefined) {
    return (
      <MenuPill
        icon="clock"
        text={t('filters.period')}
        items={() =>
          PERIODS.map((period) => ({
            id: period,
            label: t(`periods.${period}`),
            onSelect: () => onChange({ ...filter, period }),
          }))
        }
      />
    )
  }
  return (
    <PillOn
      text={t(`periods.${filter.period}`)}
      label={t('filters.remove', { filter: t('filters.period') })}
      onRemove={() => onChange({ ...filter, period: undefined })}
    />
  )
}

type TeamChoiceProps = { readonly teams: readonly string[]; readonly onChoose: (teams: readonly string[]) => void }

/** Teams by their names: those that were seen, or one that is typed, because no server lists them all. */
function TeamChoice({ teams, onChoose }: TeamChoiceProps) {
  const t = useTexts('directory')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [typed, setTyped] = useState('')
  const all = isBlank(typed) ? chosen : [...new Set([...chosen, typed.trim()])]
  return (
    <form
      className={styles['choice']}
      onSubmit={(event) => {
        event.preventDefault()
        if (all.length > 0) onChoose(all)
      }}
    >
      <TextField label={t('filters.teamName')} value={typed} maxLength={64} autoComplete="off" onChange={setTyped} />
      <div className={styles['choices']}>
        {teams.map((team) => (
          <label key={team} className={styles['check']}>
            <input type="checkbox" checked={chosen.includes(team)} onChange={() => setChosen(toggled(chosen, team))} />
            <bdi className="ellipsis">{team}</bdi>
          </label>
        ))}
      </div>
      <Button type="submit" variant="primary" size="small" aria-disabled={all.length === 0 || undefined}>
        {t('filters.apply')}
      </Button>
    </form>
  )
}

const PERIODS = ['day', 'week', 'month', 'notMonth', 'notQuarter'] as const
type Period = (typeof PERIODS)[number]

/** How the directory is narrowed. */
type DirectoryFilter = {
  readonly roles: readonly string[]
  readonly teams: readonly string[]
  readonly state?: PersonState
  readonly period?: Period
}

/** How the directory was when a link on it was followed. */
export type DirectoryList = {
  readonly find: string
  readonly filter: DirectoryFilter
  readonly sort: TableSort
  /** How many people were loaded. */
  readonly count: number
}

export const NO_FILTER: DirectoryFilter = { roles: [], teams: [] }

export const isNarrowed = ({ roles, teams, state, period }: DirectoryFilter): boolean =>
  roles.length > 0 || teams.length > 0 || state !== undefined || period !== undefined

const DAY_MS = 86_400_000
const DAYS: Readonly<Record<Period, number>> = { day: 1, week: 7, month: 30, notMonth: 30, notQuarter: 90 }

/** Bounds of the time of the last activity. */
export function boundsOf(period: Period | undefined, now: number): { activeAfter?: number; activeBefore?: number } {
  if (period === undefined) return {}
  const at = now - DAYS[period] * DAY_MS
  return period === 'notMonth' || period === 'notQuarter' ? { activeBefore: at } : { activeAfter: at }
}

/** The order that a column stands for; names for all others. */
export function sortOf({ column, direction }: TableSort): { readonly by: PersonSort; readonly direction: 1 | -1 } {
  return { by: PERSON_SORTS.find((name) => name === column) ?? 'name', direction }
}
