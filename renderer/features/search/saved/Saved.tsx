import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { type SavedSearch, SEARCH_NAME_LENGTH, MAX_SAVED_SEARCHES } from '#shared/domain/search.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { fold } from '#shared/rules/search/search-fold.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useAppDispatch, useAppSelector, useAppStore } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { type MenuItem, useMenu } from '../../../ui/Menu/Menu.tsx'
import { MenuPill } from '../../../ui/Mark/Pill.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { placeName, useChipLabel, dayOf, filterOf, extractChips } from '../question.ts'
import { useSearchState } from '../results/use-results.ts'
import { changeSaved, openSaved, selectSavedSearches } from './saved.ts'
import styles from './Saved.module.css'

/** Saves the current search, and opens the saved ones. */
export function SavedPill() {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const { saved, present, suggestedName } = useSaving()
  const [naming, setNaming] = useState<string>()
  const same = present === undefined ? undefined : searchAsking(saved, present)
  const items = (): readonly MenuItem[] => [
    {
      id: 'save',
      label: t('saved.saveThis'),
      icon: 'plus',
      ...(present === undefined
        ? { disabledReason: t('saved.nothingAsked') }
        : same === undefined
          ? {}
          : { disabledReason: t('saved.isKept') }),
      onSelect: () => setNaming(suggestedName()),
    },
    ...(saved.length === 0 ? [] : [{ kind: 'separator', id: 'line' } satisfies MenuItem]),
    ...saved.map((search): MenuItem => ({
      id: `saved-${search.name}`,
      label: search.name,
      icon: 'bookmark',
      checked: search === same ? true : undefined,
      onSelect: () => dispatch(openSaved(search)),
    })),
  ]
  return (
    <>
      <MenuPill icon="bookmark" text={t('saved.pill')} items={items} />
      {naming === undefined || present === undefined ? null : (
        <SaveDialog present={present} suggestedName={naming} onClose={() => setNaming(undefined)} />
      )}
    </>
  )
}

/** The current search as it would be saved, and the saved ones. */
function useSaving(): {
  readonly saved: readonly SavedSearch[]
  readonly present: Omit<SavedSearch, 'name'> | undefined
  /** Suggests a name from its filters and text. */
  readonly suggestedName: () => string
} {
  const saved = useAppSelector(selectSavedSearches)
  const { text, chips, cid, tab } = useSearchState()
  const today = dayOf(useMinute())
  const label = useChipLabel()
  const store = useAppStore()
  // A filter still in the field counts, as if Enter had been pressed.
  const extracted = extractChips(text, today, true)
  const phrase = extracted.text.trim()
  const all = [...chips, ...extracted.chips]
  return {
    saved,
    present:
      phrase === '' && all.length === 0
        ? undefined
        : { text: phrase, chips: all, ...(cid === undefined ? {} : { cid }), tab },
    suggestedName: () => {
      const filters = all.flatMap((source) => {
        const filter = filterOf(source, today)
        return filter === undefined ? [] : [label(filter).text]
      })
      const place = cid === undefined ? [] : [placeName(store.getState(), cid)]
      return [...(phrase === '' ? [] : [phrase]), ...filters, ...place].join(', ').slice(0, SEARCH_NAME_LENGTH)
    },
  }
}

type Removed = { readonly search: SavedSearch; readonly at: number }

/**
 * Saved searches, to run, rename, reorder and remove. Arrow keys navigate, Ctrl+Shift and an arrow moves, Delete removes;
 * a removal can be undone until the list is left.
 */
