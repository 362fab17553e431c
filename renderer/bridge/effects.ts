import type { Effect } from '#shared/domain/changes.ts'
import { setSaving } from '../lib/saving.ts'
import { arrivalGone, arrivalTold } from '../store/arrivals.ts'
import { openDestination } from '../store/destination.ts'
import type { AppStore } from '../store/store.ts'

type NotifyEffect = Extract<Effect, { type: 'notify' }>

/** Carries out what main asks for once: go somewhere, show a browser notification. */
export function makeEffectRunner(store: AppStore): (effect: Effect) => void {
  const run = (effect: Effect): void => {
    switch (effect.type) {
      case 'notify':
        notify(store, effect, () => run(effect.opens))
        break
      case 'withdraw':
        withdraw(store, effect.tag)
        break
      case 'saving':
        setSaving(effect.on)
        break
      case 'focus':
      case 'command':
      case 'link':
        openDestination(store.dispatch, effect)
        break
    }
  }
  return run
}

/**
 * Where main has no notifications of the system, the page shows them: by the browser where the person allowed it, else
 * inside the window. Asking for permission needs a click, so nothing is asked here.
 */
function notify({ dispatch }: AppStore, { title, body, tag, opens }: NotifyEffect, onClick: () => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') {
    dispatch(arrivalTold({ title, body, tag, opens }))
    return
  }
  const notification = new Notification(title, { body, tag })
  shownByBrowser.set(tag, notification)
  notification.addEventListener('close', () => shownByBrowser.delete(tag))
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
    onClick()
  })
}

const shownByBrowser = new Map<string, Notification>()

function withdraw({ dispatch }: AppStore, tag: string): void {
  shownByBrowser.get(tag)?.close()
  dispatch(arrivalGone({ tag }))
}
