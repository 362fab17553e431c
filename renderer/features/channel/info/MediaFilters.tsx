import { useEffect, useRef, useState, useId, type KeyboardEvent } from 'react'
import { TAB_KINDS } from '#shared/rules/channels/media-tabs.ts'
import type { MediaKind, MediaTabName, MediaFilter } from '#shared/domain/channel.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { optionPress } from '../../../lib/page/focus.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useSession, useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import { MenuPill, PillOn, PopoverPill } from '../../../ui/Mark/Pill.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Portrait, useName, selectName } from '../../people/index.ts'
import { filterRanked } from '../../../lib/text/lists.ts'
import { loadMediaPeople } from '../commands.ts'
import styles from '../Info.module.css'

const KIND_ICONS: Readonly<Record<MediaKind, IconName>> = {
  image: 'image',
  video: 'video',
  audio: 'volume',
  file: 'file',
}

type Props = {
  readonly cid: Cid
  readonly name: MediaTabName
  readonly filters: ActiveFilters
  readonly onChange: (next: ActiveFilters) => void
}

/** The active filters as removable pills, and menus to set the others. */
export function MediaFilters({ cid, name, filters, onChange: onChosen }: Props) {
  const t = useTexts('details')
  const kinds = TAB_KINDS[name]
  const toolbar = useRef<HTMLDivElement>(null)
  const [pressed, setPressed] = useState<{ readonly at: number }>()
  // The pressed button is replaced by another at the same position, which takes the focus.
  useEffect(() => {
    if (pressed !== undefined) buttonsOf(toolbar.current)[pressed.at]?.focus()
  }, [pressed])
  const onChange = (next: ActiveFilters): void => {
    const changed = ORDER.findIndex((one) => next[one] !== filters[one])
    setPressed({ at: kinds.length === 0 && changed > 0 ? 1 : changed })
    onChosen(next)
  }
  return (
    <div ref={toolbar} className={styles['filters']} role="toolbar" aria-label={t('mediaTab.filter.label')}>
      {filters.userId === undefined ? (
        <PersonFilter cid={cid} name={name} onChoose={(userId) => onChange({ ...filters, userId })} />
      ) : (
        <PersonChip userId={filters.userId} onRemove={() => onChange({ ...filters, userId: undefined })} />
      )}
      {kinds.length === 0 ? null : <KindFilter kinds={kinds} filters={filters} onChange={onChange} />}
      {kinds.length === 0 ? null : <SizeFilter filters={filters} onChange={onChange} />}
      <DateFilter filters={filters} onChange={onChange} />
    </div>
  )
}

/** Order of the filters. */
const ORDER = ['userId', 'kind', 'minBytes', 'since'] as const

const buttonsOf = (element: HTMLElement | null): readonly HTMLElement[] => [
  ...(element?.querySelectorAll<HTMLElement>(':scope > button') ?? []),
]

function PersonChip({ userId, onRemove }: { readonly userId: UserId; readonly onRemove: () => void }) {
  const t = useTexts('details')
  const own = useSession().userId === userId
  const name = useName(userId)
  const text = own ? t('mediaTab.filter.me') : name
  return (
    <PillOn
      sign={<Portrait userId={userId} size={18} />}
      text={text}
      label={t('mediaTab.filter.remove', { filter: text })}
      onRemove={onRemove}
    />
  )
}

type FilterProps = Pick<Props, 'filters' | 'onChange'>

function KindFilter({ kinds, filters, onChange }: FilterProps & { readonly kinds: readonly MediaKind[] }) {
  const t = useTexts('details')
  if (filters.kind !== undefined) {
    const text = t(`mediaTab.filter.kinds.${filters.kind}`)
    const label = t('mediaTab.filter.remove', { filter: text })
    return <PillOn text={text} label={label} onRemove={() => onChange({ ...filters, kind: undefined })} />
  }
  return (
    <MenuPill
      icon="filter"
      text={t('mediaTab.filter.kind')}
      items={() =>
        kinds.map((kind) => ({
          id: kind,
          icon: KIND_ICONS[kind],
          label: t(`mediaTab.filter.kinds.${kind}`),
          onSelect: () => onChange({ ...filters, kind }),
        }))
      }
    />
  )
}

function SizeFilter({ filters, onChange }: FilterProps) {
  const t = useTexts('details')
  const formats = useFormats()
  const largerThan = (bytes: number): string => t('mediaTab.filter.larger', { size: formats.bytes(bytes) })
  if (filters.minBytes !== undefined) {
    const text = largerThan(filters.minBytes)
    const label = t('mediaTab.filter.remove', { filter: text })
    return <PillOn text={text} label={label} onRemove={() => onChange({ ...filters, minBytes: undefined })} />
  }
  return (
    <MenuPill
      icon="database"
      text={t('mediaTab.filter.size')}
      items={() =>
        SIZES.map((minBytes) => ({
          id: String(minBytes),
          label: largerThan(minBytes),
          onSelect: () => onChange({ ...filters, minBytes }),
        }))
      }
    />
  )
}

