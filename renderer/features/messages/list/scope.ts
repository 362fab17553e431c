import { createContext, useContext } from 'react'
import { assert } from '#shared/lib/app-error.ts'
import type { Cid, MessageId, UserId } from '#shared/lib/brand.ts'
import type { Message } from '#shared/domain/message.ts'
import type { ActionId } from '../actions/actions.ts'
import type { Selection } from '../actions/selection.ts'

/** What the rows of one list share. Stable for the life of the list, so that rows do not render for it. */
export type ListScope = {
  readonly cid: Cid
  /** Set in a thread. */
  readonly parentId?: MessageId
  readonly viewerId: UserId | undefined
  /** Opens the menu of all actions beside an element or at a point. */
  readonly openMenu: (message: Message, anchor: Element | DOMRect) => void
  /** Does one action. `anchor` is what a picker opens beside. */
  readonly act: (message: Message, action: ActionId, anchor: Element) => void
  /** The messages picked to do one thing with all of them. */
  readonly selection: Selection
  /** Picks a message, or puts it back. */
  readonly pick: (messageId: MessageId) => void
  /** Brings a message into view, in this list or by loading around it. */
  readonly jump: (messageId: MessageId, from?: MessageId) => void
}

export const ScopeContext = createContext<ListScope | undefined>(undefined)

export function useScope(): ListScope {
  const scope = useContext(ScopeContext)
  assert(scope !== undefined, 'rows live inside a message list')
  return scope
}
