import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { MediaTabName } from '#shared/domain/channel-details.ts'
import type { Cid, UserId } from '#shared/lib/brand.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppStore, useSession } from '../../../store/hooks.ts'
import { PopoverPill } from '../../../ui/Mark/Pill.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { filterRanked } from '../../sidebar/index.ts'
import { Portrait, selectName } from '../../people/index.ts'
import { loadMediaPeople } from '../commands.ts'
import styles from '../Info.module.css'

/** The server is searched after this pause in typing. */
const PAUSE_MS = 200

type Props = { readonly cid: Cid; readonly name: MediaTabName; readonly onChoose: (userId: UserId) => void }

/** Filters by author: everyone who has an item in this tab, searchable by name. */
export function PersonFilter(props: Props) {
  const t = useTexts('details')
  return (
    <PopoverPill icon="user" text={t('mediaTab.filter.person')}>
      {() => <People {...props} />}
    </PopoverPill>
  )
}

/** Arrow keys move through the names while the focus stays in the field; Enter selects. */
function People({ cid, name, onChoose }: Props) {
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
            onPointerDown={(event) => {
              event.preventDefault()
              onChoose(userId)
            }}
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
