import type { Duplex } from 'node:stream'
import * as v from 'valibot'
import { INVITED_ROLES, type PortProblem } from '#shared/domain/sharing.ts'
import { type InvitationSecrets, type WireSharing, JOIN_PATHS, type MovedAnswer } from '#shared/wire/sharing.ts'
import { hostOf, isAddress } from '#shared/rules/server/network-address.ts'
import { isSame } from '#shared/lib/same.ts'
import { fingerprintOf, sameProof } from '#main/lib/secrets.ts'
import { STRICT_LIMITS } from '../http/limits.ts'
import { readJson, sendJson, type Special, type Incoming, callerOf } from '../http/server.ts'
import { line, read } from '../http/shapes.ts'
import { createDoor, listenAt, type Door } from '../network/network.ts'
import { createStaggeredClose } from '../realtime/hub.ts'
import { MS, toText } from '../store/time.ts'
import { needServer } from '../users/users.ts'
import { transact, type Services } from '../work.ts'
import {
  decide,
  endInvitations,
  revokeInvitation,
  shownRequests,
  joining,
  addInvitation,
  newSecrets,
  shownInvitations,
} from './joining.ts'
import { announcementProof, movedNoteSchema, parseNote, signNote, type MovedNote } from './moved-note.ts'
import { deleteSetting, putSetting, settingOf } from '../admin/settings.ts'
import { refuse } from '../http/refusal.ts'

const pem = v.pipe(v.string(), v.maxLength(20_000))
const id = v.pipe(v.string(), v.regex(/^[\da-f]{1,64}$/))
const name = line(100)

const MOST_USES = 1_000
const MOST_CHANNELS = 100
const HIGHEST_PORT = 65_535

/** Where the port listens, and with which certificate. */
const place = {
  addresses: v.pipe(v.array(v.pipe(v.string(), v.check(isAddress))), v.minLength(1), v.maxLength(16)),
  port: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(HIGHEST_PORT)),
  cert: pem,
  key: pem,
}

const actionBody = v.variant('action', [
  v.object({ action: v.literal('state') }),
  v.object({ action: v.literal('start'), ...place, approve: v.boolean(), workspace: line(255), owner: line(255) }),
  v.object({ action: v.literal('moved'), ...place, secret: v.pipe(v.string(), v.minLength(32), v.maxLength(500)) }),
  v.object({ action: v.literal('stop') }),
  v.object({
    action: v.literal('invite'),
    name,
    role: v.picklist(INVITED_ROLES),
    channels: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(MOST_CHANNELS)), []),
    uses: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_USES)),
    ends_at: v.pipe(v.number(), v.integer()),
  }),
  v.object({ action: v.literal('revoke'), id }),
  v.object({ action: v.literal('decide'), id, accept: v.boolean() }),
])
type Action = v.InferOutput<typeof actionBody>
type Start = Extract<Action, { action: 'start' }>
type Moved = Extract<Action, { action: 'moved' }>
type Invite = Extract<Action, { action: 'invite' }>
type Result = { readonly invited?: InvitationSecrets; readonly problem?: PortProblem }

/** Sockets of one address, and of all, before anything is known of them. */
const PER_ADDRESS = 32
const MOST_SOCKETS = 512

/** One address of this device on which the shared port listens. */
type SharedDoor = Door & { readonly address: string }

type Visitor = { readonly userId: string; readonly address: string; readonly since: number }

type SharingOptions = { readonly services: Services; readonly onChanged?: () => void }

/**
 * The port of the network: opened and closed by the owner, with a certificate that the owner's app made. See ADR 45.
 *
 * ```
 *   off ──start──▶ on (one listener for each address, all on one port) ──stop──▶ off, every connection cut
 * ```
 */
export class Sharing {
  readonly #services: Services
  readonly #onChanged: () => void
  readonly #visitors = new Set<Visitor>()
  #doors: readonly SharedDoor[] = []
  #port: number | undefined
  #approve = true
  /** Grows with every closing: an opening that was under way then opens nothing. */
  #closed = 0

  constructor({ services, onChanged }: SharingOptions) {
    this.#services = services
    this.#onChanged = onChanged ?? (() => undefined)
  }

