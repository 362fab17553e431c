import {
  type ReactNode,
  useCallback,
  useMemo,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  useEffect,
  useRef,
} from 'react'
import { composerKey } from '#shared/domain/draft.ts'
import { type Message, comparePlaced } from '#shared/domain/message.ts'
import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import { isForm } from '#shared/rules/channels/capabilities.ts'
import { editBegun, focusRequested, quoteChosen, typed } from '../../../store/composers/composers.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { selectCanParticipate } from '../../../store/selectors.ts'
import { takeBackItem } from '../../../store/composers/unsent.ts'
import { forwardOpened, isShown, viewerOpened } from '../../../store/window/overlays.ts'
import { dialogOpened, markedUnreadByHand, panelOpened } from '../../../store/window/ui.ts'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { typedPart } from '../../../lib/page/part.tsx'
import { IconButton } from '../../../ui/Button/Button.tsx'
import { reactionTypeOf, recentIn } from '../../emoji/index.ts'
import { useToggleReaction } from '../reactions/index.ts'
import type { Overlay } from '../list/PaneOverlays.tsx'
import type { ListScope } from '../list/scope.ts'
import {
  type ActionId,
  actionOfKey,
  actionsFor,
  isQuickDelete,
  pictureOf,
  quickReactionOf,
  ACTIONS,
  BULK_ACTIONS,
  useKeycaps,
} from './actions.ts'
import { retryMessage, showAlsoInChannel, useMessageCommands, exportSelected } from './commands.ts'
import { useCopying, quoted } from './copy.ts'
import styles from './SelectionBar.module.css'

/** Menus and dialogs of a list, loaded with the first of them. */
export const PaneOverlays = typedPart(
  async () => (await import('../list/PaneOverlays.tsx')).PaneOverlays,
  // The focus stays where it is until a menu is there: a selected text stays selected.
  ({ overlay }) => overlay.kind !== 'menu',
)

type Options = {
  readonly cid: Cid
  readonly parentId: MessageId | undefined
  readonly viewerId: UserId | undefined
  readonly jump: (messageId: MessageId, from?: MessageId) => void
  readonly onUnreadFrom: ((messageId: MessageId) => void) | undefined
  /** Ids of the rows in list order. */
  readonly order: readonly string[]
}

export type PaneActions = {
  readonly scope: ListScope
  /** The row whose menu or picker is open. */
  readonly heldId: string | undefined
  readonly openMenuOf: (messageId: string, anchor: Element) => void
  /** Opens the reaction picker on a row, if reactions are allowed. */
  readonly reactTo: (messageId: string) => void
  /** Handles a key on a row; true if it did. */
  readonly onKey: (messageId: string, event: globalThis.KeyboardEvent, anchor: Element) => boolean
  readonly overlays: ReactNode
}

/** All actions on the messages of a list, by toolbar, menu or key, with their menus and dialogs. */
export function usePaneActions({ cid, parentId, viewerId, jump, onUnreadFrom, order }: Options): PaneActions {
  const store = useAppStore()
  const [overlay, setOverlay] = useState<Overlay>()
  const close = useCallback(() => setOverlay(undefined), [])
  const allowedFor = useCallback(
    (message: Message) =>
      actionsFor(message, {
        channel: store.getState().entities.channels[cid],
        viewerId,
        inThread: parentId !== undefined,
        readsOnly: !selectCanParticipate(store.getState()),
      }),
    [store, cid, viewerId, parentId],
  )
  const onDelete = useCallback((messages: readonly Message[]) => setOverlay({ kind: 'delete', messages }), [])
  const selected = useSelectedMessages({ allowedFor, order, onDelete })
  const { selection } = selected
  const act = useAct({ cid, parentId, onUnreadFrom, onSelect: selected.toggle, show: setOverlay })
  const actByKey = useKeyActions(allowedFor, act)
  const scope = useMemo<ListScope>(
    () => ({
      cid,
      parentId,
      viewerId,
      act,
      jump,
      selection,
      pick: selected.toggle,
      openMenu: (message, anchor) => {
        if (allowedFor(message).size > 0) setOverlay({ kind: 'menu', message, anchor })
      },
    }),
    [cid, parentId, viewerId, act, jump, allowedFor, selection, selected.toggle],
  )
  const messageOf = (id: string): Message | undefined => store.getState().entities.messages[id]
  return {
    scope,
    heldId: overlay === undefined || overlay.kind === 'delete' ? undefined : overlay.message.id,
    openMenuOf: (id, anchor) => {
      const message = messageOf(id)
      if (message !== undefined) scope.openMenu(message, anchor)
    },
    reactTo: (id) => {
      const message = messageOf(id)
      const row = message && rowOf(message.id)
      if (message && row && allowedFor(message).has('react')) act(message, 'react', row)
    },
    onKey: (id, event, anchor) => {
      if (selected.onKey(id, event)) return true
      const message = messageOf(id)
      return message !== undefined && actByKey(message, event, anchor)
    },
    overlays: (
      <>
        {overlay === undefined ? null : (
          <PaneOverlays
            overlay={overlay}
            allowed={overlay.kind === 'menu' ? allowedFor(overlay.message) : NO_ACTIONS}
            act={act}
            onDeleted={selected.clear}
            onClose={close}
          />
        )}
        <SelectionBar
          selection={selection}
          mayDelete={selected.mayDelete}
          run={selected.run}
          onClear={selected.clear}
        />
      </>
    ),
  }
}

