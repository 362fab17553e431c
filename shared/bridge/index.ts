import { app } from './app.ts'
import { certificates } from './certificates.ts'
import { channels } from './channels.ts'
import { desktop } from './desktop.ts'
import { data } from './data.ts'
import { details } from './details.ts'
import { drafts } from './drafts.ts'
import { emoji } from './emoji.ts'
import { links } from './links.ts'
import { locations } from './locations.ts'
import { lock } from './lock.ts'
import { messages } from './messages.ts'
import { moderation } from './moderation.ts'
import { notifications } from './notifications.ts'
import { outbox } from './outbox.ts'
import { people } from './people.ts'
import { polls } from './polls.ts'
import { reminders } from './reminders.ts'
import { search } from './search.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'
import { threads } from './threads.ts'
import { updates } from './updates.ts'
import { uploads } from './uploads.ts'
import type { Client, Handlers } from '#shared/lib/contract.ts'

/** Everything the user interface may ask of main. A name that is not here is refused. */
export const contract = {
  app,
  certificates,
  channels,
  desktop,
  data,
  details,
  drafts,
  emoji,
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
  search,
  session,
  settings,
  threads,
  updates,
  uploads,
}

export type Contract = typeof contract
export type Area = keyof Contract

/** The typed engine as the renderer sees it: `engine.messages.send({ … })`. */
export type EngineClient = { readonly [Name in Area]: Client<Contract[Name]> }

/** What main provides for one area. */
export type HandlersOf<Name extends Area, Context> = Handlers<Contract[Name], Context>
