import { type ReactNode, useCallback, useMemo, useState, useSyncExternalStore, type KeyboardEvent } from 'react'
import { composerKey } from '#shared/domain/draft.ts'
import type { Message } from '#shared/domain/message.ts'
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
import { retryMessage, showAlsoInChannel, useMessageCommands } from './commands.ts'
import { useCopying, quoted } from './copy.ts'
import { useSelectedMessages, type Selection, type BulkAction } from './selection.ts'
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
