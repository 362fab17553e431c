import type { IntentPayloads } from '#shared/domain/intent.ts'
import { type EngineHandlers, type Feature, type Offers, createRegistry, type Registry } from '../registry/feature.ts'
import { assistantsFeature } from './assistants/feature.ts'
import { bansFeature } from './manage/bans/feature.ts'
import { campaignsFeature } from './manage/campaigns/feature.ts'
import { channelsFeature } from './channels/feature.ts'
import { deliveryFeature } from './delivery/feature.ts'
import { directoryFeature } from './manage/directory/feature.ts'
import { draftsFeature } from './drafts/feature.ts'
import { emojiFeature } from './emoji/feature.ts'
import { exportFeature } from './export/feature.ts'
import { groupsFeature } from './manage/groups/feature.ts'
import { historyFeature } from './manage/history/feature.ts'
import { integrationsFeature } from './manage/integrations/feature.ts'
import { linksFeature } from './links/feature.ts'
import { locationsFeature } from './locations/feature.ts'
import { manageFeature } from './manage/feature.ts'
import { membersFeature } from './members/feature.ts'
import { messagesFeature } from './messages/feature.ts'
import { moderationFeature } from './moderation/feature.ts'
import { notificationsFeature } from './notifications/feature.ts'
import { outboxFeature } from './outbox/feature.ts'
import { peopleFeature } from './people/feature.ts'
import { pollsFeature } from './polls/feature.ts'
import { reactionsFeature } from './reactions/feature.ts'
import { readsFeature } from './reads/feature.ts'
import { remindersFeature } from './reminders/feature.ts'
import { reviewFeature } from './manage/review/feature.ts'
import { rolesFeature } from './manage/roles/feature.ts'
import { rulesFeature } from './manage/rules/feature.ts'
import { segmentsFeature } from './manage/segments/feature.ts'
import { searchFeature } from './search/feature.ts'
import { threadsFeature } from './threads/feature.ts'
import { typingFeature } from './typing/feature.ts'
import { uploadsFeature } from './uploads/feature.ts'
import { usersFeature } from './users/feature.ts'
import { workspaceFeature } from './manage/workspace/feature.ts'

/** The features of the engine. A new one is one line here. */
export const FEATURES = [
  assistantsFeature,
  bansFeature,
  campaignsFeature,
  channelsFeature,
  deliveryFeature,
  directoryFeature,
  draftsFeature,
  emojiFeature,
  exportFeature,
  groupsFeature,
  historyFeature,
  integrationsFeature,
  linksFeature,
  locationsFeature,
  manageFeature,
  membersFeature,
  messagesFeature,
  moderationFeature,
  notificationsFeature,
  outboxFeature,
  peopleFeature,
  pollsFeature,
  reactionsFeature,
  readsFeature,
  remindersFeature,
  reviewFeature,
  rolesFeature,
  rulesFeature,
  searchFeature,
  segmentsFeature,
  threadsFeature,
  typingFeature,
  uploadsFeature,
  usersFeature,
  workspaceFeature,
] as const satisfies readonly Feature[]

type Each = (typeof FEATURES)[number]
type Made = Each extends infer One
  ? One extends { readonly create?: (core: never) => infer Live }
    ? Live
    : never
  : never
type KeysOf<Part> = Part extends unknown ? keyof NonNullable<Part> : never
type Kinds = Each extends infer One ? (One extends { readonly kinds?: infer Part } ? KeysOf<Part> : never) : never
type Areas = Made extends infer Live ? (Live extends { readonly calls?: infer Part } ? KeysOf<Part> : never) : never
type Offered = Made extends infer Live ? (Live extends { readonly offers?: infer Part } ? KeysOf<Part> : never) : never
type Declared = { readonly kinds: IntentPayloads; readonly calls: EngineHandlers; readonly offers: Offers }
type Owned = { readonly kinds: Kinds; readonly calls: Areas; readonly offers: Offered }
type Missing = { [Part in keyof Declared]: Exclude<keyof Declared[Part], Owned[Part]> }[keyof Declared]

/** Does not compile while a kind of intent, an area of calls or an offer is declared that no feature defines. */
export const registry: [Missing] extends [never] ? Registry : { readonly noFeatureDefines: Missing } =
  createRegistry(FEATURES)
