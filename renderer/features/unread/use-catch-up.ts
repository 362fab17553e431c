import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { CatchUpItem, CatchUpPage } from '#shared/domain/unread.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { composerKey } from '#shared/domain/draft.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useMinute } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useAppStore, useConnection, useSetting, useWindow } from '../../store/hooks.ts'
import { catchUpChosen } from '../../store/window/views.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { keyOf } from '../../lib/text/chords.ts'
import { focusRequested } from '../../store/composers/composers.ts'
import { panelOpened, placeOpened } from '../../store/window/ui.ts'
import { markChannelRead, undoRead, channelTitle } from '../sidebar/index.ts'
import { setReminder } from '../reminders/index.ts'
import { loadCatchUp, loadSince, readThread, unreadThread } from './commands.ts'
import { BAR_COUNT } from './SinceCard.tsx'

type Question = {
  readonly since: number
  readonly barsFrom: number
  readonly unread: boolean
  readonly cid?: Cid
}

/**
 * `done`: marked as read by its row, which offers Undo; `read`: its conversation was, by another row. What comes after
 * that is `open` again.
 */
export type Entry = { readonly id: string; readonly item: CatchUpItem; readonly state: 'open' | 'done' | 'read' }

type Known = { readonly of: string; readonly page: CatchUpPage; readonly items: readonly CatchUpItem[] }

/** While a slider moves, only its last position is asked for. */
const SETTLE_MS = 150

const entryId = ({ group, messageId }: CatchUpItem): string => `${group} ${messageId}`
/** What happened, not only to which message: a newer reaction or reply is another one. */
const seenKey = ({ messageId, at }: CatchUpItem): string => `${messageId} ${at}`
/** What one read mark covers. */
const placeKey = ({ cid, parentId }: CatchUpItem): string => parentId ?? cid

/** Changes when any unread count does. */
export function useUnreadVersion(): string {
  const counts = useAppSelector(({ entities, windows }) =>
    (windows.byKey['channels']?.ids ?? []).map((cid) => entities.channels[cid]?.unread ?? 0).join(' '),
  )
  const threads = useAppSelector(({ entities }) => entities.inbox['self']?.unreadThreads ?? 0)
  return `${threads} of ${counts}`
}

/**
 * What matters, for a question. Loaded again when something was read or arrived, and every minute: what was edited or
 * deleted meanwhile changes no count. Rows that were marked here keep their place until another question is asked, so
 * that nothing moves.
 */
export function useCatchUp(question: Question) {
  const t = useTexts('unread')
  const dispatch = useAppDispatch()
  const { keywords } = useSetting('notifications')
  const version = useUnreadVersion()
  const minute = useMinute()
  const { state } = useConnection()
  const isListed = useWindow('channels') !== undefined
  const seen = useAppSelector(({ views }) => views.catchUp.seen)
  const [known, setKnown] = useState<Known>()
  const [failed, setFailed] = useState(false)
  const [round, setRound] = useState(0)
  const marks = useMarks()
  const { forget } = marks
  const isAnnounced = useRef(false)
  const { since, barsFrom, unread, cid } = question
  const of = `${since} ${unread} ${cid ?? ''}`
  const asked = useRef<string>(undefined)
  // Changes when the same question is asked again.
  const turn = `${round} ${state} ${version} ${minute}`

  useEffect(() => {
    if (!isListed || turn === '') return undefined
    let live = true
    const ask = async (): Promise<void> => {
      const answer = await dispatch(loadCatchUp({ since, barsFrom, unread, cid, keywords, barCount: BAR_COUNT }))
      if (!live) return
      setFailed(!answer.ok)
      if (!answer.ok) return
      const isOther = asked.current !== of
      if (isOther) forget()
      asked.current = of
      setKnown((before) => ({ of, page: answer.value, items: merged(before, of, answer.value.items) }))
      if (isAnnounced.current && isOther) announce(t('since.result', { count: answer.value.items.length }))
      isAnnounced.current = false
    }
    const timer = asked.current === undefined ? void ask() : setTimeout(() => void ask(), SETTLE_MS)
    return () => {
      live = false
      clearTimeout(timer ?? undefined)
    }
  }, [dispatch, t, forget, isListed, since, barsFrom, unread, cid, keywords, of, turn])

  const current = new Set(known?.page.items.map(entryId))
  const entries = known?.items.flatMap((item): Entry[] => {
    const id = entryId(item)
    const state = marks.stateOf(item)
    // Read elsewhere, or seen before.
    if (state === 'open' && (!current.has(id) || (unread && seen.includes(seenKey(item))))) return []
    return [{ id, item, state: state === 'read' && !unread ? 'open' : state }]
  })
  return {
    page: known?.page,
    entries,
    failed,
    done: (rows: readonly Entry[]): Promise<boolean> => marks.done(rows, known?.items ?? []),
    undo: marks.undo,
    again: () => setRound((before) => before + 1),
    /** The number of messages is announced when the answer to another question comes. */
    announceNext: () => {
      isAnnounced.current = true
    },
  }
}