type Act = ListScope['act']

type ActOptions = Pick<Options, 'cid' | 'parentId' | 'onUnreadFrom'> & {
  readonly onSelect: (messageId: string) => void
  readonly show: (overlay: Overlay) => void
}

/** Performs one action on one message. Stable identity while the options are. */
function useAct({ cid, parentId, onUnreadFrom, onSelect, show }: ActOptions): Act {
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const commands = useMessageCommands()
  const copying = useCopying()
  const quote = useQuote()
  return useCallback(
    (message, action, anchor) => {
      const one = { messageId: message.id }
      const key = composerKey(cid, parentId)
      const run: Readonly<Record<ActionId, () => void>> = {
        quote: () => quote(message, key),
        thread: () => {
          dispatch(panelOpened({ kind: 'thread', cid, parentId: message.id }))
          dispatch(focusRequested({ key: composerKey(cid, message.id) }))
        },
        react: () => show({ kind: 'picker', message, anchor }),
        edit: () => {
          if (isForm(message)) void dispatch(takeBackItem({ id: message.id }))
          else dispatch(editBegun({ key, ...one, text: message.text }))
        },
        pin: () => void commands.pin(message.id),
        unpin: () => void commands.unpin(message.id),
        unread: () => {
          if (parentId === undefined) dispatch(markedUnreadByHand({ cid }))
          void commands.markUnread({ cid, ...one, parentId })
          onUnreadFrom?.(message.id)
        },
        remind: () => show({ kind: 'remind', message, anchor }),
        forward: () => dispatch(forwardOpened({ messageIds: [message.id] })),
        also: () => void dispatch(showAlsoInChannel(message.id)),
        select: () => onSelect(message.id),
        copy: () => copying.one(message, 'plain'),
        markdown: () => copying.one(message, 'markdown'),
        picture: () => copying.picture(message, pictureOf(message)),
        link: () => copying.link(message),
        details: () => show({ kind: 'details', message }),
        profile: () => dispatch(dialogOpened({ kind: 'person', userId: message.userId })),
        why: () => dispatch(dialogOpened({ kind: 'why-notified', cid: message.cid, messageId: message.id })),
        report: () => dispatch(dialogOpened({ kind: 'report', target: { messageId: message.id } })),
        open: () => openLink(rowOf(message.id)),
        save: () => {
          const saved = store.getState().entities.reminders[message.id]
          if (saved === undefined || saved.doneAt !== undefined) void commands.save([message.id])
          else if (saved.remindAt === undefined) void commands.unsave(message.id)
        },
        viewer: () => {
          const first = message.attachments.find(isShown)
          if (first !== undefined) dispatch(viewerOpened({ cid: message.cid, ...one, index: first.index }))
        },
        retry: () => void dispatch(retryMessage(message.id)),
        // An unsent message is discarded without a question, because no one else has seen it.
        delete: () => {
          if (!isAnswer(message) && message.status === 'received') show({ kind: 'delete', messages: [message] })
          else void commands.delete([message])
        },
      }
      run[action]()
    },
    [dispatch, store, cid, parentId, onUnreadFrom, commands, copying, onSelect, show, quote],
  )
}

