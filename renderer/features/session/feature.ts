import type { DeepLink } from '#shared/domain/desktop/desktop.ts'
import type session from '../../../resources/locales/en/session.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'
import { selectAccounts } from '../../store/accounts.ts'
import { selectSession } from '../../store/selectors.ts'
import type { AppState } from '../../store/store.ts'
import { dialogOpened } from '../../store/window/ui.ts'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    /** `adding`: opened to add a person, so the name field is focused. */
    'open-as': { readonly adding?: boolean }
    'create-workspace': NoProps
    /** Sharing of the workspace on the network. */
    share: NoProps
    /** Moves the workspace to another device. */
    'move-workspace': NoProps
    /** Takes back one that has moved. */
    'take-back': { readonly place: string; readonly name: string; readonly at: number }
    'delete-left': { readonly place: string; readonly name: string }
    'delete-demo': NoProps
    'restart-demo': NoProps
    /** A local workspace of this device. */
    'delete-workspace': { readonly account: string }
    /** `account`: another account; absent: the one of this window. */
    'sign-out': { readonly account?: string }
    /** A link that leads to another workspace. */
    elsewhere: { readonly link: DeepLink }
  }
}
declare module '../../store/window/kinds.ts' {
  interface Actions {
    share: void
  }
}
declare module '../../i18n/areas.ts' {
  interface Areas {
    session: typeof session
  }
}

/** An own workspace, in a window that was not opened as someone else of it. */
const isOwn = (state: AppState): boolean => {
  const { workspace } = selectSession(state)
  return workspace?.kind === 'local' && !workspace.demo && selectAccounts(state).shown !== undefined
}

export const sessionFeature = defineFeature({
  localeAreas: ['session'],
  actions: {
    share: {
      chords: [],
      group: 'window',
      order: 476,
      allowed: isOwn,
      run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'share' })),
    },
  },
  dialogs: {
    'open-as': part(async () => (await import('./OpenAsDialog.tsx')).OpenAsDialog),
    'create-workspace': part(async () => (await import('./ConfirmDialogs.tsx')).CreateWorkspaceDialog),
    share: part(async () => (await import('./sharing/ShareDialog.tsx')).ShareDialog),
    'move-workspace': part(async () => (await import('./moving/moving.tsx')).MoveWorkspace),
    'take-back': part(async () => (await import('./ConfirmDialogs.tsx')).TakeBackDialog),
    'delete-left': part(async () => (await import('./ConfirmDialogs.tsx')).DeleteLeftDialog),
    'delete-demo': part(async () => (await import('./ConfirmDialogs.tsx')).DeleteDemoDialog),
    'restart-demo': part(async () => (await import('./ConfirmDialogs.tsx')).RestartDemoDialog),
    'delete-workspace': part(async () => (await import('./ConfirmDialogs.tsx')).DeleteWorkspaceDialog),
    'sign-out': part(async () => (await import('./ConfirmDialogs.tsx')).SignOutDialog),
    elsewhere: part(async () => (await import('./ConfirmDialogs.tsx')).ElsewhereDialog),
  },
})
