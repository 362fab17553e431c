import { accountsFeature } from '../features/accounts/feature.ts'
import { attachmentsFeature } from '../features/attachments/feature.ts'
import { bansFeature } from '../features/manage/bans/feature.ts'
import { browseFeature } from '../features/browse/feature.ts'
import { campaignsFeature } from '../features/manage/campaigns/feature.ts'
import { channelFeature } from '../features/channel/feature.tsx'
import { composerFeature } from '../features/composer/feature.ts'
import { directoryFeature } from '../features/manage/directory/feature.ts'
import { emojiFeature } from '../features/emoji/feature.ts'
import { gettingStartedFeature } from '../features/channel/getting-started/feature.ts'
import { groupsFeature } from '../features/manage/groups/feature.ts'
import { historyFeature } from '../features/manage/history/feature.ts'
import { importsFeature } from '../features/manage/imports/feature.ts'
import { integrationsFeature } from '../features/manage/integrations/feature.ts'
import { laterFeature } from '../features/later/feature.ts'
import { locationsFeature } from '../features/locations/feature.ts'
import { lockFeature } from '../features/lock/feature.ts'
import { manageFeature } from '../features/manage/feature.ts'
import { messagesFeature } from '../features/messages/feature.ts'
import { noticesFeature } from '../features/notices/feature.ts'
import { notificationsFeature } from '../features/notifications/feature.ts'
import { outboxFeature } from '../features/outbox/feature.ts'
import { peopleFeature } from '../features/people/feature.ts'
import { pollsFeature } from '../features/polls/feature.ts'
import { remindersFeature } from '../features/reminders/feature.ts'
import { reviewFeature } from '../features/manage/review/feature.ts'
import { rolesFeature } from '../features/manage/roles/feature.ts'
import { rulesFeature } from '../features/manage/rules/feature.ts'
import { searchFeature } from '../features/search/feature.tsx'
import { segmentsFeature } from '../features/manage/segments/feature.ts'
import { sessionFeature } from '../features/session/feature.ts'
import { settingsFeature } from '../features/settings/feature.tsx'
import { sidebarFeature } from '../features/sidebar/feature.ts'
import { switcherFeature } from '../features/switcher/feature.tsx'
import { threadsFeature } from '../features/threads/feature.ts'
import { typingFeature } from '../features/typing/feature.ts'
import { unreadFeature } from '../features/unread/feature.ts'
import { updatesFeature } from '../features/updates/feature.ts'
import { windowsFeature } from '../features/windows/feature.ts'
import { workspaceFeature } from '../features/manage/workspace/feature.ts'
import { type Feature, type Parts, createRegistry, type Registry } from '../registry/feature.ts'
import type { Actions, Dialogs, ManagePages, Panels, Routes, SettingsPages } from '../store/window/kinds.ts'
import { layoutFeature } from './layout/feature.tsx'

/** The features of the window. A new one is one line here. */
export const FEATURES = [
  accountsFeature,
  attachmentsFeature,
  bansFeature,
  browseFeature,
  campaignsFeature,
  channelFeature,
  composerFeature,
  directoryFeature,
  emojiFeature,
  gettingStartedFeature,
  groupsFeature,
  historyFeature,
  importsFeature,
  integrationsFeature,
  laterFeature,
  layoutFeature,
  locationsFeature,
  lockFeature,
  manageFeature,
  messagesFeature,
  noticesFeature,
  notificationsFeature,
  outboxFeature,
  peopleFeature,
  pollsFeature,
  remindersFeature,
  reviewFeature,
  rolesFeature,
  rulesFeature,
  searchFeature,
  segmentsFeature,
  sessionFeature,
  settingsFeature,
  sidebarFeature,
  switcherFeature,
  threadsFeature,
  typingFeature,
  unreadFeature,
  updatesFeature,
  windowsFeature,
  workspaceFeature,
] as const satisfies readonly Feature[]

type Declared = {
  readonly dialogs: Dialogs
  readonly routes: Routes
  readonly panels: Panels
  readonly actions: Actions
  readonly settings: SettingsPages
  readonly manage: ManagePages
}
type KeysIn<Whole, Part extends Parts> = Whole extends { readonly [Name in Part]?: infer Kinds }
  ? keyof NonNullable<Kinds>
  : never
type Missing = { [Part in Parts]: Exclude<keyof Declared[Part], KeysIn<(typeof FEATURES)[number], Part>> }[Parts]

/** Does not compile while a kind is declared that no feature defines: the error names it. */
export const registry: [Missing] extends [never] ? Registry : { readonly noFeatureDefines: Missing } =
  createRegistry(FEATURES)
