import * as v from 'valibot'
import {
  COMMAND_HINT_LENGTH,
  COMMAND_NAME_LENGTH,
  INTEGRATION_EVENTS,
  INTEGRATION_KINDS,
  INTEGRATION_NAME_LENGTH,
  INTEGRATION_URL_LENGTH,
  type IntegrationKind,
  type CallOutcome,
} from '#shared/domain/manage/integrations.ts'
import { OWN_COMMANDS } from '#shared/rules/composer/commands.ts'
import {
  changeIntegrations,
  type IntegrationReply,
  type WireIntegration,
  type WireProgramCall,
  type WireTestResult,
} from '#shared/wire/integrations.ts'
import { announceTypes } from '../admin/admin-routes.ts'
import { accessTo, mayRead } from '../channels/access.ts'
import { channelByCid } from '../channels/channel-table.ts'
import { commandOf, forgetTypes } from '../channels/channel-types.ts'
import type { Identity } from '../http/auth/identify.ts'
import { refuse, Refusal } from '../http/refusal.ts'
import { route, Later, type Route } from '../http/router.ts'
import { line } from '../http/shapes.ts'
import { isAdmin } from '../moderation/moderation.ts'
import { announceUser } from '../realtime/presence.ts'
import { toText, wakeDueTimer } from '../store/time.ts'
import { putUser, userById } from '../users/user-tables.ts'
import { requireUser, upsertUser } from '../users/users.ts'
import { type Work, transact, type Services } from '../work.ts'
import { HOOK_PATH, postAs } from './incoming.ts'
import {
  callsOf,
  changeIntegration,
  countQueued,
  dropQueue,
  firstQueued,
  insertIntegration,
  integrationById,
  lastCallOf,
  listIntegrations,
  MOST_INTEGRATIONS,
  type CallRow,
  type IntegrationRow,
} from './integration-table.ts'
import { MOST_TRIES, callSigned, seen, testBody } from './outgoing.ts'
import { programUrl, type ProgramAnswer } from './program-net.ts'
import { announceChange, noteCall, hashOf, KEY_PREFIX, newKey, newSecret } from './programs.ts'
import { tryKey } from './script-calls.ts'

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
const ids = v.pipe(v.array(id), v.minLength(1), v.maxLength(MOST_INTEGRATIONS))
const fields = {
  name: v.optional(line(INTEGRATION_NAME_LENGTH)),
  cid: v.nullish(v.pipe(v.string(), v.maxLength(200))),
  url: v.optional(v.pipe(v.string(), v.maxLength(INTEGRATION_URL_LENGTH))),
  hint: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(COMMAND_HINT_LENGTH))),
  events: v.optional(v.pipe(v.array(v.picklist(INTEGRATION_EVENTS)), v.maxLength(INTEGRATION_EVENTS.length))),
}
const command = v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9_-]*$/), v.maxLength(COMMAND_NAME_LENGTH)))

const body = v.variant('action', [
  v.object({ action: v.literal('list') }),
  v.object({ action: v.literal('create'), kind: v.picklist(INTEGRATION_KINDS), ...fields, command }),
  v.object({ action: v.literal('change'), id, ...fields }),
  v.object({ action: v.literal('pause'), ids, paused: v.boolean() }),
  v.object({ action: v.literal('revoke'), ids }),
  v.object({ action: v.literal('reveal'), id }),
  v.object({ action: v.literal('calls'), id }),
  v.object({ action: v.literal('retry'), id }),
  v.object({ action: v.literal('test'), id, text: line(500) }),
  v.object({
    action: v.literal('probe'),
    kind: v.picklist(['outgoing', 'command']),
    url: v.pipe(v.string(), v.maxLength(INTEGRATION_URL_LENGTH)),
  }),
])
type Action = v.InferOutput<typeof body>
type Create = Extract<Action, { action: 'create' }>
type Change = Extract<Action, { action: 'change' }>

/** Integrations, for administrators: an extension of the contract. See docs/adr/0049. */
export const integrationRoutes: readonly Route[] = [
  route(changeIntegrations, { body }, ({ body: action, who }, work) => {
    if (!isAdmin(who) || who.banned) refuse('notAllowed', `User '${who.userId}' may not manage integrations`)
    return obey(work, who, action)
  }),
]