/** The same question: rows keep their order, new ones follow in their group. */
function merged(before: Known | undefined, of: string, items: readonly CatchUpItem[]): readonly CatchUpItem[] {
  if (before?.of !== of) return items
  const fresh = new Map(items.map((item) => [entryId(item), item]))
  const kept = before.items.map((item) => fresh.get(entryId(item)) ?? item)
  const known = new Set(kept.map(entryId))
  const added = items.filter((item) => !known.has(entryId(item)))
  return added.reduce<readonly CatchUpItem[]>((list, item) => {
    const at = list.findLastIndex(({ group }) => group === item.group)
    return at < 0 ? [...list, item] : list.toSpliced(at + 1, 0, item)
  }, kept)
}

/** What a read mark covered when it was made, by what happened; `place`: whose mark it was, absent for a row alone. */
type Marks = ReadonlyMap<string, { readonly isRow: boolean; readonly place?: string }>

/**
 * Marking rows as read. A read mark covers a whole conversation or thread: its other rows are read with it, and Undo brings
 * all of them back.
 */
function useMarks() {
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const [marks, setMarks] = useState<Marks>(new Map())
  const forget = useCallback(() => setMarks(new Map()), [])
  const see = (keys: readonly string[], isSeen: boolean): void => {
    const before = store.getState().views.catchUp.seen.filter((key) => !keys.includes(key))
    dispatch(catchUpChosen({ seen: isSeen ? [...before, ...keys] : before }))
  }
  const remove = (keys: readonly string[]): void => {
    setMarks((before) => new Map([...before].filter(([key]) => !keys.includes(key))))
    see(keys, false)
  }
  const hasUnread = ({ cid, parentId }: CatchUpItem): boolean =>
    parentId !== undefined || (store.getState().entities.channels[cid]?.unread ?? 0) > 0
  return {
    forget,
    stateOf: (item: CatchUpItem): Entry['state'] => {
      const mark = marks.get(seenKey(item))
      return mark === undefined ? 'open' : mark.isRow ? 'done' : 'read'
    },
    /** Resolves with whether all were marked. `known`: everything that is listed. */
    done: async (entries: readonly Entry[], known: readonly CatchUpItem[]): Promise<boolean> => {
      const rows = entries.map(({ item }) => item)
      // What happened to a message that is read: nothing is left to mark in its channel.
      const marked = rows.filter((item) => item.unread && hasUnread(item))
      const places = new Map(marked.map((item) => [placeKey(item), item]))
      const keys = rows.map(seenKey)
      const placeOf = (item: CatchUpItem) => ({ place: places.has(placeKey(item)) ? placeKey(item) : undefined })
      const beside = known.filter((item) => places.has(placeKey(item)) && !keys.includes(seenKey(item)))
      setMarks(
        (before) =>
          new Map([
            ...beside.map((item) => [seenKey(item), { isRow: false, ...placeOf(item) }] as const),
            ...before,
            ...rows.map((item) => [seenKey(item), { isRow: true, ...placeOf(item) }] as const),
          ]),
      )
      see(keys, true)
      const results = await Promise.all(
        [...places.values()].map(({ cid, parentId }) =>
          parentId === undefined ? dispatch(markChannelRead({ cid })) : dispatch(readThread({ cid, parentId })),
        ),
      )
      const isDone = results.every(({ ok }) => ok)
      if (!isDone) remove([...keys, ...beside.map(seenKey)])
      return isDone
    },
    undo: async ({ item }: Entry): Promise<boolean> => {
      const { cid, parentId, firstReplyId, messageId } = item
      const place = marks.get(seenKey(item))?.place
      const isBack =
        place === undefined
          ? true
          : parentId === undefined
            ? await dispatch(undoRead(cid))
            : (await dispatch(unreadThread({ cid, parentId, messageId: firstReplyId ?? messageId }))).ok
      if (!isBack) return false
      const together = place === undefined ? [] : [...marks].filter(([, mark]) => mark.place === place)
      remove([seenKey(item), ...together.map(([key]) => key)])
      return true
    },
  }
}

