import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Message } from '#shared/domain/message.ts'
import { comparePlaced } from '#shared/lib/order.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { forwardOpened } from '../../../store/window/overlays.ts'
import { actionOfKey, BULK_ACTIONS, type ActionId } from './actions.ts'
import { exportSelected, useMessageCommands } from './commands.ts'
import { useCopying } from './copy.ts'

/** Largest number of selected messages. */
const MAX_SELECTED = 100

/** The selected messages of one list. Outside of React state, so that selecting one renders one row. */
export class Selection {
  #picked: ReadonlySet<string> = new Set()
  /** Start of a range. */
  #anchor: string | undefined
  readonly #listeners = new Set<() => void>()

  /** Stable, for `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly ids = (): ReadonlySet<string> => this.#picked

  has(id: string): boolean {
    return this.#picked.has(id)
  }

  toggle(id: string): void {
    const next = new Set(this.#picked)
    if (!next.delete(id) && next.size < MAX_SELECTED) next.add(id)
    this.#anchor = id
    this.#put(next)
  }

  /** Selects everything between the anchor and `to`, in the order of the list. */
  extendTo(to: string, from: string, order: readonly string[]): void {
    const start = this.#anchor !== undefined && this.#picked.has(this.#anchor) ? this.#anchor : from
    this.#anchor = start
    const [low, high] = [order.indexOf(start), order.indexOf(to)].toSorted((a, b) => a - b)
    if (low === undefined || high === undefined || low < 0) return
    this.#put(new Set(order.slice(low, high + 1).slice(0, MAX_SELECTED)))
  }

  clear(): void {
    this.#anchor = undefined
    if (this.#picked.size > 0) this.#put(new Set())
  }

  #put(next: ReadonlySet<string>): void {
    this.#picked = next
    for (const listener of this.#listeners) listener()
  }
}

export type BulkAction = (typeof BULK_ACTIONS)[number] | 'export'

type SelectedOptions = {
  readonly allowedFor: (message: Message) => ReadonlySet<ActionId>
  readonly order: readonly string[]
  readonly onDelete: (messages: readonly Message[]) => void
}

type SelectedMessages = {
  readonly selection: Selection
  readonly toggle: (id: string) => void
  readonly clear: () => void
  readonly run: (action: BulkAction) => void
  /** How many of the selected messages the viewer may delete. */
  readonly mayDelete: () => number
  /** Handles a key of the selection; true if it did. */
  readonly onKey: (id: string, event: globalThis.KeyboardEvent) => boolean
}

const BULK: ReadonlySet<ActionId> = new Set(BULK_ACTIONS)

/** The selected messages and the actions on all of them. Stable identity. */
export function useSelectedMessages({ allowedFor, order, onDelete }: SelectedOptions): SelectedMessages {
  const t = useTexts('messages')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const copying = useCopying()
  const commands = useMessageCommands()
  const [selection] = useState(() => new Selection())
  const rows = useRef(order)
  useEffect(() => {
    rows.current = order
  }, [order])
  const announceCount = useCallback(() => announce(t('select.count', { count: selection.ids().size })), [t, selection])
  return useMemo(() => {
    const clear = (): void => selection.clear()
    const toggle = (id: string): void => {
      selection.toggle(id)
      announceCount()
    }
    const messages = (): readonly Message[] =>
      [...selection.ids()].flatMap((id) => store.getState().entities.messages[id] ?? []).toSorted(comparePlaced)
    const deletable = (): readonly Message[] => messages().filter((message) => allowedFor(message).has('delete'))
    const exportAll = async (selected: readonly Message[]): Promise<void> => {
      const [first] = selected
      if (first === undefined) return
      const done = await dispatch(exportSelected({ cid: first.cid, messageIds: selected.map(({ id }) => id) }))
      const saved = done.ok ? done.value.saved : undefined
      if (saved === undefined) return
      announce(t('select.exported', { count: saved.messages, file: saved.fileName }))
      clear()
    }
    const run = (action: BulkAction): void => {
      if (action === 'delete') {
        if (deletable().length > 0) onDelete(deletable())
        return
      }
      if (action === 'export') {
        void exportAll(messages())
        return
      }
      if (action === 'forward') {
        const sendable = messages().filter((message) => allowedFor(message).has('forward'))
        dispatch(forwardOpened({ messageIds: sendable.map(({ id }) => id) }))
      } else if (action === 'save') {
        const { reminders } = store.getState().entities
        const isSaved = ({ id }: Message): boolean => reminders[id] !== undefined && reminders[id].doneAt === undefined
        const fresh = messages().filter((message) => allowedFor(message).has('save') && !isSaved(message))
        void commands.save(fresh.map(({ id }) => id))
      } else copying.many(messages(), action === 'copy' ? 'plain' : 'markdown')
      clear()
    }
    const onKey = (id: string, event: globalThis.KeyboardEvent): boolean => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (plain && event.shiftKey && step !== 0) {
        const next = rows.current[rows.current.indexOf(id) + step]
        if (next !== undefined) selection.extendTo(next, id, rows.current)
        announceCount()
        return true
      }
      if (plain && event.key === ' ') {
        toggle(id)
        return true
      }
      if (selection.ids().size === 0) return false
      if (plain && event.key === 'Escape') {
        clear()
        announceCount()
        return true
      }
      const action = actionOfKey(event, BULK)
      if (action === undefined) return false
      run(action as BulkAction)
      return true
    }
    return { selection, toggle, clear, run, mayDelete: () => deletable().length, onKey }
  }, [selection, store, dispatch, copying, commands, allowedFor, onDelete, announceCount, t])
}
