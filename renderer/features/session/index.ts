import { part } from '../../lib/page/part.tsx'

export { AddPeopleButton } from './AddPeopleButton.tsx'
export { AddPerson } from './AddPerson.tsx'
export { WorkspaceMenu } from './WorkspaceMenu.tsx'

/** Loaded on demand. */
export const Onboarding = part(async () => (await import('./Onboarding.tsx')).Onboarding)
