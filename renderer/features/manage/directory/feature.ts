import type { UserId } from '#shared/lib/brand.ts'
import type directory from '../../../../resources/locales/en/directory.json'
import { part } from '../../../lib/page/part.tsx'
import { defineFeature } from '../../../registry/feature.ts'
import type { DirectoryList } from './DirectoryPage.tsx'

declare module '../../../store/window/kinds.ts' {
  interface ManagePages {
    people: DirectoryList
  }
  interface Dialogs {
    'add-to-directory': NoProps
    'deactivate-people': { readonly userIds: readonly UserId[] }
    'reactivate-people': { readonly userIds: readonly UserId[] }
    'delete-people': { readonly userIds: readonly UserId[] }
    'change-role': { readonly userIds: readonly UserId[] }
    'sign-out-person': { readonly userId: UserId }
    'issue-token': { readonly userId: UserId }
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    directory: typeof directory
  }
}

export const directoryFeature = defineFeature({
  localeAreas: ['directory'],
  manage: {
    people: {
      order: 110,
      icon: 'users',
      group: 'people',
      right: 'people',
      component: part(async () => (await import('./DirectoryPage.tsx')).DirectoryPage),
    },
  },
  dialogs: {
    'add-to-directory': part(async () => (await import('./AddToDirectory.tsx')).AddToDirectory),
    'deactivate-people': part(async () => (await import('./PeopleDialogs.tsx')).DeactivateDialog),
    'reactivate-people': part(async () => (await import('./PeopleDialogs.tsx')).ReactivateDialog),
    'delete-people': part(async () => (await import('./PeopleDialogs.tsx')).DeleteDialog),
    'change-role': part(async () => (await import('./PeopleDialogs.tsx')).ChangeRoleDialog),
    'sign-out-person': part(async () => (await import('./PeopleDialogs.tsx')).SignOutPersonDialog),
    'issue-token': part(async () => (await import('./PeopleDialogs.tsx')).IssueTokenDialog),
  },
})
