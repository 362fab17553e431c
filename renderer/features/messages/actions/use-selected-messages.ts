import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Message } from '#shared/domain/message.ts'
import { comparePlaced } from '#shared/lib/order.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { forwardOpened } from '../../../store/window/overlays.ts'
import { actionOfKey, BULK_ACTIONS, type ActionId } from './actions.ts'
import { exportSelected, saveMessage } from './commands.ts'
import { Selection } from './selection.ts'
import { useCopying } from './use-copying.ts'

export type BulkAction = (typeof BULK_ACTIONS)[number] | 'export'

type Options = {
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
export function useSelectedMessages({ allowedFor, order, onDelete }: Options): SelectedMessages {
  const t = useTexts('messages')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const copying = useCopying()
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
        for (const { id } of fresh) void dispatch(saveMessage({ messageId: id }))
        announce(t('select.saved', { count: fresh.length }))
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
  }, [selection, store, dispatch, copying, allowedFor, onDelete, announceCount, t])
}
