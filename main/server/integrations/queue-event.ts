import { INTEGRATION_EVENTS } from '#shared/domain/manage/integrations.ts'
import type { WireMember, WireMessage, WireUser } from '#shared/wire/objects.ts'
import { accessTo, mayRead } from '../channels/access.ts'
import { channelByCid, type ChannelRow } from '../channels/channel-table.ts'
import type { Identity } from '../http/auth/identify.ts'
import type { Emission } from '../realtime/emission.ts'
import type { Db } from '../store/db.ts'
import { fromText, type Micros } from '../store/time.ts'
import { userById } from '../users/user-tables.ts'
import type { Work } from '../work.ts'
import {
  changeIntegration,
  countQueued,
  dequeue,
  enqueue,
  eventsOf,
  secondQueued,
  workingIntegrations,
  type IntegrationRow,
} from './integration-table.ts'
import { noteDropped } from './programs.ts'

/** The most events that wait for one program; beyond it the oldest are dropped. */
const MOST_WAITING = 1_000
/** The fields of events that programs get, besides the channel. */
type Content = {
  readonly message?: object
  readonly reaction?: object
  readonly member?: object
  readonly user?: object
}

/**
 * Queues an event for the programs that listen to it, in the transaction that makes it: what is on disk is delivered, what
 * is rolled back never was. Only what everyone in the channel sees is passed on, and nothing that a program wrote, since
 * two programs that answer each other would never stop.
 *
 * @returns whether something was queued
 */
export function queueEvent(work: Work, { event, log, skipPrograms }: Emission): boolean {
  if (skipPrograms === true) return false
  const type = INTEGRATION_EVENTS.find((each) => each === event.type)
  if (type === undefined || log !== 'channel' || typeof event.cid !== 'string') return false
  const rows = workingIntegrations(work.db)
  const listening = rows.filter((row) => row.kind === 'outgoing' && eventsOf(row).includes(type))
  if (listening.length === 0 || isByProgram(event, rows) || isSideEffect(event, work.now)) return false
  const channel = channelByCid(work.db, event.cid)
  if (!channel) return false
  let queued = false
  for (const row of listening) {
    if (!hears(work.db, row, channel)) continue
    const id = work.ids.uuid()
    const body = { id, type, created_at: event.created_at, channel: channelOf(channel), ...contentOf(event) }
    makeRoom(work, row)
    enqueue(work.db, { id, integration_id: row.id, event: type, body: JSON.stringify(body) })
    if (row.next_at === null) changeIntegration(work.db, row.id, { next_at: work.now })
    queued = true
  }
  return queued
}

type Event = Emission['event']

function isByProgram(event: Event, rows: readonly IntegrationRow[]): boolean {
  const by = (event.user as WireUser | undefined)?.id
  const author = (event.message as WireMessage | undefined)?.user?.id
  return rows.some(
    ({ bot_id: bot }) => bot !== null && (bot === by || (event.type === 'message.new' && bot === author)),
  )
}

/** `message.updated` is also sent for new replies, pins and previews: only a text changed now is an edit. */
const isSideEffect = (event: Event, now: Micros): boolean =>
  event.type === 'message.updated' &&
  (fromText((event.message as WireMessage | undefined)?.message_text_updated_at) ?? 0) < now

/** One channel, or every one that all people may read; and only as long as its owner may read it. */
function hears(db: Db, row: IntegrationRow, channel: ChannelRow): boolean {
  if (row.cid === null ? !isOpen(db, channel) : row.cid !== channel.cid) return false
  const owner = userById(db, row.created_by)
  if (!owner || owner.deactivated_at !== null || owner.deleted_at !== null) return false
  const who = { ...PERSON, userId: owner.id, role: owner.role, banned: owner.banned === 1 }
  return mayRead(accessTo(db, channel, who), who)
}

const PERSON: Identity = { userId: '', role: 'user', banned: false, server: false, expiresAtMs: undefined }

/** Whether any person of the workspace may read it without being a member. */
const isOpen = (db: Db, channel: ChannelRow): boolean => mayRead(accessTo(db, channel, PERSON), PERSON)

function makeRoom(work: Work, row: IntegrationRow): void {
  if (countQueued(work.db, row.id) < MOST_WAITING) return
  const dropped = secondQueued(work.db, row.id)
  if (!dropped) return
  dequeue(work.db, dropped.seq)
  if (work.programs.isWorthNoting(row.id, 'dropped')) noteDropped(work, row, dropped.event)
}

const channelOf = ({ cid, type, id, name }: ChannelRow) => ({ cid, type, id, name: name ?? id })

/** Only these fields leave: no rights, no counters of anyone, no addresses of files. */
function contentOf(event: Event): Content {
  const message = event.message as WireMessage | undefined
  const reaction = event['reaction'] as { type?: string; score?: number; user_id?: string } | undefined
  const member = event.member as WireMember | undefined
  return {
    ...(message ? { message: shownMessage(message) } : {}),
    ...(reaction ? { reaction: { type: reaction.type, score: reaction.score, user_id: reaction.user_id } } : {}),
    ...(member ? { member: { user: personOf(member.user ?? { id: member.user_id ?? '' }) } } : {}),
    ...(event.user ? { user: personOf(event.user as WireUser) } : {}),
  }
}

const personOf = ({ id, name }: { readonly id: string; readonly name?: unknown }) => ({
  id,
  name: typeof name === 'string' && name !== '' ? name : id,
})

function shownMessage(message: WireMessage) {
  const isDeleted = message.type === 'deleted'
  return {
    id: message.id,
    text: isDeleted ? '' : (message.text ?? ''),
    type: message.type,
    parent_id: message.parent_id ?? undefined,
    user: message.user ? personOf(message.user) : undefined,
    created_at: message.created_at,
    attachments: isDeleted
      ? []
      : (message.attachments ?? []).map(({ type, title, mime_type: mime }) => ({ type, title, mime_type: mime })),
  }
}