function obey(work: Work, who: Identity, action: Action): IntegrationReply | Later {
  switch (action.action) {
    case 'list':
      return { integrations: listIntegrations(work.db, work.now).map((row) => encode(work, row)) }
    case 'create':
      return create(work, who, action)
    case 'change':
      return { integration: encode(work, change(work, who, action)) }
    case 'pause':
      for (const each of action.ids) pause(work, known(work, each), action.paused)
      return {}
    case 'revoke':
      for (const each of action.ids) revoke(work, known(work, each))
      return {}
    case 'reveal':
      return { secret: reveal(work, inUse(work, action.id)) }
    case 'calls':
      return { calls: callsOf(work.db, known(work, action.id).id, work.now).map(encodeCall) }
    case 'retry':
      retry(work, inUse(work, action.id))
      return {}
    case 'test':
      return testIntegration(work, inUse(work, action.id), action.text)
    case 'probe':
      refuseUrls(work)
      return probe(work, checkedUrl(action.url))
  }
}

const known = (work: Work, wanted: string): IntegrationRow =>
  integrationById(work.db, wanted) ?? refuse('doesNotExist', `integration ${wanted} does not exist`)

function inUse(work: Work, wanted: string): IntegrationRow {
  const row = known(work, wanted)
  if (row.revoked_at !== null) refuse('input', 'the integration was revoked', { id: 'revoked' })
  return row
}

const checkedUrl = (url: string | undefined): string =>
  programUrl(url ?? '')?.href ??
  refuse('input', 'url must be an http or https address of a program', { url: 'address' })

/** Whoever names an address makes this computer call it: nobody on another device may, whatever their rights. */
function refuseUrls({ door }: Work): void {
  if (door) refuse('notAllowed', 'addresses of programs are set on the computer of the server')
}

/** What its kind needs, each checked; what another kind needs is left out. */
function checked(work: Work, who: Identity, kind: IntegrationKind, given: Omit<Change, 'action' | 'id'>) {
  const calls = kind === 'outgoing' || kind === 'command'
  return {
    cid: kind === 'incoming' || kind === 'outgoing' ? checkedChannel(work, who, kind, given.cid ?? null) : null,
    url: calls ? checkedUrl(given.url) : null,
    hint: kind === 'command' ? (given.hint ?? '') : null,
    events: JSON.stringify(kind === 'outgoing' ? checkedEvents(given.events) : []),
  }
}

function checkedEvents(events: Change['events']): readonly string[] {
  const named = [...new Set(events)]
  return named.length > 0 ? named : refuse('input', 'events must name at least one event', { events: 'required' })
}

/** Whoever makes it must be able to do there what the program will do. */
function checkedChannel(work: Work, who: Identity, kind: 'incoming' | 'outgoing', cid: string | null): string | null {
  if (cid === null && kind === 'outgoing') return null
  const channel = cid === null ? undefined : channelByCid(work.db, cid)
  const maker = personal(work, who)
  const access = channel && channel.deleted_at === null ? accessTo(work.db, channel, maker) : undefined
  const may = access && mayRead(access, maker) && (kind === 'outgoing' || access.can.has('send-message'))
  if (!may) return refuse('doesNotExist', `Can't find channel with id ${cid ?? ''}`, { cid: 'unknown' })
  return access.channel.cid
}

/** The caller as a person: a server token may do everything, and whom it names perhaps not. */
function personal(work: Work, who: Identity): Identity {
  const user = requireUser(work.db, who.userId)
  return { ...who, role: user.role, banned: user.banned === 1, server: false }
}

/** Names that Parlor, an administrator or another program uses. */
function checkedCommand(work: Work, name: string | undefined): string {
  if (name === undefined) return refuse('input', 'command is required', { command: 'required' })
  const isTaken = OWN_COMMANDS.some((own) => own === name) || commandOf(work.db, name) !== undefined
  return isTaken ? refuse('input', `the command /${name} is taken`, { command: 'taken' }) : name
}