  /** `POST /sharing`, on loopback and for a server token only. */
  readonly special: Special = (incoming) => {
    const { request, response, url } = incoming
    if (url.pathname !== '/sharing' || request.method !== 'POST') return undefined
    return {
      operation: 'Sharing',
      run: async () => {
        needServer(incoming.admit('Sharing'))
        const action = read(actionBody, await readJson(request, this.#services))
        const result = await this.obey(action)
        sendJson(response, 201, { ...result, sharing: this.state() })
      },
    }
  }

  async obey(action: Action): Promise<Result> {
    const services = this.#services
    switch (action.action) {
      case 'start':
        return this.#inTurn(async () => {
          forgetNote(services)
          this.#approve = action.approve
          return { problem: await this.#open(action, (address, port) => this.#doorAt(address, action, port)) }
        })
      case 'moved':
        return this.#inTurn(async () => ({
          problem: await this.#open(action, (address, port) => this.#noticeAt(address, action, port)),
        }))
      case 'stop':
        // At once, and again after an opening that was under way.
        this.#close()
        transact(services, endInvitations)
        return this.#inTurn(() => {
          this.#close()
          return Promise.resolve({})
        })
      case 'invite':
        return this.#invite(action)
      case 'revoke':
        transact(services, (work) => revokeInvitation(work, action.id))
        break
      case 'decide':
        transact(services, (work) => decide(work, action.id, action.accept))
        break
      case 'state':
        break
    }
    return {}
  }

  /** One after the other: of two commands that arrive together, the later one counts. */
  #inTurn(step: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(step)
    this.#turn = done.catch(() => undefined)
    return done
  }
  #turn: Promise<unknown> = Promise.resolve()

  async #invite({ name: given, role, channels, uses, ends_at: endsAt }: Invite): Promise<Result> {
    const { keys, ...secrets } = await newSecrets()
    const invitation = { id: secrets.id, name: given, role, channels, uses, endsAt, keys }
    transact(this.#services, (work) => addInvitation(work, invitation))
    return { invited: secrets }
  }

  /** The server ends: nothing is opened any more. */
  end(): void {
    this.#ended = true
    this.#close()
  }
  #ended = false

  /** Closes the port and ends every connection through it, without waiting for anything. */
  #close(): void {
    this.#closed += 1
    for (const { http, realtime, polls } of this.#doors) {
      http.close()
      realtime.cut()
      polls.stop(createStaggeredClose(0))
      http.closeAllConnections()
    }
    if (this.#port !== undefined) this.#services.log.info('sharing-stopped')
    this.#doors = []
    this.#port = undefined
    this.#visitors.clear()
  }

  async #open({ addresses, port: wanted }: Start | Moved, doorAt: DoorAt): Promise<PortProblem | undefined> {
    this.#close()
    const closed = this.#closed
    const { doors, port, problem } = await openDoors(addresses, wanted, doorAt)
    if (problem !== undefined || closed !== this.#closed || this.#ended) {
      for (const { http } of doors) http.close()
      return problem
    }
    this.#doors = doors
    this.#port = port
    this.#services.log.info('sharing', { port, addresses: doors.length })
    return undefined
  }

  #doorAt(address: string, { cert, key, workspace, owner, approve }: Start, port: () => number): SharedDoor {
    const fingerprint = fingerprintOf(cert)
    const host = { workspace, owner, approve }
    const door = createDoor({
      ...this.#protected(address, { cert, key }, port),
      specials: (services) => [joining({ services, fingerprint, host, changed: this.#onChanged })],
      onArrived: (userId, from) => this.#arrived(userId, from),
    })
    return { address, ...door }
  }

  /** Tells where the workspace is now, and nothing else. */
  #noticeAt(address: string, { cert, key, secret }: Moved, port: () => number): SharedDoor {
    const door = createDoor({
      ...this.#protected(address, { cert, key }, port),
      specials: (services) => [movedWorkspace({ services, key, secret })],
    })
    return { address, ...withoutRealtime(door) }
  }

  #protected(address: string, tls: { readonly cert: string; readonly key: string }, port: () => number) {
    return {
      services: this.#services,
      hosts: { has: (name: string) => name === `${hostOf(address)}:${port()}` },
      limits: STRICT_LIMITS,
      tls,
      sockets: { perAddress: PER_ADDRESS, total: MOST_SOCKETS },
    }
  }

  /** Someone is connected through the network, until the returned function is called. */
  #arrived(userId: string, address: string): () => void {
    const visitor = { userId, address, since: Math.round(this.#services.clock.now() * MS) }
    this.#visitors.add(visitor)
    this.#onChanged()
    return () => {
      if (this.#visitors.delete(visitor)) this.#onChanged()
    }
  }

  state(): WireSharing {
    const { db } = this.#services
    return {
      ...(this.#port === undefined ? {} : { port: this.#port }),
      addresses: this.#doors.map(({ address }) => address),
      approve: this.#approve,
      invitations: shownInvitations(db),
      waiting: shownRequests(db),
      connected: [...this.#visitors].map(({ userId, address, since }) => ({
        user_id: userId,
        address,
        since: toText(since),
      })),
    }
  }
}

