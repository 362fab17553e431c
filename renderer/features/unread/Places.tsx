import { type KeyboardEvent as Pressed, useCallback, useEffect, useState } from 'react'
import { excerpt } from '#shared/rules/messages/text.ts'
import type { UnreadPlace } from '#shared/domain/unread.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useTexts, useFormats } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { keyOf } from '../../lib/text/chords.ts'
import { useRoving } from '../../lib/page/roving.ts'
import {
  useAppDispatch,
  useAppStore,
  useSetting,
  useWindow,
  useAppSelector,
  useChannel,
  useUser,
} from '../../store/hooks.ts'
import { panelOpened, placeOpened } from '../../store/window/ui.ts'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { useLanguageMark } from '../../lib/text/language-mark.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { Count } from '../../ui/Mark/Mark.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { channelTitle, markChannelRead, undoRead } from '../sidebar/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { useContentsOf } from '../attachments/index.ts'
import { Portrait } from '../people/index.ts'
import { loadUnreadPlaces, readThread, unreadThread } from './commands.ts'
import { useUnreadVersion } from './use-catch-up.ts'
import styles from './Unread.module.css'

type PlaceMarks = Pick<ReturnType<typeof usePlaces>, 'done' | 'undo'>

/** Every conversation with unread messages. */
export function UnreadPlaces({ places: { rows, ...marks } }: { readonly places: Places }) {
  const t = useTexts('unread')
  if (rows === undefined || rows.length === 0) return null
  return (
    <section aria-labelledby="unread-places">
      <h2 id="unread-places" className={styles['groupHead']}>
        <Icon name="inbox" size={16} />
        {t('catchUp.list')} <span className={styles['count']}>{rows.length}</span>
      </h2>
      <div className={styles['card']}>
        <PlaceList rows={rows} {...marks} />
      </div>
    </section>
  )
}

function PlaceList({ rows, ...marks }: PlaceMarks & { readonly rows: readonly Row[] }) {
  const t = useTexts('unread')
  const roving = useRoving({ ids: rows.map(({ id }) => id), pageSize: 5 })
  const { ref, ...listeners } = roving.containerProps
  const letterKeys = useSetting('letterKeys')
  const { open, showBeside, finish, takeBack, onKey } = usePlaceActions(rows, roving.focus, marks)
  return (
    <>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        aria-label={t('catchUp.list')}
        {...listeners}
      >
        {rows.map((row) => (
          <PlaceRow
            key={row.id}
            row={row}
            item={roving.itemProps(row.id)}
            onOpen={() => open(row)}
            onShowBeside={() => showBeside(row)}
            onDone={() => void finish(row)}
            onUndo={() => void takeBack(row)}
            onKey={(event) => (letterKeys || event.key === ' ') && onKey(row, event)}
          />
        ))}
      </ul>
    </>
  )
}

/** What a row does by button or key. `focus` moves the focus to a row. */
function usePlaceActions(rows: readonly Row[], focus: (id: string) => void, { done, undo }: PlaceMarks) {
  const t = useTexts('unread')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const nameOf = ({ place }: Row): string => channelTitle(store.getState(), place.cid)
  /** Moves the focus to the next row; returns whether there was one. */
  const step = (row: Row, by: 1 | -1, onlyLeft = false): boolean => {
    const next = nextRow(rows, row, by, onlyLeft)
    if (next !== undefined) focus(next.id)
    return next !== undefined
  }
  const open = ({ place: { cid, parentId } }: Row): void => {
    dispatch(placeOpened({ cid, parentId, unread: true }))
  }
  const showBeside = ({ place: { cid, parentId, firstId, preview } }: Row): void => {
    const messageId = firstId ?? preview[0]?.messageId
    if (parentId !== undefined) dispatch(panelOpened({ kind: 'thread', cid, parentId }))
    else if (messageId !== undefined) dispatch(panelOpened({ kind: 'context', cid, messageId }))
  }
  const finish = async (row: Row): Promise<void> => {
    const moved = step(row, 1, true) || step(row, -1, true)
    const marked = await done(row)
    // No unread row is left: focus the undo button, which has replaced the row.
    if (!moved) focus(row.id)
    if (marked) announce(t('catchUp.marked', { place: nameOf(row) }))
  }
  const takeBack = async (row: Row): Promise<void> => {
    if (await undo(row)) announce(t('catchUp.again', { place: nameOf(row) }))
  }
  const onKey = (row: Row, event: KeyboardEvent): boolean => {
    const key = keyOf(event)
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      j: () => void step(row, 1),
      k: () => void step(row, -1),
      e: row.isDone ? undefined : () => void finish(row),
      u: () => {
        const target = nearestDone(rows, row)
        if (target !== undefined) void takeBack(target)
      },
      ' ': () => showBeside(row),
    }
    const act = actions[key]
    act?.()
    return act !== undefined
  }
  return { open, showBeside, finish, takeBack, onKey }
}