/** Quotes a message; selected text of it is also inserted into the composer as a quotation. */
function useQuote(): (message: Message, key: string) => void {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  return useCallback(
    (message, key) => {
      const fragment = selectedText(rowOf(message.id))
      dispatch(quoteChosen({ key, messageId: message.id }))
      announce(t('announce.quoted'))
      if (fragment === '') return
      const before = (store.getState().composers[key]?.text ?? '').trimEnd()
      const text = `${before === '' ? '' : `${before}\n\n`}${quoted(fragment)}\n\n`
      dispatch(typed({ key, text, caret: text.length }))
    },
    [dispatch, store, t],
  )
}

/** Keys on a row: digits react, some delete without a question, letters perform actions. True if the key was handled. */
function useKeyActions(allowedFor: (message: Message) => ReadonlySet<ActionId>, act: Act) {
  const toggle = useToggleReaction()
  const commands = useMessageCommands()
  const store = useAppStore()
  return (message: Message, event: globalThis.KeyboardEvent, anchor: Element): boolean => {
    const allowed = allowedFor(message)
    const quick = allowed.has('react') ? recentIn(store)[quickReactionOf(event) ?? -1] : undefined
    if (quick !== undefined) {
      void toggle(message.id, reactionTypeOf(quick))
      return true
    }
    // Select all, then Delete, is meant for the selected text, of which nothing can be deleted here.
    if (isDelete(event) && (window.getSelection()?.toString() ?? '') !== '') return true
    if (isQuickDelete(event) && allowed.has('delete')) {
      void commands.delete([message])
      return true
    }
    const action = actionOfKey(event, allowed)
    if (action === undefined) return false
    // With text selected, the system handles the copy keys.
    if (event.ctrlKey || event.metaKey) if ((window.getSelection()?.toString() ?? '') !== '') return false
    act(message, action, anchor)
    return true
  }
}

const isAnswer = ({ type }: Message): boolean => type === 'ephemeral' || type === 'error'

const isDelete = ({ key }: globalThis.KeyboardEvent): boolean => key === 'Delete' || key === 'Backspace'

const rowOf = (id: MessageId): Element | null => document.querySelector(`[data-message-id="${CSS.escape(id)}"]`)

/** Clicks the first link of a row, so that the key asks the same questions as a click. */
const openLink = (row: Element | null): void => row?.querySelector<HTMLElement>('a[href]')?.click()

const NO_ACTIONS: ReadonlySet<ActionId> = new Set()

/** The element of a row that contains its text. */
const TEXT_SELECTOR = '[data-message-text]'

/** The selected part of a message's text; empty when nothing is selected or the selection extends beyond the text. */
function selectedText(row: Element | null): string {
  const selection = window.getSelection()
  const text = row?.querySelector(TEXT_SELECTOR)
  if (!text || selection === null || selection.isCollapsed || selection.rangeCount === 0) return ''
  return text.contains(selection.getRangeAt(0).commonAncestorContainer) ? selection.toString().trim() : ''
}

type Props = {
  readonly selection: Selection
  readonly mayDelete: () => number
  readonly run: (action: BulkAction) => void
  readonly onClear: () => void
}

/** Actions on the selected messages; shown while any is selected. */
function SelectionBar({ selection, mayDelete, run, onClear }: Props) {
  const t = useTexts('messages')
  const keycapsOf = useKeycaps()
  const picked = useSyncExternalStore(selection.subscribe, selection.ids)
  if (picked.size === 0) return null
  const nothingToDelete = mayDelete() === 0
  return (
    <div
      className={styles['bar']}
      role="toolbar"
      tabIndex={-1}
      aria-label={t('select.label')}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClear()
      }}
    >
      <span className={styles['count']}>{t('select.count', { count: picked.size })}</span>
      {BULK_ACTIONS.map((action) => (
        <IconButton
          key={action}
          icon={ACTIONS[action].icon}
          label={action === 'delete' && nothingToDelete ? t('select.noDelete') : t(`actions.${action}`)}
          keys={keycapsOf(action)}
          tooltipSide="above"
          aria-disabled={(action === 'delete' && nothingToDelete) || undefined}
          onClick={() => run(action)}
        />
      ))}
      <IconButton icon="file-text" label={t('select.export')} tooltipSide="above" onClick={() => run('export')} />
      <IconButton icon="x" label={t('select.clear')} keys={['Esc']} tooltipSide="above" onClick={onClear} />
    </div>
  )
}

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

type BulkAction = (typeof BULK_ACTIONS)[number] | 'export'

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
function useSelectedMessages({ allowedFor, order, onDelete }: SelectedOptions): SelectedMessages {
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