/** Loading what is older than this device has. */
export function useOlder(again: () => void, short: CatchUpPage['short']) {
  const dispatch = useAppDispatch()
  const [state, setState] = useState<{ readonly isLoading: boolean; readonly failed: readonly Cid[] }>({
    isLoading: false,
    failed: [],
  })
  return {
    isLoading: state.isLoading,
    failed: state.failed.filter((cid) => short.some((each) => each.cid === cid)),
    load: async (cids: readonly Cid[], since: number): Promise<void> => {
      setState({ isLoading: true, failed: [] })
      const answer = await dispatch(loadSince({ cids, since }))
      setState({ isLoading: false, failed: answer.ok ? answer.value : cids })
      again()
    },
  }
}

export type ListOptions = {
  readonly entries: readonly Entry[]
  readonly onDone: (entries: readonly Entry[]) => Promise<boolean>
  readonly onUndo: (entry: Entry) => Promise<boolean>
}

/** Focus, selection, and what keys and buttons of the rows do. */
export function useCatchUpList({ entries, onDone, onUndo }: ListOptions) {
  const t = useTexts('unread')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const ids = entries.map(({ id }) => id)
  const roving = useRoving({ ids, pageSize: 5 })
  const [replyTo, setReplyTo] = useState<string>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = entries.filter(({ id, state }) => chosen.has(id) && state === 'open')
  /** The next row that is not done takes the focus; without one, the Undo of this row. */
  const leave = (id: string): void => {
    const at = ids.indexOf(id)
    const left = (entry: Entry): boolean => entry.state === 'open' && entry.id !== id
    const next = entries.slice(at + 1).find(left) ?? entries.slice(0, at).findLast(left)
    roving.focus(next?.id ?? id)
  }
  const finish = async (rows: readonly Entry[]): Promise<void> => {
    const last = rows.at(-1)
    if (last === undefined) return
    leave(last.id)
    setChosen(new Set())
    if (!(await onDone(rows))) return
    const place = channelTitle(store.getState(), last.item.cid)
    announce(rows.length === 1 ? t('catchUp.marked', { place }) : t('rows.marked', { count: rows.length }))
  }
  const takeBack = async (entry: Entry): Promise<void> => {
    if (await onUndo(entry)) {
      announce(t('catchUp.again', { place: channelTitle(store.getState(), entry.item.cid) }))
      roving.focus(entry.id)
    }
  }
  const save = async (rows: readonly Entry[]): Promise<void> => {
    const done = await Promise.all(rows.map(({ item }) => dispatch(setReminder({ messageId: item.messageId }))))
    setChosen(new Set())
    if (done.every(({ ok }) => ok)) announce(t('rows.saved', { count: rows.length }))
  }
  const open = ({ item: { cid, parentId, messageId, reason } }: Entry): void => {
    dispatch(placeOpened(reason === 'thread' ? { cid, parentId } : { cid, parentId, messageId }))
  }
  const showBeside = ({ item: { cid, parentId, messageId } }: Entry): void => {
    dispatch(
      panelOpened(parentId === undefined ? { kind: 'context', cid, messageId } : { kind: 'thread', cid, parentId }),
    )
  }
  const reply = (entry: Entry | undefined): void => {
    if (entry === undefined && replyTo !== undefined) roving.focus(replyTo)
    setReplyTo(entry?.id)
    if (entry !== undefined) dispatch(focusRequested({ key: keyOfReply(entry.item) }))
  }
  const select = (id: string): void => {
    const next = new Set(selected.map((each) => each.id))
    if (!next.delete(id)) next.add(id)
    setChosen(next)
    announce(t('rows.selected', { count: next.size }))
  }
  const endSelection = (): void => setChosen(new Set())
  return {
    entries,
    ids,
    roving,
    selected,
    endSelection,
    replyTo,
    reply,
    finish,
    takeBack,
    save,
    open,
    showBeside,
    select,
  }
}

