import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { composerKey } from '#shared/domain/draft.ts'
import type { Message } from '#shared/domain/message.ts'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/announce.ts'
import { editBegun, focusAsked, quoteChosen } from '../../store/composers.ts'
import { useAppDispatch, useAppStore } from '../../store/hooks.ts'
import { markedUnreadByHand, panelOpened } from '../../store/ui.ts'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { EmojiPopover, rememberEmoji } from '../emoji/index.ts'
import { toggleReaction } from '../reactions/index.ts'
import { actionOfKey, ACTIONS, actionsFor, MENU_GROUPS, type ActionId } from './actions.ts'
import { deleteMessage, markUnread, pinMessage, retryMessage } from './commands.ts'
import { copyText } from './copy.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import type { ListScope } from './scope.ts'

type Options = {
  readonly cid: Cid
  readonly parentId: MessageId | undefined
  readonly viewerId: string | undefined
  readonly jump: (messageId: MessageId, from?: MessageId) => void
  readonly onUnreadFrom: ((messageId: MessageId) => void) | undefined
}

export type PaneActions = {
  readonly scope: ListScope
  /** The row whose menu or picker is open. */
  readonly heldId: string | undefined
  readonly openMenuOf: (messageId: string, anchor: Element) => void
  /** Does what a key means for a row; true when it meant something. */
  readonly onKey: (messageId: string, event: globalThis.KeyboardEvent, anchor: Element) => boolean
  readonly overlays: ReactNode
}

type Overlay =
  | { readonly kind: 'menu'; readonly message: Message; readonly anchor: Element | DOMRect }
  | { readonly kind: 'picker'; readonly message: Message; readonly anchor: Element }
  | { readonly kind: 'delete'; readonly message: Message }

/** Everything one can do with a message of a list, by toolbar, menu or key, and the menus and questions that come with it. */
export function usePaneActions({ cid, parentId, viewerId, jump, onUnreadFrom }: Options): PaneActions {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const [overlay, setOverlay] = useState<Overlay>()
  const close = useCallback(() => setOverlay(undefined), [])
  const allowedFor = useCallback(
    (message: Message) =>
      actionsFor(message, {
        channel: store.getState().entities.channels[cid],
        viewerId,
        inThread: parentId !== undefined,
      }),
    [store, cid, viewerId, parentId],
  )
  const act = useCallback(
    (message: Message, action: ActionId, anchor: Element): void => {
      const one = { messageId: message.id }
      const key = composerKey(cid, parentId)
      const run: Readonly<Record<ActionId, () => void>> = {
        quote: () => dispatch(quoteChosen({ key, ...one })),
        thread: () => {
          dispatch(panelOpened({ kind: 'thread', cid, parentId: message.id }))
          dispatch(focusAsked({ key: composerKey(cid, message.id) }))
        },
        react: () => setOverlay({ kind: 'picker', message, anchor }),
        edit: () => dispatch(editBegun({ key, ...one, text: message.text })),
        pin: () => void dispatch(pinMessage({ ...one, pinned: true })),
        unpin: () => void dispatch(pinMessage({ ...one, pinned: false })),
        unread: () => {
          dispatch(markedUnreadByHand({ cid }))
          void dispatch(markUnread({ cid, ...one }))
          onUnreadFrom?.(message.id)
        },
        copy: () => {
          copyText(message.text).then(
            () => announce(t('copied')),
            () => announce(t('notCopied')),
          )
        },
        retry: () => void dispatch(retryMessage(message.id)),
        // An unsent message is only dropped: nobody else has seen it.
        delete: () =>
          message.status === 'received' ? setOverlay({ kind: 'delete', message }) : void dispatch(deleteMessage(one)),
      }
      run[action]()
    },
    [dispatch, cid, parentId, onUnreadFrom, t],
  )
  const scope = useMemo<ListScope>(
    () => ({
      cid,
      ...(parentId === undefined ? {} : { parentId }),
      viewerId,
      act,
      jump,
      openMenu: (message, anchor) => {
        if (allowedFor(message).size > 0) setOverlay({ kind: 'menu', message, anchor })
      },
    }),
    [cid, parentId, viewerId, act, jump, allowedFor],
  )
  const messageOf = (id: string): Message | undefined => store.getState().entities.messages[id]
  return {
    scope,
    heldId: overlay === undefined || overlay.kind === 'delete' ? undefined : overlay.message.id,
    openMenuOf: (id, anchor) => {
      const message = messageOf(id)
      if (message !== undefined) scope.openMenu(message, anchor)
    },
    onKey: (id, event, anchor) => {
      const message = messageOf(id)
      const action = message === undefined ? undefined : actionOfKey(event, allowedFor(message))
      if (message === undefined || action === undefined) return false
      // With text selected, the copy key is the system's.
      if (action === 'copy' && (window.getSelection()?.toString() ?? '') !== '') return false
      act(message, action, anchor)
      return true
    },
    overlays: (
      <Overlays
        overlay={overlay}
        allowed={overlay?.kind === 'menu' ? allowedFor(overlay.message) : NOTHING}
        act={act}
        onClose={close}
      />
    ),
  }
}

const NOTHING: ReadonlySet<ActionId> = new Set()

type OverlaysProps = {
  readonly overlay: Overlay | undefined
  readonly allowed: ReadonlySet<ActionId>
  readonly act: (message: Message, action: ActionId, anchor: Element) => void
  readonly onClose: () => void
}

function Overlays({ overlay, allowed, act, onClose }: OverlaysProps) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  if (overlay === undefined) return null
  const { message } = overlay
  if (overlay.kind === 'delete') {
    return (
      <DeleteDialog
        onDelete={() => {
          onClose()
          void dispatch(deleteMessage({ messageId: message.id }))
        }}
        onClose={onClose}
      />
    )
  }
  if (overlay.kind === 'picker') {
    return (
      <EmojiPopover
        anchor={overlay.anchor}
        onPick={(emoji) => {
          rememberEmoji(emoji)
          onClose()
          void dispatch(toggleReaction({ messageId: message.id, type: emoji }))
        }}
        onClose={onClose}
      />
    )
  }
  const rowOf = (): Element => document.querySelector(`[data-message-id="${CSS.escape(message.id)}"]`) ?? document.body
  const itemOf = (action: ActionId): MenuItem => ({
    id: action,
    label: t(`actions.${action === 'delete' ? 'deleteMenu' : action}`),
    icon: ACTIONS[action].icon,
    ...(ACTIONS[action].key === undefined ? {} : { keys: [ACTIONS[action].key.toUpperCase()] }),
    danger: action === 'delete',
    onSelect: () => act(message, action, rowOf()),
  })
  const groups = MENU_GROUPS.map((group) => group.filter((action) => allowed.has(action))).filter(
    (group) => group.length > 0,
  )
  const items = groups.flatMap((group, index): MenuItem[] => [
    ...(index === 0 ? [] : [{ kind: 'separator' as const, id: `gap-${index}` }]),
    ...group.map(itemOf),
  ])
  return <Menu label={t('actions.menu')} items={items} anchor={overlay.anchor} minWidth={240} onClose={onClose} />
}
