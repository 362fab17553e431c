import type { DeepLink } from '#shared/domain/desktop/desktop.ts'
import type session from '../../../resources/locales/en/session.json'
import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'

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
declare module '../../i18n/areas.ts' {
  interface Areas {
    session: typeof session
  }
}

export const sessionFeature = defineFeature({
  localeAreas: ['session'],
  dialogs: {
    'open-as': part(async () => (await import('./OpenAsDialog.tsx')).OpenAsDialog),
    'create-workspace': part(async () => (await import('./ConfirmDialogs.tsx')).CreateWorkspaceDialog),
    share: part(async () => (await import('./sharing/ShareDialog.tsx')).ShareDialog),
    'move-workspace': part(async () => (await import('./moving/MoveWorkspace.tsx')).MoveWorkspace),
    'take-back': part(async () => (await import('./ConfirmDialogs.tsx')).TakeBackDialog),
    'delete-demo': part(async () => (await import('./ConfirmDialogs.tsx')).DeleteDemoDialog),
    'restart-demo': part(async () => (await import('./ConfirmDialogs.tsx')).RestartDemoDialog),
    'delete-workspace': part(async () => (await import('./ConfirmDialogs.tsx')).DeleteWorkspaceDialog),
    'sign-out': part(async () => (await import('./ConfirmDialogs.tsx')).SignOutDialog),
    elsewhere: part(async () => (await import('./ConfirmDialogs.tsx')).ElsewhereDialog),
  },
})
