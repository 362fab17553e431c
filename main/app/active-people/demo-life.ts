import type { Settings } from '#shared/domain/settings.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import { markRead, queryChannel, sendEvent, queryDistinctChannel } from '#shared/wire/channels.ts'
import { getMessage, sendMessage, sendReaction, createReminder } from '#shared/wire/messages.ts'
import type { SmallPicture } from '#shared/bridge/schemas.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { personId, plainPersonId } from '#shared/rules/people/people.ts'
import { Api } from '#main/engine/api/client.ts'
import { type ConnectionHandlers, websocketTransport } from '#main/engine/realtime/transport.ts'
import { createConnection } from '#main/engine/realtime/connection.ts'
import { createServerClock, type ServerClock } from '#main/engine/session/server-clock.ts'
import { createTokenManager, type TokenManager } from '#main/engine/session/token.ts'
import type { Host } from '#main/hosts/host.ts'
import type { Stop } from '#main/lib/clock.ts'
import { logger, type Logger } from '#main/lib/logger.ts'
import { people, drawTalk } from '#main/server/seed/demo/team.ts'
import type { Ids } from '#main/lib/ids.ts'
import { type Account } from '../accounts/account.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { DEMO_PLACE, type LocalWorkspace } from '../local-workspace/local-workspace.ts'
import { CLIENT_NAME } from '../network/server-token.ts'
import { languageOf, type Translate } from '../texts.ts'
import { ActivePeople, type Heard, type PeopleCalls, inventedId } from './active-people.ts'

type DemoLifeOptions = {
  readonly host: Pick<Host, 'ports' | 'log'>
  readonly accounts: Pick<Accounts, 'all' | 'workspace'>
  readonly settings: () => Settings
}

/** Everyone invented who comes and goes; not the program of the builds. */
const PEOPLE = people.filter(({ bot }) => bot !== true).map(({ id }) => id)

/** Active people of the demo workspace, while one of its accounts is open. */
export class DemoLife {
  readonly #options: DemoLifeOptions
  readonly #listening = new Map<string, Stop>()
  #people: ActivePeople | undefined

  constructor(options: DemoLifeOptions) {
    this.#options = options
  }

  opened(account: Account): void {
    if (account.ref.kind !== 'demo') return
    this.#listening.set(
      account.key,
      account.onEvents((events) => this.#hear(account, events)),
    )
    this.#people ??= this.#createPeople()
    this.changed()
  }

  closing({ key }: Account): void {
    this.#listening.get(key)?.()
    if (!this.#listening.delete(key) || this.#listening.size > 0) return
    this.#people?.stop()
    this.#people = undefined
  }

  /** The setting may have changed. */
  changed(): void {
    this.#people?.turn(this.#options.settings().activePeople)
  }

  #createPeople(): ActivePeople {
    const { host, accounts, settings } = this.#options
    const demos = () => accounts.all().filter(({ ref }) => ref.kind === 'demo')
    const focuses = () => demos().flatMap(({ engine }) => engine.focuses())
    return new ActivePeople({
      clock: host.ports.clock,
      ids: host.ports.ids,
      calls: demoCalls(accounts.workspace(DEMO_PLACE), host),
      people: PEOPLE,
      viewers: () => demos().map(({ ref }) => ref.userId),
      mayArrive: (cid) =>
        focuses().length > 0 && !focuses().some(({ scrolledBack }) => scrolledBack?.includes(asCid(cid))),
      language: () => languageOf(settings()),
      draw: drawTalk,
      log: logger('demo', host.log),
    })
  }

  #hear({ ref }: Account, events: Parameters<ConnectionHandlers['onEvents']>[0]): void {
    for (const event of events) {
      const heard = heardIn(event, ref.userId)
      if (heard) void this.#people?.hear(heard)
    }
  }
}

