import { part } from '../../lib/page/part.tsx'

export { AddPeopleButton, WorkspaceMenu } from './WorkspaceMenu.tsx'
export { AddPerson } from './AddPerson.tsx'
export { DemoBar } from './DemoBar.tsx'
export { SharingChip } from './sharing/SharingChip.tsx'

/** Loaded on demand. */
export const KnockToasts = part(async () => (await import('./sharing/KnockToasts.tsx')).KnockToasts)
export const Onboarding = part(async () => (await import('./Onboarding.tsx')).Onboarding)
