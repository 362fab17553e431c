import type { HostInfo } from '#shared/bridge/transport.ts'
import type { Effect } from '#shared/domain/changes.ts'
import type { OwnSound } from '#shared/domain/notification.ts'
import { ownSound } from '#shared/rules/notifications/notifying.ts'
import { deleteStored } from '../lib/page/stored.ts'
import { setSaving, setAway } from '../lib/page/environment.ts'
import { canSound, playSound } from '../lib/page/sounds.ts'
import { sendCommand } from '../store/commands.ts'
import { arrivalRemoved, arrivalNotified } from '../store/window/notices.ts'
import { openDestination } from '../store/window/destination.ts'
import { selectSettings } from '../store/selectors.ts'
import { loadSoundFile } from '../store/sound-file.ts'
import { updatesAnnounced, lockBegun } from '../store/window/host.ts'
import type { AppStore } from '../store/store.ts'

type NotifyEffect = Extract<Effect, { type: 'notify' }>

/** Runs one-time effects sent by main, such as navigation or a browser notification. */
export function createEffectRunner(store: AppStore, { capabilities }: HostInfo): (effect: Effect) => void {
  /** Notifications shown by the browser, by tag. */
  const shown = new Map<string, Notification>()
  const run = (effect: Effect): void => {
    switch (effect.type) {
      case 'notify':
        if (mayNotify(capabilities)) notifyByBrowser(store, shown, effect, () => run(effect.opens))
        else notifyInWindow(store, effect)
        break
      case 'sound':
        void play(store, effect.name)
        break
      case 'withdraw':
        shown.get(effect.tag)?.close()
        store.dispatch(arrivalRemoved({ tag: effect.tag }))
        break
      case 'away':
        setAway(effect.on)
        break
      case 'updates':
        store.dispatch(updatesAnnounced(effect.state))
        break
      case 'locking':
        store.dispatch(lockBegun())
        break
      case 'deleted':
        deleteStored(localStorage, effect.accounts)
        break
      case 'export':
        store.dispatch(sendCommand('exportProgressed', effect.progress))
        break
      case 'moving':
        store.dispatch(sendCommand('moveProgressed', effect.progress))
        break
      case 'sharing':
        store.dispatch(sendCommand('sharingChanged'))
        break
      case 'saving':
        setSaving(effect.on)
        break
      case 'focus':
      case 'command':
      case 'link':
      case 'account':
      case 'account-file':
      case 'catch-up':
        openDestination(store.dispatch, effect)
        break
    }
  }
  return run
}

/**
 * Where main has no notifications, the page shows them through the browser if the user allowed it. Where it has, the
 * system has just refused this one, and would refuse it again. Requesting permission needs a click, so it is not requested
 * here.
 */
function mayNotify({ nativeNotifications }: HostInfo['capabilities']): boolean {
  return !nativeNotifications && 'Notification' in window && Notification.permission === 'granted'
}

function notifyInWindow(store: AppStore, effect: NotifyEffect): void {
  playOwn(store, effect)
  const { title, body, tag, opens, reminds } = effect
  if (reminds && opens.type !== 'account') return
  store.dispatch(arrivalNotified({ title, body, tag, opens }))
}

function notifyByBrowser(
  store: AppStore,
  shown: Map<string, Notification>,
  effect: NotifyEffect,
  onClick: () => void,
): void {
  const { title, body, tag, sound } = effect
  const silent = playOwn(store, effect) || sound === 'none'
  const notification = new Notification(title, { body, tag, silent })
  shown.set(tag, notification)
  notification.addEventListener('close', () => shown.delete(tag))
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
    onClick()
  })
}

/** Returns whether Parlor plays its own sound. */
function playOwn(store: AppStore, { sound }: NotifyEffect): boolean {
  const own = ownSound(sound)
  if (own === undefined || !canSound()) return false
  void play(store, own)
  return true
}

function play(store: AppStore, name: OwnSound): Promise<void> {
  const { volume } = selectSettings(store.getState()).notifications.sounds
  return playSound(name, volume, async () => {
    const loaded = await store.dispatch(loadSoundFile())
    return loaded.ok ? loaded.value : undefined
  })
}
