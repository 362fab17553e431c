import { createContext, useContext } from 'react'
import { assert } from '#shared/lib/app-error.ts'
import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import type { Message } from '#shared/domain/message.ts'
import type { ActionId } from '../actions/actions.ts'
import type { Selection } from '../actions/use-pane-actions.tsx'

/** Shared by the rows of a list. Stable for the lifetime of the list, so that it never re-renders rows. */
export type ListScope = {
  readonly cid: Cid
  /** Set in a thread. */
  readonly parentId?: MessageId
  readonly viewerId: UserId | undefined
  /** Opens the menu of all actions beside an element or at a point. */
  readonly openMenu: (message: Message, anchor: Element | DOMRect) => void
  /** Performs an action. `anchor`: element beside which a picker opens. */
  readonly act: (message: Message, action: ActionId, anchor: Element) => void
  /** The selected messages. */
  readonly selection: Selection
  /** Toggles the selection of a message. */
  readonly pick: (messageId: MessageId) => void
  /** Jumps to a message, loading around it if needed. */
  readonly jump: (messageId: MessageId, from?: MessageId) => void
}

export const ScopeContext = createContext<ListScope | undefined>(undefined)

export function useScope(): ListScope {
  const scope = useContext(ScopeContext)
  assert(scope !== undefined, 'rows live inside a message list')
  return scope
}