/** A new message of this user. */
function heardIn(event: Parameters<ConnectionHandlers['onEvents']>[0][number], userId: string): Heard | undefined {
  const { message, cid } = event
  if (event.type !== 'message.new' || message === undefined || typeof cid !== 'string') return undefined
  if (message.user?.id !== userId || typeof message.id !== 'string') return undefined
  return {
    id: message.id,
    place: { cid, ...(message.parent_id ? { parentId: message.parent_id } : {}) },
    text: message.text ?? '',
    mentioned: (message.mentioned_users ?? []).map(({ id }) => id),
  }
}

type Puppet = { readonly api: Api; readonly apiKey: string; readonly tokens: TokenManager; readonly clock: ServerClock }

type Appearance = { readonly baseUrl: () => string; readonly userId: string; readonly ports: Host['ports'] }

/** Keeps a person online. What they see is what they are made to do, so nothing is listened to. */
function appear({ apiKey, tokens, clock }: Puppet, { baseUrl, userId, ports }: Appearance): Stop {
  const { sockets } = ports
  const connection = createConnection({
    ports,
    transport: websocketTransport({ baseUrl, apiKey, clientName: CLIENT_NAME, clock: ports.clock, sockets }),
    tokens,
    serverClock: clock,
    user: { id: userId },
    handlers: { onState: () => {}, onHealthy: () => {}, onEvents: () => {} },
  })
  connection.start()
  return () => void connection.stop()
}

function demoCalls(workspace: LocalWorkspace, { ports }: Pick<Host, 'ports'>): PeopleCalls {
  const puppets = new Map<string, Promise<Puppet>>()
  const baseUrl = (): string => workspace.url()

  async function createPuppet(userId: string): Promise<Puppet> {
    await workspace.running()
    const apiKey = await workspace.apiKey()
    const tokens = createTokenManager({ kind: 'provider', load: () => workspace.tokenFor(userId) })
    const clock = createServerClock(ports.clock)
    const api = new Api({ baseUrl, apiKey, userId, clientName: CLIENT_NAME, tokens, serverClock: clock, ports })
    return { api, apiKey, tokens, clock }
  }

  function as(userId: string): Promise<Puppet> {
    const known = puppets.get(userId) ?? createPuppet(userId)
    puppets.set(userId, known)
    known.catch(() => puppets.delete(userId))
    return known
  }

  async function connect(userId: string, ended: () => boolean): Promise<Stop | undefined> {
    const puppet = await as(userId)
    return ended() ? undefined : appear(puppet, { baseUrl, userId, ports })
  }

  return {
    arrive(who) {
      let ended = false
      // A server that does not start keeps everyone offline.
      const connecting = connect(who, () => ended).catch(() => undefined)
      return () => {
        ended = true
        void connecting.then((leave) => leave?.())
      }
    },
    async typing(who, { cid, parentId }, on) {
      const { api } = await as(who)
      const event = { type: on ? 'typing.start' : 'typing.stop', parent_id: parentId }
      await api.send(sendEvent, { params: splitCid(asCid(cid)), body: { event } })
    },
    async read(who, { cid, parentId }) {
      const { api } = await as(who)
      await api.send(markRead, {
        params: splitCid(asCid(cid)),
        body: parentId === undefined ? {} : { thread_id: parentId },
      })
    },
    async say(who, { cid, parentId }, { id, text }) {
      const { api } = await as(who)
      await api.send(sendMessage, {
        params: splitCid(asCid(cid)),
        body: { message: { id, text, parent_id: parentId } },
      })
    },
    async react(who, messageId, type) {
      const { api } = await as(who)
      await api.send(sendReaction, { params: { id: messageId }, body: { reaction: { type } } })
    },
    async members(cid) {
      const api = await workspace.serverApi()
      const { members } = await api.send(queryChannel, {
        params: splitCid(asCid(cid)),
        body: { state: true, messages: { limit: 0 }, members: { limit: PEOPLE.length * 2 } },
      })
      return (members ?? []).flatMap(({ user_id, user }) => user_id ?? user?.id ?? [])
    },
    async author(messageId) {
      const api = await workspace.serverApi()
      const { message } = await api.send(getMessage, { params: { id: messageId }, query: {} })
      return message.user?.id
    },
  }
}

type Newcomer = { readonly id: string; readonly name: string }

