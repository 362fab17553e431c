import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { SavedSearch } from '#shared/domain/search.ts'
import { withoutSearch, withSearchBack, withSearchMoved } from '#shared/rules/search/saved-searches.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { type MenuItem, useMenu } from '../../../ui/Menu/Menu.tsx'
import { changeSaved, openSaved, selectSavedSearches } from './saved.ts'
import { RenameSearchDialog } from './SavedDialogs.tsx'
import styles from './Saved.module.css'

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
