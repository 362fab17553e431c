import { part } from '../../lib/page/part.tsx'

export { AddPeopleButton } from './AddPeopleButton.tsx'
export { AddPerson } from './AddPerson.tsx'
export { WorkspaceMenu } from './WorkspaceMenu.tsx'

/** Loaded on demand. */
export const Onboarding = part(async () => (await import('./Onboarding.tsx')).Onboarding)
export const CreateWorkspaceDialog = part(async () => (await import('./ConfirmDialogs.tsx')).CreateWorkspaceDialog)
export const DeleteDemoDialog = part(async () => (await import('./ConfirmDialogs.tsx')).DeleteDemoDialog)
export const DeleteWorkspaceDialog = part(async () => (await import('./ConfirmDialogs.tsx')).DeleteWorkspaceDialog)
export const SignOutDialog = part(async () => (await import('./ConfirmDialogs.tsx')).SignOutDialog)
export const ElsewhereDialog = part(async () => (await import('./ElsewhereDialog.tsx')).ElsewhereDialog)
export const OpenAsDialog = part(async () => (await import('./OpenAsDialog.tsx')).OpenAsDialog)
