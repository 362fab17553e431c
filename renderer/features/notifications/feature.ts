import { nanoid } from '@reduxjs/toolkit'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { pausedUntil } from '#shared/rules/notifications/notifying.ts'
import type notifications from '../../../resources/locales/en/notifications.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature, type ActionContext } from '../../registry/feature.ts'
import { selectSettings } from '../../store/selectors.ts'
import { noticeRaised } from '../../store/window/notices.ts'
import { updateSettings } from '../settings/index.ts'
import { openPauseMenu } from '../sidebar/index.ts'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    /** Which messages of a channel notify. */
    'notify-level': { readonly cid: Cid }
    /** Why there was a notification about a message, or not. */
    'why-notified': { readonly cid: Cid; readonly messageId: MessageId }
  }
  interface Actions {
    pauseNotifications: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    notifications: typeof notifications
  }
}

/** Opens the choice of a pause; where the own portrait is not on screen, pauses for an hour, or resumes. */
function pauseOrResume({ dispatch, getState }: ActionContext): void {
  if (dispatch(openPauseMenu())) return
  const { notifications } = selectSettings(getState())
  const now = Date.now()
  const pause = notifications.pausedUntil <= now
  void dispatch(
    updateSettings({ notifications: { ...notifications, pausedUntil: pausedUntil(pause ? 'hour' : 'off', now) } }),
  )
  dispatch(
    noticeRaised({
      id: `local-${nanoid()}`,
      code: pause ? 'notifications/paused' : 'notifications/resumed',
      type: 'notifications:pause',
      severity: 'info',
      createdAt: now,
    }),
  )
}

export const notificationsFeature = defineFeature({
  localeAreas: ['notifications'],
  dialogs: {
    'notify-level': part(async () => (await import('./LevelChoice.tsx')).LevelDialog),
    'why-notified': part(async () => (await import('./WhyNotifiedDialog.tsx')).WhyNotifiedDialog),
  },
  actions: {
    pauseNotifications: { chords: ['Mod+Shift+Y'], group: 'window', order: 440, run: pauseOrResume },
  },
})