/** The next row below (1) or above (-1); with `onlyLeft`, the next that is not done. */
function nextRow(rows: readonly Row[], row: Row, by: 1 | -1, onlyLeft: boolean): Row | undefined {
  const at = rows.indexOf(row)
  const ahead = by === 1 ? rows.slice(at + 1) : rows.slice(0, Math.max(0, at)).toReversed()
  return ahead.find(({ isDone }) => !onlyLeft || !isDone)
}

/** U on a row that is not done undoes the nearest done row above, else below. */
const nearestDone = (rows: readonly Row[], row: Row): Row | undefined =>
  row.isDone
    ? row
    : (rows.slice(0, rows.indexOf(row)).findLast(({ isDone }) => isDone) ?? rows.find(({ isDone }) => isDone))

type PlaceRowProps = {
  readonly row: Row
  readonly item: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly onOpen: () => void
  readonly onShowBeside: () => void
  readonly onDone: () => void
  readonly onUndo: () => void
  /** Returns whether the key was handled. */
  readonly onKey: (event: KeyboardEvent) => boolean
}

/** A channel or thread with a preview of its first unread messages. */
function PlaceRow({ row, item, onOpen, onShowBeside, onDone, onUndo, onKey }: PlaceRowProps) {
  const t = useTexts('unread')
  const { place } = row
  const title = useAppSelector((state) => channelTitle(state, place.cid))
  const name = place.parentId === undefined ? title : t('catchUp.thread', { place: title })
  const press = (event: Pressed): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (onKey(event.nativeEvent)) event.preventDefault()
  }
  if (row.isDone) {
    return (
      <li className={styles['gone']} data-unread-place={row.id}>
        <span>
          <b>{name}</b> {t('catchUp.isRead')}
        </span>
        <Button size="small" icon="undo" {...item} onClick={onUndo} onKeyDown={press}>
          {t('catchUp.undo')}
        </Button>
      </li>
    )
  }
  return (
    <li className={styles['row']} data-unread-place={row.id}>
      <button type="button" className={styles['open']} {...item} onClick={onOpen} onKeyDown={press}>
        <Glyph place={place} />
        <span className={styles['text']}>
          <span className={styles['where']}>
            <b>{name}</b>
            <Counts place={place} />
          </span>
          <Preview place={place} />
        </span>
        <When at={place.newestAt} />
      </button>
      <span className={styles['actions']}>
        <IconButton
          size="small"
          icon="panel-right"
          label={t('catchUp.beside', { place: name })}
          keys={[' ']}
          onClick={onShowBeside}
        />
        <IconButton
          size="small"
          icon="check"
          label={t('catchUp.doneIn', { place: name })}
          keys={['E']}
          onClick={onDone}
        />
      </span>
    </li>
  )
}

function Counts({ place }: { readonly place: UnreadPlace }) {
  const t = useTexts('unread')
  const isDirect = useChannel(place.cid)?.directUserIds.length ?? 0
  const forYou = isDirect > 0 ? place.unread : place.mentions
  return (
    <>
      <span className={styles['tag']}>{t('catchUp.new', { count: place.unread })}</span>
      {place.mentions > 0 ? (
        <span className={styles['forYou']}>{t('catchUp.mentions', { count: place.mentions })}</span>
      ) : forYou > 0 ? (
        <Count value={forYou} tone="mention" />
      ) : null}
    </>
  )
}

function Preview({ place: { preview, unread } }: { readonly place: UnreadPlace }) {
  const t = useTexts('unread')
  const rest = unread - preview.length
  if (preview.length === 0) return <span className={styles['note']}>{t('catchUp.notHere')}</span>
  return (
    <>
      {preview.map((line) => (
        <Line key={line.messageId} line={line} />
      ))}
      {rest > 0 ? <span className={styles['note']}>{t('catchUp.more', { count: rest })}</span> : null}
    </>
  )
}

