import type { Client, Handlers } from '../lib/contract.ts'
import { app, certificates, desktop, lock, updates } from './calls/app.ts'
import { campaigns, segments } from './calls/campaigns.ts'
import { bans, history, review, rules, moderation, people } from './calls/moderation.ts'
import { channels, details, threads } from './calls/channels.ts'
import { data } from './calls/data.ts'
import { directory, groups, roles } from './calls/directory.ts'
import { emoji, links, messages, uploads, drafts, outbox, locations } from './calls/messages.ts'
import { notifications, reminders } from './calls/notifications.ts'
import { polls } from './calls/polls.ts'
import { elsewhere, search } from './calls/search.ts'
import { session, sharing, moving } from './calls/session.ts'
import { settings } from './calls/settings.ts'
import { workspace, imports, integrations } from './calls/workspace.ts'

/** Every call the user interface can make to main. A name that is not here is refused. */
export const contract = {
  app,
  bans,
  campaigns,
  certificates,
  channels,
  desktop,
  data,
  details,
  directory,
  drafts,
  elsewhere,
  emoji,
  groups,
  history,
  imports,
  integrations,
  links,
  locations,
  lock,
  messages,
  moderation,
  moving,
  notifications,
  outbox,
  people,
  polls,
  reminders,
  review,
  roles,
  rules,
  search,
  segments,
  session,
  settings,
  sharing,
  threads,
  updates,
  uploads,
  workspace,
}

export type Contract = typeof contract
type Area = keyof Contract

/** The typed engine as the renderer sees it: `engine.messages.send({ … })`. */
export type EngineClient = { readonly [Name in Area]: Client<Contract[Name]> }

/** What main provides for one area. */
export type HandlersOf<Name extends Area, Context> = Handlers<Contract[Name], Context>
