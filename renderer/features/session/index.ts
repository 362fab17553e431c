import { lazy } from 'react'

export { AddPeopleButton } from './AddPeopleButton.tsx'
export { AddPerson } from './AddPerson.tsx'
export { WorkspaceMenu } from './WorkspaceMenu.tsx'

/** Loaded when they are asked for. */
export const Onboarding = lazy(async () => ({ default: (await import('./Onboarding.tsx')).Onboarding }))
export const CreateWorkspaceDialog = lazy(async () => ({
  default: (await import('./ConfirmDialogs.tsx')).CreateWorkspaceDialog,
}))
export const DeleteDemoDialog = lazy(async () => ({ default: (await import('./ConfirmDialogs.tsx')).DeleteDemoDialog }))
export const DeleteWorkspaceDialog = lazy(async () => ({
  default: (await import('./ConfirmDialogs.tsx')).DeleteWorkspaceDialog,
}))
export const SignOutDialog = lazy(async () => ({ default: (await import('./ConfirmDialogs.tsx')).SignOutDialog }))
export const ElsewhereDialog = lazy(async () => ({ default: (await import('./ElsewhereDialog.tsx')).ElsewhereDialog }))
export const OpenAsDialog = lazy(async () => ({ default: (await import('./OpenAsDialog.tsx')).OpenAsDialog }))