export function SavedList() {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const saved = useAppSelector(selectSavedSearches)
  const [renaming, setRenaming] = useState<string>()
  const [removed, setRemoved] = useState<Removed>()
  const { containerProps, itemProps, focus } = useRoving({ ids: saved.map(({ name }) => name) })
  const { ref, onFocus, onKeyDown } = containerProps
  if (saved.length === 0 && removed === undefined) return null

  const move = async (name: string, by: 1 | -1): Promise<void> => {
    const place = saved.findIndex((each) => each.name === name) + 1 + by
    if (place < 1 || place > saved.length) return
    await dispatch(changeSaved((searches) => withSearchMoved(searches, name, by)))
    announce(t('saved.moved', { name, place, of: saved.length }))
    focus(name)
  }
  const remove = (search: SavedSearch): void => {
    setRemoved({ search, at: saved.indexOf(search) })
    void dispatch(changeSaved((searches) => withoutSearch(searches, search.name)))
  }
  const putBack = ({ search, at }: Removed): void => {
    setRemoved(undefined)
    void dispatch(changeSaved((searches) => withSearchBack(searches, { search, at }))).then(() => focus(search.name))
  }
  const onRowKey = (event: KeyboardEvent, search: SavedSearch): void => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    const isMove = event.shiftKey && (event.ctrlKey || event.metaKey)
    if (isMove && by !== undefined) void move(search.name, by)
    else if (event.key === 'Delete') remove(search)
    else return
    event.preventDefault()
  }
  return (
    <section className={styles['saved']}>
      <h2>{t('saved.title')}</h2>
      <ul
        ref={ref as RefObject<HTMLUListElement | null>}
        aria-label={t('saved.title')}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
      >
        {saved.map((search, at) => (
          <SavedRow
            key={search.name}
            search={search}
            item={itemProps(search.name)}
            isFirst={at === 0}
            isLast={at === saved.length - 1}
            onKey={(event) => onRowKey(event, search)}
            onMove={(by) => void move(search.name, by)}
            onRename={() => setRenaming(search.name)}
            onRemove={() => remove(search)}
          />
        ))}
      </ul>
      {removed === undefined ? null : (
        <Undo key={removed.search.name} name={removed.search.name} onUndo={() => putBack(removed)} />
      )}
      {renaming === undefined ? null : <RenameSearchDialog name={renaming} onClose={() => setRenaming(undefined)} />}
    </section>
  )
}

type RowProps = {
  readonly search: SavedSearch
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onKey: (event: KeyboardEvent) => void
  readonly onMove: (by: 1 | -1) => void
  readonly onRename: () => void
  readonly onRemove: () => void
}

function SavedRow({ search, item, isFirst, isLast, onKey, onMove, onRename, onRemove }: RowProps) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const items = (): readonly MenuItem[] => [
    { id: 'rename', label: t('saved.renameMenu'), icon: 'pencil', onSelect: onRename },
    ...(isFirst
      ? []
      : [{ id: 'up', label: t('saved.up'), icon: 'arrow-up', onSelect: () => onMove(-1) } satisfies MenuItem]),
    ...(isLast
      ? []
      : [{ id: 'down', label: t('saved.down'), icon: 'arrow-down', onSelect: () => onMove(1) } satisfies MenuItem]),
    { kind: 'separator', id: 'line' },
    { id: 'remove', label: t('saved.remove'), icon: 'trash', danger: true, onSelect: onRemove },
  ]
  const menu = useMenu({ label: t('saved.more', { name: search.name }), items })
  return (
    <li className={styles['row']} onContextMenu={menu.onContextMenu}>
      <button
        type="button"
        className={styles['open']}
        {...item}
        onClick={() => dispatch(openSaved(search))}
        onKeyDown={onKey}
      >
        <Icon name="bookmark" size={17} />
        <bdi className={styles['name']}>{search.name}</bdi>
        <bdi className={styles['question']}>{[...search.chips, search.text].join(' ').trim()}</bdi>
      </button>
      <IconButton
        icon="more"
        size="small"
        tabIndex={-1}
        label={t('saved.more', { name: search.name })}
        {...menu.triggerProps}
      />
      {menu.menu}
    </li>
  )
}

/** The removed search with Undo, which takes the focus of the removed row. */
function Undo({ name, onUndo }: { readonly name: string; readonly onUndo: () => void }) {
  const t = useTexts('search')
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <p role="status" className={styles['undo']}>
      {t('saved.removed', { name })}
      <Button ref={button} size="small" variant="link" onClick={onUndo}>
        {t('saved.undo')}
      </Button>
    </p>
  )
}

type NameProps = {
  readonly title: string
  readonly submit: string
  readonly before: string
  readonly errorOf: (name: string) => string | undefined
  readonly hintOf?: (name: string) => string | undefined
  readonly onSave: (name: string) => Promise<boolean>
  readonly onClose: () => void
}

/** Asks for a name. An invalid one stays in the field with the reason. */
function NameDialog({ title, submit, before, errorOf, hintOf, onSave, onClose }: NameProps) {
  const t = useTexts('search')
  const common = useTexts('common')
  const [name, setName] = useState(before)
  const [tried, setTried] = useState(false)
  const save = async (): Promise<void> => {
    setTried(true)
    if (errorOf(name) === undefined && (await onSave(name))) onClose()
  }
  return (
    <Dialog
      title={title}
      width={400}
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary">
            {submit}
          </Button>
        </>
      }
    >
      <TextField
        label={t('saved.name')}
        value={name}
        maxLength={SEARCH_NAME_LENGTH}
        autoComplete="off"
        hint={hintOf?.(name)}
        error={tried ? errorOf(name) : undefined}
        onChange={setName}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Dialog>
  )
}

