import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Effect } from '#shared/domain/changes.ts'
import type { AppStore } from '../store/store.ts'
import { jumpAsked, panelOpened, routeOpened } from '../store/ui.ts'

type FocusEffect = Extract<Effect, { type: 'focus' }>
type NotifyEffect = Extract<Effect, { type: 'notify' }>

/** Carries out what main asks for once: go somewhere, show a browser notification. */
export function makeEffectRunner(store: AppStore): (effect: Effect) => void {
  const run = (effect: Effect): void => {
    switch (effect.type) {
      case 'focus':
        go(store, effect)
        break
      case 'notify':
        notify(effect, () => run(effect.opens))
        break
      case 'command':
        // Native menus name actions of the registry; it listens to this event.
        window.dispatchEvent(new CustomEvent('parlor:action', { detail: effect.action }))
        break
    }
  }
  return run
}

/** The road of a clicked notification and of a deep link. */
function go({ dispatch }: AppStore, { cid, messageId, parentId }: FocusEffect): void {
  dispatch(routeOpened({ view: 'channel', cid: asCid(cid) }))
  if (parentId !== undefined) {
    dispatch(panelOpened({ kind: 'thread', cid: asCid(cid), parentId: asMessageId(parentId) }))
  }
  if (messageId !== undefined) {
    dispatch(
      jumpAsked({
        cid: asCid(cid),
        messageId: asMessageId(messageId),
        ...(parentId === undefined ? {} : { parentId: asMessageId(parentId) }),
      }),
    )
  }
}

/** Only in the browser host: Electron shows its own. Asking for permission needs a click, so nothing is asked here. */
function notify({ title, body, tag }: NotifyEffect, onClick: () => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const notification = new Notification(title, { body, tag })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
    onClick()
  })
}