export type CatchUpList = ReturnType<typeof useCatchUpList>

/** What keys do on a row. Letters can be turned off. */
export function useListKeys({ entries, ids, roving, selected, ...acts }: CatchUpList): (event: KeyboardEvent) => void {
  const letterKeys = useSetting('letterKeys')
  const { endSelection, reply, finish, takeBack, save, showBeside, select } = acts
  const step = (id: string, by: 1 | -1): void => {
    const next = ids[ids.indexOf(id) + by]
    if (next !== undefined) roving.focus(next)
  }
  const onLetter = (entry: Entry, key: string): (() => void) | undefined => {
    const isOpen = entry.state === 'open'
    const letters: Readonly<Record<string, (() => void) | undefined>> = {
      j: () => step(entry.id, 1),
      k: () => step(entry.id, -1),
      e: isOpen && entry.item.unread ? () => void finish(selected.length > 0 ? selected : [entry]) : undefined,
      s: isOpen ? () => void save(selected.length > 0 ? selected : [entry]) : undefined,
      r: isOpen ? () => reply(entry) : undefined,
      x: isOpen ? () => select(entry.id) : undefined,
      u: () => {
        const done = nearestDone(entries, entry)
        if (done !== undefined) void takeBack(done)
      },
    }
    if (key === ' ') return isOpen ? () => showBeside(entry) : undefined
    if (key === 'Escape') return selected.length > 0 ? endSelection : undefined
    return letterKeys ? letters[key] : undefined
  }
  return (event) => {
    const target = event.target instanceof Element ? event.target : undefined
    const row = target?.closest('[data-reply]') === null ? target.closest('[data-catch-up]') : undefined
    const entry = entries.find(({ id }) => id === row?.getAttribute('data-catch-up'))
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey
    // Space presses a button of the row; on the row itself it opens beside.
    const isOnButton = target?.matches('[data-roving-id]') !== true
    const run =
      entry && isPlain && !(isOnButton && event.key === ' ') ? onLetter(entry, keyOf(event.nativeEvent)) : undefined
    if (run !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      return run()
    }
    roving.containerProps.onKeyDown(event)
  }
}

/** U on a row that is not done undoes the nearest done row above, else below. */
const nearestDone = (entries: readonly Entry[], entry: Entry): Entry | undefined =>
  entry.state === 'done'
    ? entry
    : (entries.slice(0, entries.indexOf(entry)).findLast(({ state }) => state === 'done') ??
      entries.find(({ state }) => state === 'done'))

/** A direct message is answered in its conversation, any other in its thread. */
export const replyPlace = ({ cid, parentId, messageId, reason }: CatchUpItem) =>
  reason === 'direct' ? { cid } : { cid, parentId: parentId ?? messageId }
const keyOfReply = (item: CatchUpItem): string => {
  const { cid, parentId } = replyPlace(item)
  return composerKey(cid, parentId)
}