type SaveProps = {
  readonly present: Omit<SavedSearch, 'name'>
  readonly suggestedName: string
  readonly onClose: () => void
}

/** Saves the current search under a name; warns before replacing another of that name. */
function SaveDialog({ present, suggestedName, onClose }: SaveProps) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const saved = useAppSelector(selectSavedSearches)
  return (
    <NameDialog
      title={t('saved.saveTitle')}
      submit={t('saved.save')}
      before={suggestedName}
      errorOf={(name) => {
        const fault = savingFault(saved, name)
        return fault === undefined ? undefined : t(`saved.faults.${fault}`, { max: MAX_SAVED_SEARCHES })
      }}
      hintOf={(name) => {
        const same = searchCalled(saved, name)
        return same === undefined ? undefined : t('saved.replaces', { name: same.name })
      }}
      onSave={async (name) => {
        const done = await dispatch(changeSaved((searches) => withSearch(searches, { ...present, name })))
        if (done) announce(t('saved.kept', { name: name.trim() }))
        return done
      }}
      onClose={onClose}
    />
  )
}

/** Renames a saved search. */
function RenameSearchDialog({ name: from, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const saved = useAppSelector(selectSavedSearches)
  return (
    <NameDialog
      title={t('saved.renameTitle')}
      submit={t('saved.rename')}
      before={from}
      errorOf={(name) => {
        const fault = renamingFault(saved, from, name)
        return fault === undefined ? undefined : t(`saved.faults.${fault}`, { max: MAX_SAVED_SEARCHES })
      }}
      onSave={(name) => dispatch(changeSaved((searches) => withSearchRenamed(searches, from, name)))}
      onClose={onClose}
    />
  )
}

const called = (name: string) => (search: SavedSearch) => fold(search.name) === fold(name.trim())

/** The search with this name, ignoring case and accents. */
const searchCalled = (searches: readonly SavedSearch[], name: string): SavedSearch | undefined =>
  searches.find(called(name))

/** The search with the same query, ignoring the order of its filters. */
export function searchAsking(
  searches: readonly SavedSearch[],
  { text, chips, cid }: Omit<SavedSearch, 'name' | 'tab'>,
): SavedSearch | undefined {
  const inOrder = (filters: readonly string[]): string => filters.toSorted().join('\n')
  return searches.find((each) => each.text === text && each.cid === cid && inOrder(each.chips) === inOrder(chips))
}

/** Why a search cannot be saved under this name. An existing name is allowed: that search is replaced. */
export function savingFault(searches: readonly SavedSearch[], name: string): 'name' | 'full' | undefined {
  if (isBlank(name)) return 'name'
  return searches.length >= MAX_SAVED_SEARCHES && !searches.some(called(name)) ? 'full' : undefined
}

/** Replaces the search of the same name, or appends it. */
export function withSearch(searches: readonly SavedSearch[], search: SavedSearch): readonly SavedSearch[] {
  const trimmed = { ...search, name: search.name.trim().slice(0, SEARCH_NAME_LENGTH) }
  const at = searches.findIndex(called(trimmed.name))
  return at < 0 ? [...searches, trimmed] : searches.with(at, trimmed)
}

/** Why a search cannot have that name: another one has it. */
export function renamingFault(
  searches: readonly SavedSearch[],
  from: string,
  to: string,
): 'name' | 'taken' | undefined {
  if (to.trim() === '') return 'name'
  return searches.some((each) => each.name !== from && called(to)(each)) ? 'taken' : undefined
}

export const withSearchRenamed = (searches: readonly SavedSearch[], from: string, to: string): readonly SavedSearch[] =>
  searches.map((each) => (each.name === from ? { ...each, name: to.trim().slice(0, SEARCH_NAME_LENGTH) } : each))

export const withoutSearch = (searches: readonly SavedSearch[], name: string): readonly SavedSearch[] =>
  searches.filter((each) => each.name !== name)

/** Restores a removed search to its position, unless its name is in use by now. */
export const withSearchBack = (
  searches: readonly SavedSearch[],
  { search, at }: { readonly search: SavedSearch; readonly at: number },
): readonly SavedSearch[] => (searches.some(called(search.name)) ? searches : searches.toSpliced(at, 0, search))

/** Moves a search one position up (-1) or down (1). */
export function withSearchMoved(searches: readonly SavedSearch[], name: string, by: 1 | -1): readonly SavedSearch[] {
  const at = searches.findIndex((each) => each.name === name)
  const [moved, other] = [searches[at], searches[at + by]]
  if (moved === undefined || other === undefined) return searches
  return searches.with(at, other).with(at + by, moved)
}
