export { CreateWorkspaceDialog, DeleteDemoDialog, SignOutDialog } from './ConfirmDialogs.tsx'
export { Onboarding } from './Onboarding.tsx'
export { OpenAsDialog } from './OpenAsDialog.tsx'
export { WorkspaceMenu } from './WorkspaceMenu.tsx'
