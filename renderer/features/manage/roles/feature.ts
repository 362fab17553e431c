import type { Cid, UserId } from '#shared/lib/brand.ts'
import type roles from '../../../../resources/locales/en/roles.json'
import { part } from '../../../lib/page/part.tsx'
import { defineFeature } from '../../../registry/feature.ts'

declare module '../../../store/window/kinds.ts' {
  interface ManagePages {
    roles: void
  }
  interface Dialogs {
    /** The role of a member in a channel. */
    memberRole: { readonly cid: Cid; readonly userId: UserId; readonly role: string }
  }
}
declare module '../../../i18n/areas.ts' {
  interface Areas {
    roles: typeof roles
  }
}

export const rolesFeature = defineFeature({
  localeAreas: ['roles'],
  dialogs: { memberRole: part(async () => (await import('./MemberRoleDialog.tsx')).MemberRoleDialog) },
  manage: {
    roles: {
      order: 120,
      icon: 'key',
      group: 'people',
      right: 'roles',
      component: part(async () => (await import('./RolesPage.tsx')).RolesPage),
    },
  },
})
