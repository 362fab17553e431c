import type { Cid, UserId } from '#shared/lib/brand.ts'
import type bans from '../../../resources/locales/en/bans.json'
import type campaigns from '../../../resources/locales/en/campaigns.json'
import type directory from '../../../resources/locales/en/directory.json'
import type groups from '../../../resources/locales/en/groups.json'
import type history from '../../../resources/locales/en/history.json'
import type imports from '../../../resources/locales/en/imports.json'
import type integrations from '../../../resources/locales/en/integrations.json'
import type manage from '../../../resources/locales/en/manage.json'
import type review from '../../../resources/locales/en/review.json'
import type roles from '../../../resources/locales/en/roles.json'
import type rules from '../../../resources/locales/en/rules.json'
import type segments from '../../../resources/locales/en/segments.json'
import type workspace from '../../../resources/locales/en/workspace.json'
import { useTexts } from '../../i18n/index.ts'
import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'
import { routeOpened } from '../../store/window/ui.ts'
import type { DirectoryList } from './directory/DirectoryPage.tsx'
import { ManageNav } from './index.ts'
import { selectManage, useManage } from './state.ts'

declare module '../../i18n/areas.ts' {
  interface Areas {
    bans: typeof bans
    campaigns: typeof campaigns
    directory: typeof directory
    groups: typeof groups
    history: typeof history
    imports: typeof imports
    integrations: typeof integrations
    manage: typeof manage
    review: typeof review
    roles: typeof roles
    rules: typeof rules
    segments: typeof segments
    workspace: typeof workspace
  }
}
declare module '../../store/window/kinds.ts' {
  interface Actions {
    manage: void
  }
  interface ManagePages {
    review: void
    rules: void
    bans: void
    history: void
    people: DirectoryList
    roles: void
    groups: void
    campaigns: void
    segments: void
    types: void
    commands: void
    integrations: void
    polls: void
    uploads: void
    imports: void
  }
  interface Dialogs {
    reviewKeys: NoProps
    /** What the viewer reported, and what became of it. */
    myReports: NoProps
    'add-to-directory': NoProps
    'deactivate-people': { readonly userIds: readonly UserId[] }
    'reactivate-people': { readonly userIds: readonly UserId[] }
    'delete-people': { readonly userIds: readonly UserId[] }
    'change-role': { readonly userIds: readonly UserId[] }
    'sign-out-person': { readonly userId: UserId }
    'issue-token': { readonly userId: UserId }
    /** The role of a member in a channel. */
    memberRole: { readonly cid: Cid; readonly userId: UserId; readonly role: string }
    'add-to-segment': { readonly userIds: readonly UserId[] }
  }
}

const HOME = routeOpened({ view: 'manage', page: 'review' })
const ManageView = part(async () => (await import('./Manage.tsx')).ManageView)