function create(work: Work, who: Identity, given: Create): IntegrationReply {
  if (who.userId === '') return refuse('input', 'a server token must name a user')
  const inUseNow = listIntegrations(work.db, work.now).filter((row) => row.revoked_at === null)
  if (inUseNow.length >= MOST_INTEGRATIONS) {
    return refuse('input', `a workspace has at most ${MOST_INTEGRATIONS} integrations`, { integrations: 'count_limit' })
  }
  const { kind } = given
  if (kind === 'outgoing' || kind === 'command') refuseUrls(work)
  const name = given.name ?? refuse('input', 'name is required', { name: 'required' })
  const posts = kind === 'incoming' || kind === 'command'
  const own = work.ids.uuid()
  const secret = kind === 'key' ? newKey() : newSecret()
  const row: IntegrationRow = {
    id: own,
    kind,
    name,
    ...checked(work, who, kind, given),
    command: kind === 'command' ? checkedCommand(work, given.command) : null,
    secret: kind === 'key' ? null : secret,
    hash: kind === 'incoming' || kind === 'key' ? hashOf(secret) : null,
    key_start: kind === 'key' ? secret.slice(0, KEY_PREFIX.length + 4) : null,
    bot_id: posts ? `program-${own}` : null,
    created_by: who.userId,
    created_at: work.now,
    paused: 0,
    revoked_at: null,
    fails: 0,
    next_at: null,
  }
  insertIntegration(work.db, row)
  if (row.bot_id !== null) upsertUser(work.db, row.bot_id, { name, bot: true }, work.now)
  if (kind === 'command') commandsChanged(work)
  announceChange(work)
  return { integration: encode(work, row), secret: shownSecret(work, row, secret) }
}

/** Fields that are left out stay. A command keeps its name: people have learned it. */
function change(work: Work, who: Identity, given: Change): IntegrationRow {
  const row = inUse(work, given.id)
  if (given.url !== undefined) refuseUrls(work)
  const next = checked(work, who, row.kind, {
    cid: given.cid === undefined ? row.cid : given.cid,
    url: given.url ?? row.url ?? undefined,
    hint: given.hint ?? row.hint ?? undefined,
    events: given.events ?? (JSON.parse(row.events) as NonNullable<Change['events']>),
  })
  const name = given.name ?? row.name
  changeIntegration(work.db, row.id, { ...next, name, fails: 0 })
  if (row.bot_id !== null && name !== row.name) {
    upsertUser(work.db, row.bot_id, { name, bot: true }, work.now)
    work.people.forget(row.bot_id)
    announceUser(work, row.bot_id)
  }
  if (row.kind === 'command') commandsChanged(work)
  announceChange(work)
  return known(work, row.id)
}

function pause(work: Work, row: IntegrationRow, paused: boolean): void {
  if (row.revoked_at !== null || (row.paused === 1) === paused) return
  if (!paused && row.kind === 'key' && row.hash === null)
    refuse('input', 'the key is not in this backup: make a new one')
  // Another one may have taken its name meanwhile.
  if (!paused && row.kind === 'command') checkedCommand(work, row.command ?? undefined)
  const waits = !paused && firstQueued(work.db, row.id) !== undefined
  changeIntegration(work.db, row.id, { paused: Number(paused), fails: 0, next_at: waits ? work.now : null })
  if (waits) work.afterwards(() => wakeDueTimer(work.db))
  if (row.kind === 'command') commandsChanged(work)
  announceChange(work)
}

/** Ends it at once. What it posted stays, in the name of someone who is no longer there. */
function revoke(work: Work, row: IntegrationRow): void {
  if (row.revoked_at !== null) return
  // The hash stays: whoever still calls is told that it was revoked.
  changeIntegration(work.db, row.id, { revoked_at: work.now, secret: null, next_at: null })
  dropQueue(work.db, row.id)
  const bot = row.bot_id === null ? undefined : userById(work.db, row.bot_id)
  if (bot) {
    putUser(work.db, { ...bot, deactivated_at: work.now, updated_at: work.now })
    work.people.forget(bot.id)
    announceUser(work, bot.id, 'user.deactivated')
  }
  if (row.kind === 'command') commandsChanged(work)
  announceChange(work)
}

/** A restored backup holds no secrets: a new one is made when it is asked for. */
function reveal(work: Work, row: IntegrationRow): string {
  if (row.kind === 'key') return refuse('input', 'a key is shown only once', { id: 'once' })
  if (row.secret !== null) return shownSecret(work, row, row.secret)
  const secret = newSecret()
  changeIntegration(work.db, row.id, { secret, ...(row.kind === 'incoming' ? { hash: hashOf(secret) } : {}) })
  return shownSecret(work, row, secret)
}

const shownSecret = (work: Work, { kind }: IntegrationRow, secret: string): string =>
  kind === 'incoming' ? `${addressOf(work)}${secret}` : secret

const addressOf = (work: Work): string => `${work.baseUrl()}${HOOK_PATH}`

function retry(work: Work, row: IntegrationRow): void {
  if (firstQueued(work.db, row.id) === undefined || row.paused === 1) return
  changeIntegration(work.db, row.id, { next_at: work.now })
  work.afterwards(() => wakeDueTimer(work.db))
}

