import { app } from './calls/app.ts'
import { bans } from './calls/bans.ts'
import { campaigns } from './calls/campaigns.ts'
import { certificates, desktop, lock, updates } from './calls/desktop.ts'
import { channels } from './calls/channels.ts'
import { data } from './calls/data.ts'
import { details } from './calls/details.ts'
import { directory } from './calls/directory.ts'
import { drafts } from './calls/drafts.ts'
import { emoji } from './calls/emoji.ts'
import { groups } from './calls/groups.ts'
import { history } from './calls/history.ts'
import { links } from './calls/links.ts'
import { locations } from './calls/locations.ts'
import { messages } from './calls/messages.ts'
import { moderation, people } from './calls/people.ts'
import { notifications, reminders } from './calls/notifications.ts'
import { outbox } from './calls/outbox.ts'
import { polls } from './calls/polls.ts'
import { review } from './calls/review.ts'
import { roles } from './calls/roles.ts'
import { rules } from './calls/rules.ts'
import { search } from './calls/search.ts'
import { segments } from './calls/segments.ts'
import { session } from './calls/session.ts'
import { settings } from './calls/settings.ts'
import { threads } from './calls/threads.ts'
import { uploads } from './calls/uploads.ts'
import { workspace } from './calls/workspace.ts'
import type { Client, Handlers } from '#shared/lib/contract.ts'

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
  emoji,
  groups,
  history,
  links,
  locations,
  lock,
  messages,
  moderation,
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