/** Who greets in the release channel, and who writes a direct message. Both are people of the demo's seed. */
const GREETER = 'jonas'
const CORRESPONDENT = 'priya'
const RELEASE = { type: 'team', id: 'release-4-2' }

/** Where a newcomer finds a draft: a channel in which anyone may say hello. */
const DRAFT = asCid('team:field-trips')
/** Saved for later without a time. */
const TO_READ = { type: 'team', id: 'announcements' }
/** When the reminder of a newcomer is due: long after the first look around, so that it interrupts nothing. */
const REMIND_AFTER_MS = 20 * 3_600_000

/**
 * A newcomer takes part in the demo under their own name, with all rights, so that they can try everything. Whoever was
 * there before is the same person again. Their Later has something of each kind; the draft is for the caller to save,
 * because drafts are on the device.
 */
export async function joinDemo(
  demo: LocalWorkspace,
  { name, picture }: { readonly name: string; readonly picture?: SmallPicture },
  { ports, log: sink }: Pick<Host, 'ports' | 'log'>,
  translate: Translate,
): Promise<{ readonly id: string; readonly draft?: { readonly cid: Cid; readonly text: string } }> {
  const log = logger('demo', sink)
  const people = await demo.people()
  const plain = plainPersonId(name)
  // Ids of newcomers begin like this; those of the invented people are their first names.
  const known = people.find(({ id, name: theirs }) => theirs === name && (id === plain || id.startsWith(`${plain}-`)))
  const id = known?.id ?? (people.some((person) => person.id === plain) ? personId(name, ports.ids) : plain)
  if (!known) {
    await demo.admit({ id, name, role: 'admin' })
    await putAside(demo, id, ports.clock.now(), log)
    await greetInDemo({ api: await demo.serverApi(), ids: ports.ids, log }, { id, name }, translate)
  }
  if (picture) await demo.setPicture(id, picture)
  return known ? { id } : { id, draft: { cid: DRAFT, text: translate('session', 'demo.draft') } }
}

/** A reminder of a message, and a message saved for later. A refusal is only logged. */
async function putAside(demo: LocalWorkspace, id: string, now: number, log: Logger): Promise<void> {
  try {
    const api = await demo.userApi(id)
    for (const [params, remindAt] of [
      [RELEASE, new Date(now + REMIND_AFTER_MS).toISOString()],
      [TO_READ, undefined],
    ] as const) {
      const { messages } = await api.send(queryChannel, { params, body: { state: true, messages: { limit: 1 } } })
      const newest = messages?.at(-1)
      if (newest) await api.send(createReminder, { params: { id: newest.id }, body: { remind_at: remindAt } })
    }
  } catch (error) {
    log.warn('putting-aside-failed', { code: error instanceof AppError ? error.code : 'unknown' })
  }
}

/**
 * The demo notices a newcomer: a mention that says what to try, and a direct message to answer. A refusal is only logged:
 * the newcomer is in the demo already.
 */
async function greetInDemo(
  { api, ids, log }: { readonly api: Api; readonly ids: Ids; readonly log: Logger },
  newcomer: Newcomer,
  translate: Translate,
): Promise<void> {
  const { id, name } = newcomer
  try {
    await api.send(sendMessage, {
      params: RELEASE,
      body: {
        message: {
          id: inventedId(ids),
          text: translate('session', 'demo.greeting', { name }),
          user_id: GREETER,
          mentioned_users: [id],
        },
      },
    })
    const { channel } = await api.send(queryDistinctChannel, {
      params: { type: 'messaging' },
      body: { data: { members: [CORRESPONDENT, id], created_by_id: CORRESPONDENT } },
    })
    if (channel === undefined) return
    await api.send(sendMessage, {
      params: { type: channel.type, id: channel.id },
      body: {
        message: { id: inventedId(ids), text: translate('session', 'demo.letter', { name }), user_id: CORRESPONDENT },
      },
    })
  } catch (error) {
    log.warn('greeting-failed', { code: error instanceof AppError ? error.code : 'unknown' })
  }
}