/** Composers offer the commands of their channels. */
function commandsChanged(work: Work): void {
  work.afterwards(() => forgetTypes(work.db))
  forgetTypes(work.db)
  announceTypes(work)
}

function encode(work: Work, row: IntegrationRow): WireIntegration {
  const last = lastCallOf(work.db, row.id)
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    cid: row.cid ?? undefined,
    url: row.url ?? undefined,
    command: row.command ?? undefined,
    hint: row.hint ?? undefined,
    events: row.kind === 'outgoing' ? (JSON.parse(row.events) as WireIntegration['events']) : undefined,
    address: row.kind === 'incoming' ? addressOf(work) : undefined,
    key_start: row.key_start ?? undefined,
    created_by: row.created_by,
    created_at: toText(row.created_at),
    paused: row.paused === 1 ? true : undefined,
    revoked_at: row.revoked_at === null ? undefined : toText(row.revoked_at),
    fails: row.fails,
    waiting: waitingOf(work, row),
    last_call_at: last && toText(last.at),
    last_outcome: last?.outcome,
  }
}

/** An event that is only on its way for the first time does not wait. */
function waitingOf(work: Work, row: IntegrationRow): WireIntegration['waiting'] {
  const first = row.kind === 'outgoing' ? firstQueued(work.db, row.id) : undefined
  if (first === undefined || first.tries === 0) return undefined
  return {
    count: countQueued(work.db, row.id),
    tries: first.tries,
    of: MOST_TRIES,
    next_at: toText(row.next_at ?? work.now),
  }
}

const encodeCall = (row: CallRow): WireProgramCall => ({
  id: row.seq,
  at: toText(row.at),
  took: row.took,
  status: row.status ?? undefined,
  outcome: row.outcome,
  what: row.what,
  source: row.source,
  request: row.request ?? undefined,
})

const ANSWER_LENGTH = 200

/** Tests an integration as far as it can be: what happens is real, and its call is in the list. */
function testIntegration(work: Work, row: IntegrationRow, text: string): IntegrationReply | Later {
  switch (row.kind) {
    case 'incoming':
      return { test: postTest(work, row, text) }
    case 'key':
      return { test: readTest(work, row) }
    case 'outgoing':
    case 'command':
      return callTest(work, row)
  }
}

function postTest(work: Work, row: IntegrationRow, text: string): WireTestResult {
  const started = work.clock.monotonic()
  const { outcome, messageId } = postAs(work, row, row.cid ?? '', text)
  const took = Math.round(work.clock.monotonic() - started)
  const status = outcome === 'posted' ? 200 : 403
  noteCall(work, row, { took, status, outcome, what: text, source: 'parlor', request: null })
  return { outcome, status, took, cid: row.cid ?? undefined, message_id: messageId }
}

function readTest(work: Work, row: IntegrationRow): WireTestResult {
  try {
    return { outcome: 'read', took: 0, count: tryKey(work, row) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { outcome: 'not-allowed', took: 0 }
  }
}

/** A command is called as it will be, with a body that says that it is a test. */
function callTest(work: Work, row: IntegrationRow): Later {
  const services: Services = work
  return new Later(async () => {
    const id = services.ids.uuid()
    const answer = await callSigned(services, row, { id, event: 'test', body: testBody(services, id) })
    const test = resultOf(answer, row.kind === 'command' ? 'answered' : 'delivered')
    transact(services, (inner) => {
      const now = integrationById(inner.db, row.id) ?? row
      noteCall(inner, now, { ...seen(answer), outcome: test.outcome, what: 'test', source: 'parlor', request: null })
    })
    return { test }
  })
}

/** Calls an address that no integration has yet. Nothing is noted. */
function probe(work: Work, url: string): Later {
  const services: Services = work
  return new Later(async () => {
    const id = services.ids.uuid()
    const answer = await callSigned(
      services,
      { url, secret: null },
      { id, event: 'test', body: testBody(services, id) },
    )
    return { test: resultOf(answer, 'answered') }
  })
}

function resultOf(answer: ProgramAnswer, good: CallOutcome): WireTestResult {
  if (!answer.ok) return { outcome: answer.outcome, status: answer.status, took: answer.took }
  const text = answer.text.replaceAll(/\s+/g, ' ').trim().slice(0, ANSWER_LENGTH).toWellFormed()
  return { outcome: good, status: answer.status, took: answer.took, ...(text === '' ? {} : { answer: text }) }
}
