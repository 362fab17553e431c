import { useState, type KeyboardEvent } from 'react'
import { composerKey } from '#shared/domain/draft.ts'
import type { CatchUpItem } from '#shared/domain/unread.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { keyOf } from '../../lib/text/chords.ts'
import { focusRequested } from '../../store/composers/composers.ts'
import { useAppDispatch, useAppStore, useSetting } from '../../store/hooks.ts'
import { panelOpened, placeOpened } from '../../store/window/ui.ts'
import { setReminder } from '../reminders/index.ts'
import { channelTitle } from '../sidebar/index.ts'
import type { Entry } from './use-catch-up.ts'

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