type DoorAt = (address: string, port: () => number) => SharedDoor

/** An address that the device has lost in the meantime is left out, as long as there is another one. */
async function openDoors(
  addresses: readonly string[],
  wanted: number,
  doorAt: DoorAt,
): Promise<{ doors: readonly SharedDoor[]; port: number; problem?: PortProblem }> {
  const doors: SharedDoor[] = []
  let port = wanted
  for (const address of new Set(addresses)) {
    try {
      const door = doorAt(address, () => port)
      port = await listenAt(door.http, address, port)
      doors.push(door)
    } catch (error) {
      const problem = problemOf(error)
      if (problem !== 'no-network') return { doors, port, problem }
    }
  }
  return doors.length === 0 ? { doors, port, problem: 'no-network' } : { doors, port }
}

const PROBLEMS: Readonly<Record<string, PortProblem>> = {
  EADDRINUSE: 'port-taken',
  EACCES: 'port-forbidden',
  EADDRNOTAVAIL: 'no-network',
}

function problemOf(error: unknown): PortProblem {
  const { code = '' } = error as NodeJS.ErrnoException
  // OpenSSL does not accept the certificate or its key.
  if (code.startsWith('ERR_OSSL')) return 'not-started'
  const problem = PROBLEMS[code]
  if (problem === undefined) throw error
  return problem
}

const announceBody = v.object({
  note: v.pipe(v.string(), v.maxLength(20_000)),
  proof: v.pipe(v.string(), v.maxLength(100)),
})

type MovedOptions = {
  readonly services: Services
  /** The key of the certificate that people trust (PEM). */
  readonly key: string
  /** Whoever shows it has the workspace file. */
  readonly secret: string
}

/**
 * All that the port of the network does for a workspace that has moved: it takes the new address from the device that has
 * the workspace now, and tells it to people. Nothing else is served, so that nobody writes into the copy that stayed.
 */
function movedWorkspace({ services, key, secret }: MovedOptions): Special {
  const calls: Readonly<Record<string, (body: object) => object>> = {
    [JOIN_PATHS.where]: (): MovedAnswer => {
      const note = storedNote(services)
      return { moved: true, ...(note && signNote(note, key)) }
    },
    [JOIN_PATHS.moved](body) {
      const { note, proof } = read(announceBody, body)
      if (!sameProof(proof, announcementProof(secret, note)))
        refuse('authentication', 'this is not the device that has the workspace', { moved: 'wrong' })
      const parsed = parseNote(note)
      if (!parsed) refuse('input', 'this is no new address', { moved: 'invalid' })
      keepNote(services, parsed)
      return {}
    },
  }

  async function respond({ request, response, url, count }: Incoming): Promise<void> {
    const userId = callerOf(request, services)
    count({ userId, role: 'anonymous', banned: false, server: false, expiresAtMs: undefined }, 'Moved')
    const call = request.method === 'POST' && Object.hasOwn(calls, url.pathname) ? calls[url.pathname] : undefined
    if (!call) refuse('doesNotExist', 'this workspace has moved to another device', { moved: 'yes' })
    sendJson(response, 200, call(await readJson(request, services)))
  }

  return (incoming) => ({ operation: 'Moved', run: () => respond(incoming) })
}

/** Nobody is connected to a workspace that has moved. */
function withoutRealtime(door: Door): Door {
  door.http.removeAllListeners('upgrade')
  door.http.on('upgrade', (_request: unknown, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    socket.end('HTTP/1.1 410 Gone\r\nConnection: close\r\n\r\n')
  })
  return door
}

/** The workspace is here again: the address that was told is not its own any more. */
function forgetNote(services: Services): void {
  transact(services, ({ db }) => void deleteSetting(db, 'moved', NOTE))
}

const NOTE = 'note'

function storedNote(services: Services): MovedNote | undefined {
  return transact(services, ({ db }) => {
    const row = settingOf(db, 'moved', NOTE)
    const parsed = row && v.safeParse(movedNoteSchema, JSON.parse(row.json))
    return parsed?.success === true ? parsed.output : undefined
  })
}

function keepNote(services: Services, note: MovedNote): void {
  if (isSame(storedNote(services), note)) return
  transact(services, ({ db, now }) => putSetting(db, 'moved', NOTE, note, now))
  services.log.info('moved-noted', { addresses: note.addresses.length })
}
