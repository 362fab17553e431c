import type { Destination } from '#shared/domain/changes.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { AppDispatch } from './store.ts'
import { jumpAsked, panelOpened, routeOpened } from './ui.ts'

/** The road of a clicked notification and of a deep link: a message, a channel, or an action by its name. */
export function openDestination(dispatch: AppDispatch, destination: Destination): void {
  if (destination.type === 'command') {
    // Native menus name actions of the registry too; it listens to this event.
    window.dispatchEvent(new CustomEvent('parlor:action', { detail: destination.action }))
    return
  }
  const cid = asCid(destination.cid)
  const parentId = destination.parentId === undefined ? undefined : asMessageId(destination.parentId)
  dispatch(routeOpened({ view: 'channel', cid }))
  if (parentId !== undefined) dispatch(panelOpened({ kind: 'thread', cid, parentId }))
  if (destination.messageId === undefined) return
  const messageId = asMessageId(destination.messageId)
  dispatch(jumpAsked({ cid, messageId, ...(parentId === undefined ? {} : { parentId }) }))
}