function DateFilter({ filters, onChange }: FilterProps) {
  const t = useTexts('details')
  if (filters.since !== undefined) {
    const text = t(`mediaTab.filter.dates.${filters.since}`)
    return (
      <PillOn
        sign={<Icon name="calendar" size={15} />}
        text={text}
        label={t('mediaTab.filter.remove', { filter: text })}
        onRemove={() => onChange({ ...filters, since: undefined, from: undefined })}
      />
    )
  }
  return (
    <MenuPill
      icon="calendar"
      text={t('mediaTab.filter.date')}
      items={() =>
        SINCE.map((since) => ({
          id: since,
          label: t(`mediaTab.filter.dates.${since}`),
          onSelect: () => onChange({ ...filters, since, from: startOf(since, new Date()) }),
        }))
      }
    />
  )
}

/** Periods offered as a filter; each ends now. */
const SINCE = ['today', 'week', 'month', 'year'] as const
type Since = (typeof SINCE)[number]

/** Bytes. */
const SIZES = [1_000_000, 10_000_000, 100_000_000] as const

/** The filters of a media tab, with the period that `from` was computed from. */
export type ActiveFilters = MediaFilter & { readonly since?: Since }

export const hasFilters = (filters: ActiveFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined)

const DAYS: Readonly<Record<Since, number>> = { today: 0, week: 6, month: 29, year: 364 }

/** Local midnight at the start of a period that includes today. Epoch milliseconds. */
export const startOf = (since: Since, now: Date): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS[since]).getTime()

/** The server is searched after this pause in typing. */
const PAUSE_MS = 200

type PersonFilterProps = { readonly cid: Cid; readonly name: MediaTabName; readonly onChoose: (userId: UserId) => void }

/** Filters by author: everyone who has an item in this tab, searchable by name. */
function PersonFilter(props: PersonFilterProps) {
  const t = useTexts('details')
  return (
    <PopoverPill icon="user" text={t('mediaTab.filter.person')}>
      {() => <People {...props} />}
    </PopoverPill>
  )
}

/** Arrow keys move through the names while the focus stays in the field; Enter selects. */
function People({ cid, name, onChoose }: PersonFilterProps) {
  const t = useTexts('details')
  const listId = useId()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const { people, busy, failed } = usePeople(cid, name, query.trim())
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    field.current?.focus()
  }, [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  const found = filterRanked(people, query.trim(), ({ label }) => label)
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = found[active]
    if (event.key === 'ArrowDown') setActive((at) => Math.min(at + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setActive((at) => Math.max(at - 1, 0))
    else if (event.key === 'Enter' && chosen !== undefined) onChoose(chosen.userId)
    else return
    event.preventDefault()
  }
  return (
    <div className={styles['people']}>
      <TextField
        ref={field}
        label={t('mediaTab.filter.findPerson')}
        labelHidden
        placeholder={t('mediaTab.filter.findPerson')}
        icon="search"
        value={query}
        autoComplete="off"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={listId}
        aria-activedescendant={found[active] === undefined ? undefined : `${listId}-${active}`}
        onKeyDown={onKeyDown}
        onChange={(value) => {
          setQuery(value)
          setActive(0)
        }}
      />
      <div
        id={listId}
        ref={list}
        role="listbox"
        aria-label={t('mediaTab.filter.person')}
        className={styles['peopleList']}
      >
        {found.map(({ userId, label }, at) => (
          <div
            key={userId}
            id={`${listId}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            className={styles['person']}
            {...optionPress(() => onChoose(userId))}
          >
            <Portrait userId={userId} size={20} />
            <span className="ellipsis">{label}</span>
          </div>
        ))}
      </div>
      {found.length > 0 ? null : <NoOneFound busy={busy} failed={failed} query={query.trim()} />}
    </div>
  )
}

type NoOneFoundProps = { readonly busy: boolean; readonly failed: boolean; readonly query: string }

function NoOneFound({ busy, failed, query }: NoOneFoundProps) {
  const t = useTexts('details')
  const text = (): string => {
    if (busy) return t('mediaTab.more')
    if (failed) return t('members.failed')
    return query === '' ? t('mediaTab.filter.nobody') : t('mediaTab.nothing', { query })
  }
  return (
    <p className={styles['peopleNone']} role="status">
      {text()}
    </p>
  )
}

type Person = { readonly userId: UserId; readonly label: string }

/** People from the cache at once, then with matches from the server; the viewer first. */
function usePeople(
  cid: Cid,
  tab: MediaTabName,
  text: string,
): { readonly people: readonly Person[]; readonly busy: boolean; readonly failed: boolean } {
  const t = useTexts('details')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const me = useSession().userId
  const [ids, setIds] = useState<readonly UserId[]>([])
  const [busy, setBusy] = useState(true)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let wanted = true
    const load = async (ask: 'cache' | 'server'): Promise<void> => {
      const loaded = await dispatch(loadMediaPeople({ cid, tab, text, ask }))
      if (wanted && ask === 'server') setFailed(!loaded.ok)
      if (wanted && loaded.ok) setIds((before) => [...new Set([...before, ...loaded.value])])
    }
    const begin = async (): Promise<void> => {
      setBusy(true)
      await load('cache')
      if (wanted) await load('server')
      if (wanted) setBusy(false)
    }
    const timer = setTimeout(() => void begin(), text === '' ? 0 : PAUSE_MS)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [dispatch, cid, tab, text])
  const people = ids
    .map((userId) => ({
      userId,
      label: userId === me ? t('mediaTab.filter.me') : selectName(store.getState(), userId),
    }))
    .toSorted((a, b) => Number(b.userId === me) - Number(a.userId === me) || formats.compare(a.label, b.label))
  return { people, busy, failed }
}