/** Administration, whose pages, with what they open, load as they are opened. */
export const manageFeature = defineFeature({
  localeAreas: [
    'bans',
    'campaigns',
    'directory',
    'groups',
    'history',
    'imports',
    'integrations',
    'manage',
    'review',
    'roles',
    'rules',
    'segments',
    'workspace',
  ],
  routes: { manage: { component: ManageView, Nav: ManageNav, action: 'manage' } },
  actions: {
    manage: {
      chords: [],
      group: 'navigation',
      order: 205,
      allowed: (state) => selectManage(state) !== undefined,
      run: ({ dispatch }) => void dispatch(HOME),
    },
  },
  sidebar: [
    {
      id: 'manage',
      order: 80,
      icon: 'shield',
      open: HOME,
      view: 'manage',
      shown: (state) => selectManage(state) !== undefined,
      Content({ children }) {
        const t = useTexts('manage')
        const waiting = useManage()?.waiting ?? 0
        if (waiting === 0) return children({ title: t('title') })
        return children({
          title: t('title'),
          label: t('sidebar', { count: waiting }),
          count: waiting,
          end: { count: waiting, tone: 'unread' },
        })
      },
    },
  ],
  manage: {
    review: {
      order: 10,
      icon: 'shield',
      group: 'moderation',
      right: 'review',
      counts: 'review',
      staysOpen: true,
      component: part(async () => (await import('./review/ReviewPage.tsx')).ReviewPage),
    },
    rules: {
      order: 20,
      icon: 'filter',
      group: 'moderation',
      right: 'rules',
      component: part(async () => (await import('./rules/RulesPage.tsx')).RulesPage),
    },
    bans: {
      order: 30,
      icon: 'ban',
      group: 'moderation',
      right: 'review',
      component: part(async () => (await import('./bans/BansPage.tsx')).BansPage),
    },
    history: {
      order: 40,
      icon: 'history',
      group: 'moderation',
      right: 'history',
      component: part(async () => (await import('./history/HistoryPage.tsx')).HistoryPage),
    },
    people: {
      order: 110,
      icon: 'users',
      group: 'people',
      right: 'people',
      component: part(async () => (await import('./directory/DirectoryPage.tsx')).DirectoryPage),
    },
    roles: {
      order: 120,
      icon: 'key',
      group: 'people',
      right: 'roles',
      component: part(async () => (await import('./roles/RolesPage.tsx')).RolesPage),
    },
    groups: {
      order: 130,
      icon: 'at',
      group: 'people',
      right: 'people',
      component: part(async () => (await import('./groups/GroupsPage.tsx')).GroupsPage),
    },
    campaigns: {
      order: 200,
      icon: 'megaphone',
      group: 'messaging',
      right: 'campaigns',
      component: part(async () => (await import('./campaigns/CampaignsPage.tsx')).CampaignsPage),
    },
    segments: {
      order: 220,
      icon: 'segments',
      group: 'messaging',
      right: 'campaigns',
      component: part(async () => (await import('./segments/SegmentsPage.tsx')).SegmentsPage),
    },
    types: {
      order: 310,
      group: 'workspace',
      right: 'settings',
      icon: 'hash',
      component: part(async () => (await import('./workspace/TypesPage.tsx')).TypesPage),
    },
    commands: {
      order: 320,
      group: 'workspace',
      right: 'settings',
      icon: 'slash',
      component: part(async () => (await import('./workspace/CommandsPage.tsx')).CommandsPage),
    },
    integrations: {
      order: 330,
      icon: 'plug',
      group: 'workspace',
      right: 'integrations',
      component: part(async () => (await import('./integrations/IntegrationsPage.tsx')).IntegrationsPage),
    },
    polls: {
      order: 330,
      group: 'workspace',
      right: 'settings',
      icon: 'poll',
      component: part(async () => (await import('./workspace/PollsPage.tsx')).PollsPage),
    },
    uploads: {
      order: 340,
      group: 'workspace',
      right: 'settings',
      icon: 'settings',
      component: part(async () => (await import('./workspace/LimitsPage.tsx')).LimitsPage),
    },
    imports: {
      order: 350,
      icon: 'upload',
      group: 'workspace',
      right: 'imports',
      staysOpen: true,
      component: part(async () => (await import('./imports/ImportsPage.tsx')).ImportsPage),
    },
  },
  dialogs: {
    reviewKeys: part(async () => (await import('./review/Keys.tsx')).KeysDialog),
    myReports: part(async () => (await import('./review/MyReports.tsx')).MyReports),
    'add-to-directory': part(async () => (await import('./directory/AddToDirectory.tsx')).AddToDirectory),
    'deactivate-people': part(async () => (await import('./directory/PeopleDialogs.tsx')).DeactivateDialog),
    'reactivate-people': part(async () => (await import('./directory/PeopleDialogs.tsx')).ReactivateDialog),
    'delete-people': part(async () => (await import('./directory/PeopleDialogs.tsx')).DeleteDialog),
    'change-role': part(async () => (await import('./directory/PeopleDialogs.tsx')).ChangeRoleDialog),
    'sign-out-person': part(async () => (await import('./directory/PeopleDialogs.tsx')).SignOutPersonDialog),
    'issue-token': part(async () => (await import('./directory/PeopleDialogs.tsx')).IssueTokenDialog),
    memberRole: part(async () => (await import('./roles/MemberRoleDialog.tsx')).MemberRoleDialog),
    'add-to-segment': part(async () => (await import('./segments/SegmentDialogs.tsx')).AddToSegment),
  },
})
