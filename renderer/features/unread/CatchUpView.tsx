import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { keyOf } from '../../lib/text/chords.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { useAppDispatch, useAppStore, useConnection, useWindow } from '../../store/hooks.ts'
import { panelOpened, placeOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { View } from '../../ui/View/View.tsx'
import { channelTitle, markAllRead } from '../sidebar/index.ts'
import { Unanswered } from '../connection/index.ts'
import { PlaceRow } from './PlaceRow.tsx'
import { usePlaces, type Row } from './use-places.ts'
import styles from './Unread.module.css'

type Props = {
  /** Below 640 px: goes back to the list. */
  readonly onBack?: () => void
}

/** All unread channels and threads in one list, with keyboard navigation. Viewing does not mark anything read. */
export function CatchUpView({ onBack }: Props) {
  const t = useTexts('unread')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { rows, ...acts } = usePlaces()
  const isUnanswered = useWindow('channels')?.unanswered === true
  const still = useConnection().stillLoading?.find((part) => part === 'channels' || part === 'messages')
  const missing = still ?? (isUnanswered ? 'channels' : undefined)
  const someLeft = rows?.some(({ isDone }) => !isDone) === true
  return (
    <View
      icon="inbox"
      title={t('catchUp.title')}
      subtitle={t('catchUp.subtitle')}
      back={onBack === undefined ? undefined : { label: common('back'), onPress: onBack }}
      actions={
        someLeft ? (
          <Button size="small" icon="check-double" onClick={() => void dispatch(markAllRead())}>
            {t('catchUp.all')}
          </Button>
        ) : undefined
      }
    >
      {rows === undefined ? null : rows.length === 0 && missing !== undefined ? (
        <Unanswered part={missing} />
      ) : rows.length === 0 ? (
        <Empty scene="done" title={t('catchUp.empty')}>
          {t('catchUp.emptyText')}
        </Empty>
      ) : (
        <PlaceList rows={rows} {...acts} />
      )}
    </View>
  )
}

type PlaceMarks = Pick<ReturnType<typeof usePlaces>, 'done' | 'undo'>

function PlaceList({ rows, ...marks }: PlaceMarks & { readonly rows: readonly Row[] }) {
  const t = useTexts('unread')
  const roving = useRoving({ ids: rows.map(({ id }) => id), pageSize: 5 })
  const { ref, ...listeners } = roving.containerProps
  const { open, showBeside, finish, takeBack, onKey } = usePlaceActions(rows, roving.focus, marks)
  return (
    <>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        className={styles['list']}
        aria-label={t('catchUp.list')}
        aria-describedby="catch-up-keys"
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
            onKey={(event) => onKey(row, event)}
          />
        ))}
      </ul>
      <p id="catch-up-keys" className={styles['keys']}>
        {t('catchUp.keys')}
      </p>
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
