import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Message } from '#shared/domain/message.ts'
import { comparePlaced } from '#shared/lib/order.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { forwardOpened } from '../../../store/window/overlays.ts'
import { actionOfKey, BULK_ACTIONS, type ActionId } from './actions.ts'
import { exportPicked, saveMessage } from './commands.ts'
import { Selection } from './selection.ts'
import { useCopying } from './use-copying.ts'

export type BulkAction = (typeof BULK_ACTIONS)[number] | 'export'

type Options = {
  readonly allowedFor: (message: Message) => ReadonlySet<ActionId>
  readonly order: readonly string[]
  readonly onDelete: (messages: readonly Message[]) => void
}

type Picked = {
  readonly selection: Selection
  readonly toggle: (id: string) => void
  readonly clear: () => void
  readonly run: (action: BulkAction) => void
  /** How many of the picked ones the viewer may delete. */
  readonly mayDelete: () => number
  /** Does what a key means for the selection; true when it meant something. */
  readonly onKey: (id: string, event: globalThis.KeyboardEvent) => boolean
}

const BULK: ReadonlySet<ActionId> = new Set(BULK_ACTIONS)

/** Several messages picked, and what is done with all of them. Stable. */
export function usePicked({ allowedFor, order, onDelete }: Options): Picked {
  const t = useTexts('messages')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const copying = useCopying()
  const [selection] = useState(() => new Selection())
  const rows = useRef(order)
  useEffect(() => {
    rows.current = order
  }, [order])
  const say = useCallback(() => announce(t('select.count', { count: selection.ids().size })), [t, selection])
  return useMemo(() => {
    const clear = (): void => selection.clear()
    const toggle = (id: string): void => {
      selection.toggle(id)
      say()
    }
    const messages = (): readonly Message[] =>
      [...selection.ids()].flatMap((id) => store.getState().entities.messages[id] ?? []).toSorted(comparePlaced)
    const deletable = (): readonly Message[] => messages().filter((message) => allowedFor(message).has('delete'))
    const write = async (picked: readonly Message[]): Promise<void> => {
      const [first] = picked
      if (first === undefined) return
      const done = await dispatch(exportPicked({ cid: first.cid, messageIds: picked.map(({ id }) => id) }))
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
        void write(messages())
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
      } else copying.many(messages(), action === 'copy' ? 'words' : 'markdown')
      clear()
    }
    const onKey = (id: string, event: globalThis.KeyboardEvent): boolean => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (plain && event.shiftKey && step !== 0) {
        const next = rows.current[rows.current.indexOf(id) + step]
        if (next !== undefined) selection.extendTo(next, id, rows.current)
        say()
        return true
      }
      if (plain && event.key === ' ') {
        toggle(id)
        return true
      }
      if (selection.ids().size === 0) return false
      if (plain && event.key === 'Escape') {
        clear()
        say()
        return true
      }
      const action = actionOfKey(event, BULK)
      if (action === undefined) return false
      run(action as BulkAction)
      return true
    }
    return { selection, toggle, clear, run, mayDelete: () => deletable().length, onKey }
  }, [selection, store, dispatch, copying, allowedFor, onDelete, say, t])
}