function Line({ line }: { readonly line: UnreadPlace['preview'][number] }) {
  const contentsOf = useContentsOf()
  const writer = useUser(line.userId)
  const author = writer?.name ?? line.userId
  const marked = useLanguageMark<HTMLSpanElement>(line.text, writer?.language)
  const text = excerpt(line.text, 200)
  return (
    <span className={styles['line']}>
      <bdi className={styles['author']}>{cleanName(author)}</bdi>{' '}
      <span ref={marked} dir="auto">
        <EmojiText text={text === '' ? contentsOf(line) : text} />
      </span>
    </span>
  )
}

function Glyph({ place }: { readonly place: UnreadPlace }) {
  const channel = useChannel(place.cid)
  const other = useUser(channel?.directUserId)
  if (place.parentId === undefined && other !== undefined) return <Portrait userId={other.id} size={20} />
  const direct = (channel?.directUserIds.length ?? 0) > 0
  const icon =
    place.parentId !== undefined ? 'thread' : direct ? 'users' : channel?.isPrivate === true ? 'lock' : 'hash'
  return (
    <span className={styles['glyph']}>
      <Icon name={icon} size={18} />
    </span>
  )
}

function When({ at }: { readonly at: number }) {
  const { listTime } = useFormats()
  const now = useMinute()
  return <span className={styles['when']}>{listTime(at, now)}</span>
}

/** A row of the list; a place marked read keeps its row, so that nothing moves and it can be undone. */
type Row = { readonly id: string; readonly place: UnreadPlace; readonly isDone: boolean }

const rowId = ({ cid, parentId }: UnreadPlace): string => (parentId === undefined ? cid : `${cid}/${parentId}`)

type Places = {
  /** Absent until the first response. */
  readonly rows: readonly Row[] | undefined
  readonly done: (row: Row) => Promise<boolean>
  readonly undo: (row: Row) => Promise<boolean>
}

/** Unread places, loaded again when a count changes. They keep the order of the first response; new ones follow. */
export function usePlaces(): Places {
  const dispatch = useAppDispatch()
  const version = useUnreadVersion()
  const isListed = useWindow('channels') !== undefined
  const [known, setKnown] = useState<ReadonlyMap<string, Row>>()
  useEffect(() => {
    if (!isListed || version === '') return undefined
    let live = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(loadUnreadPlaces(undefined))
      if (live && answer.ok) setKnown((before) => merged(before, answer.value))
    }
    void ask()
    return () => {
      live = false
    }
  }, [dispatch, isListed, version])
  const set = useCallback((row: Row, isDone: boolean) => {
    setKnown((before) => new Map([...(before ?? []), [row.id, { ...row, isDone }]]))
  }, [])
  return {
    rows: known === undefined ? undefined : [...known.values()],
    done: async (row) => {
      const { cid, parentId } = row.place
      set(row, true)
      const { ok } = await (parentId === undefined
        ? dispatch(markChannelRead({ cid }))
        : dispatch(readThread({ cid, parentId })))
      if (!ok) set(row, false)
      return ok
    },
    undo: async (row) => {
      const { cid, parentId, firstId } = row.place
      const isThread = parentId !== undefined && firstId !== undefined
      const isBack = isThread
        ? (await dispatch(unreadThread({ cid, parentId, messageId: firstId }))).ok
        : await dispatch(undoRead(cid))
      if (isBack) set(row, false)
      return isBack
    },
  }
}

/** Rows read elsewhere are removed; rows marked read here stay until the list is left. */
function merged(
  before: ReadonlyMap<string, Row> | undefined,
  places: readonly UnreadPlace[],
): ReadonlyMap<string, Row> {
  const now = new Map(places.map((place) => [rowId(place), place]))
  const remaining = [...(before?.values() ?? [])].flatMap((row): Row[] => {
    const place = now.get(row.id)
    if (place !== undefined) return [{ ...row, place, isDone: row.isDone && place.newestAt === row.place.newestAt }]
    return row.isDone ? [row] : []
  })
  const added = places
    .filter((place) => before?.has(rowId(place)) !== true)
    .toSorted((a, b) => Number(b.mentions > 0) - Number(a.mentions > 0) || b.newestAt - a.newestAt)
    .map((place): Row => ({ id: rowId(place), place, isDone: false }))
  return new Map([...remaining, ...added].map((row) => [row.id, row]))
}
