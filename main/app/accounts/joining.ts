import { createHmac, randomBytes, X509Certificate } from 'node:crypto'
import * as v from 'valibot'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { Policies } from '#shared/domain/desktop/policies.ts'
import {
  INVITED_ROLES,
  type FoundWorkspaces,
  type JoinOffer,
  type JoinState,
  type PendingJoin,
} from '#shared/domain/sharing.ts'
import { WORKSPACE_NAME_LENGTH } from '#shared/constants.ts'
import { AppError } from '#shared/lib/app-error.ts'
import { cleanName, isBlank } from '#shared/lib/clean-text.ts'
import { isSame } from '#shared/lib/same.ts'
import { readInvitation, type Invitation } from '#shared/rules/server/invitation.ts'
import { urlAt } from '#shared/rules/server/network-address.ts'
import { JOIN_PATHS, SHARING_VERSION, type Hello } from '#shared/wire/sharing.ts'
import { TransportError } from '#main/engine/ports.ts'
import { checkToken } from '#main/engine/session/token.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import { fingerprintOf, invitationKey, invitationProof, sameProof } from '#main/lib/secrets.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import type { Discovery } from '../local-workspace/discovery.ts'
import type { CallWindow } from '../windows/windows.ts'
import { writeCredential } from './credential.ts'
import { trustedBy } from './following.ts'

const TIMEOUT_MS = 10_000
const RANDOM_BYTES = 16
const PENDING = 'joining'
/** A window that waits asks every two seconds; after so long none does. */
const WINDOW_ASKS_MS = 10_000

/** Whoever made the invitation may be anyone: what they send is checked like any other input. */
export const shownName = v.pipe(
  v.string(),
  v.transform((text) => cleanName(text, WORKSPACE_NAME_LENGTH)),
  v.check((text) => !isBlank(text)),
)

const helloSchema = v.object({
  version: v.number(),
  proof: v.pipe(v.string(), v.maxLength(100)),
  workspace: shownName,
  owner: shownName,
  role: v.picklist(INVITED_ROLES),
  approve: v.boolean(),
  api_key: v.pipe(v.string(), v.maxLength(255)),
})

const answerSchema = v.variant('state', [
  v.object({ state: v.picklist(['waiting', 'refused', 'gone']) }),
  v.pipe(
    v.object({
      state: v.literal('accepted'),
      user_id: v.pipe(v.string(), v.regex(/^[\w@-]{1,255}$/)),
      token: v.string(),
    }),
    v.check(({ user_id: userId, token }) => checkToken(token, userId).ok),
  ),
])
type Answer = v.InferOutput<typeof answerSchema>

const refusalSchema = v.object({ exception_fields: v.optional(v.record(v.string(), v.string()), {}) })

/** A request without an answer: in the secret store, because whoever knows it gets the token. */
const pendingSchema = v.object({
  url: v.string(),
  certificate: v.string(),
  apiKey: v.string(),
  request: v.string(),
  workspace: v.string(),
  owner: v.string(),
  name: v.string(),
  since: v.number(),
})
type Pending = v.InferOutput<typeof pendingSchema>

/** A server that has shown that it made the invitation. */
type Found = {
  readonly url: string
  readonly certificate: string
  readonly secret: string
  readonly keyId: string
  readonly hello: Hello
  /** The account of this profile there. */
  readonly known?: HostedRef
}

type HostedRef = Extract<AccountRef, { kind: 'hosted' }>
type At = { readonly address: string; readonly port: number }

type JoiningOptions = {
  readonly host: Host
  readonly accounts: () => readonly AccountRef[]
  readonly discovery: Pick<Discovery, 'look' | 'at'>
  /** Whether the server of a joined account still accepts it. */
  readonly isAccepted: (ref: HostedRef) => Promise<boolean>
  /** Stores the credential and shows the account, with its current address, in the window if there is one. */
  readonly signIn: (
    window: ClientWindow | undefined,
    ref: AccountRef,
    options: { credential?: string; name?: string },
  ) => Promise<void>
  /** A request waits for its answer. */
  readonly onWaiting?: () => void
}

type Calls = Pick<
  HandlersOf<'sharing', CallWindow>,
  'look' | 'join' | 'nearby' | 'reopen' | 'pending' | 'answer' | 'cancel'
>

/**
 * Joining a workspace that someone shares on the network. The server proves with the invitation that its certificate is
 * the right one, before it gets anything: see ADR 45.
 *
 * ```
 *   look(link or code) ──▶ offer ──join(name)──▶ joined, or waiting ──answer()──▶ joined, refused, gone
 * ```
 */
export class Joining {
  readonly #options: JoiningOptions
  /** What each window looked at last. */
  readonly #found = new Map<string, Found>()

  constructor(options: JoiningOptions) {
    this.#options = options
  }

  /** `sharing.*` of the contract, for those who join. */
  calls(): Calls {
    return {
      look: ({ text }, { window }) => this.#look(text, window),
      join: ({ name }, { window }) => this.#join(name, window),
      nearby: () => this.#nearby(),
      reopen: ({ id }, { window }) => this.#reopen(id, window),
      pending: async () => {
        const pending = await this.#pending()
        return (
          pending && { workspace: pending.workspace, owner: pending.owner, name: pending.name, since: pending.since }
        )
      },
      answer: async (_input, { window }) => {
        this.#windowAskedAt = this.#now()
        return this.#answer(window)
      },
      cancel: () => this.#cancel(),
    }
  }

  /**
   * Asks for the answer while no window does. Somebody who is accepted is signed in; `pending` is what they had asked for,
   * absent if nothing waits. A refusal stays until a window has shown it.
   */
  async check(): Promise<{ readonly state: JoinState; readonly pending?: PendingJoin; readonly ref?: AccountRef }> {
    const pending = await this.#pending()
    if (!pending) return { state: 'gone' }
    const isAsking = this.#now() - this.#windowAskedAt < WINDOW_ASKS_MS
    if (isAsking) return { state: 'waiting', pending }
    const answer = await this.#askAnswer(pending)
    if (answer.state !== 'accepted') return { state: answer.state, pending }
    const state = await this.#settle(pending, answer, undefined)
    return { state, pending, ref: this.#joinedAlone }
  }
  #windowAskedAt = Number.NEGATIVE_INFINITY
  /** The account that was signed in without a window. */
  #joinedAlone: AccountRef | undefined

  #now(): number {
    return this.#options.host.ports.clock.monotonic()
  }

  async #look(text: string, window: ClientWindow): Promise<JoinOffer> {
    this.#checkPolicies()
    this.#found.delete(window.id)
    const invitation = readInvitation(text)
    if (typeof invitation === 'string') throw new AppError(`join/${invitation}`)
    const found = await this.#find(invitation)
    const known = await this.#knownRef(found)
    this.#found.set(window.id, { ...found, known })
    const { workspace, owner, role, approve } = found.hello
    return { workspace, owner, role, approve, known: known !== undefined }
  }

  /** What is announced leads nowhere by itself: it is joined with an invitation, or opened by who has joined it. */
  #nearby(): FoundWorkspaces {
    this.#checkDiscovery()
    const { found, isCut, isFailed } = this.#options.discovery.look()
    const known = new Set(this.#joined().map(({ certificate }) => fingerprintOf(certificate)))
    return {
      found: found.map(({ fingerprint: id, name, owner, addresses: [address = ''] }) => ({
        id,
        name,
        owner,
        address,
        known: known.has(id),
      })),
      isCut,
      isFailed,
    }
  }

  /** Only the certificate that the account trusts gets its token. */
  async #reopen(fingerprint: string, window: ClientWindow): Promise<void> {
    this.#checkDiscovery()
    const { addresses = [], port = 0 } = this.#options.discovery.at(fingerprint) ?? {}
    let error = new AppError('join/unreachable')
    for (const { ref, certificate } of this.#joined()) {
      if (fingerprintOf(certificate) !== fingerprint) continue
      for (const address of addresses) {
        const shown = await this.#options.host.network.certificateAt(address, port).catch(() => undefined)
        if (shown !== undefined && shown !== certificate) error = new AppError('join/certificate')
        if (shown !== certificate) continue
        const moved = { ...ref, url: urlAt({ address, port }) }
        if (await this.#options.isAccepted(moved)) {
          return this.#options.signIn(window, moved, {})
        }
      }
    }
    throw error
  }

  /** The accounts that trust one certificate, with it. */
  #joined(): readonly { readonly ref: HostedRef; readonly certificate: string }[] {
    return this.#options.accounts().flatMap((ref) => {
      const certificate = ref.kind === 'hosted' ? trustedBy(ref) : undefined
      return ref.kind === 'hosted' && certificate !== undefined ? [{ ref, certificate }] : []
    })
  }

  #checkPolicies(): void {
    const { LockServerList }: Policies = this.#options.host.info.managed?.values ?? {}
    if (LockServerList === true) throw new AppError('policy/server')
  }

  /** Looking around opens a port to the network too. */
  #checkDiscovery(): void {
    this.#checkPolicies()
    const { AllowLanExposure }: Policies = this.#options.host.info.managed?.values ?? {}
    if (AllowLanExposure === false) throw new AppError('policy/sharing')
  }

  /**
   * The account of this profile there; the same certificate shows that it is the same workspace. One whose owner has
   * signed it out stays out: who comes back with an invitation asks anew.
   */
  async #knownRef({ certificate, url }: Found): Promise<HostedRef | undefined> {
    for (const ref of this.#options.accounts()) {
      if (ref.kind !== 'hosted' || ref.certificate === undefined) continue
      if (ref.certificate !== certificate && ref.trusts !== certificate) continue
      // One that followed its workspace may come back to the device where it was before.
      const moved = { ...ref, url, trusts: ref.certificate === certificate ? undefined : certificate }
      if (await this.#options.isAccepted(moved)) return moved
    }
    return undefined
  }

  /** The first address that proves itself; otherwise the reason of the most telling failure. */
  async #find(invitation: Invitation): Promise<Found> {
    const key = await invitationKey(invitation.secret)
    const tries = this.#placesOf(invitation).map((at) => this.#tryAt(at, invitation, key))
    const results = await Promise.allSettled(tries)
    const found = results.find((result) => result.status === 'fulfilled')
    if (found) return found.value
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
    throw reasons.find((reason) => reason instanceof AppError && reason.code !== 'join/unreachable') ?? reasons[0]
  }

  /** Those of the invitation, and where its certificate is announced to be now. */
  #placesOf({ addresses, port, fingerprint }: Invitation): readonly At[] {
    const named = addresses.map((address) => ({ address, port }))
    const at = fingerprint === undefined ? undefined : this.#options.discovery.at(fingerprint)
    const announced = at?.addresses.map((address) => ({ address, port: at.port })) ?? []
    return [...named, ...announced.filter((each) => !named.some((one) => isSame(one, each)))]
  }

  async #tryAt({ address, port }: At, invitation: Invitation, key: { id: string; key: string }): Promise<Found> {
    const { network } = this.#options.host
    const { fingerprint, secret } = invitation
    const certificate = await network.certificateAt(address, port).catch((cause: unknown) => {
      throw new AppError('join/unreachable', { cause })
    })
    const shown = fingerprintOf(certificate)
    if (fingerprint !== undefined && fingerprint !== shown) throw new AppError('join/certificate')
    this.#checkClock(certificate)
    const url = urlAt({ address, port })
    const nonce = randomBytes(RANDOM_BYTES).toString('base64url')
    const hello = await this.#post({ url, certificate }, JOIN_PATHS.hello, helloSchema, {
      version: SHARING_VERSION,
      id: key.id,
      nonce,
    })
    if (!sameProof(hello.proof, invitationProof(key.key, nonce, shown))) throw new AppError('join/certificate')
    return { url, certificate, secret, keyId: key.id, hello }
  }

  #checkClock(certificate: string): void {
    const { validFrom, validTo } = new X509Certificate(certificate)
    const now = this.#options.host.ports.clock.now()
    if (now < Date.parse(validFrom) || now > Date.parse(validTo)) throw new AppError('join/clock')
  }

  async #join(name: string, window: ClientWindow): Promise<JoinState> {
    const found = this.#found.get(window.id)
    if (!found) throw new AppError('join/nothing')
    const { url, certificate, hello, known } = found
    if (known) {
      await this.#options.signIn(window, known, { name: hello.workspace })
      return 'joined'
    }
    const pending: Pending = {
      url,
      certificate,
      apiKey: hello.api_key,
      request: this.#requestFor(found, name),
      workspace: hello.workspace,
      owner: hello.owner,
      name,
      since: this.#options.host.ports.clock.now(),
    }
    this.#joinedAlone = undefined
    // Stored first: after a crash the answer can still be asked for.
    await this.#options.host.secrets.set(PENDING, JSON.stringify(pending))
    const body = { id: found.keyId, secret: found.secret, name, request: pending.request }
    return this.#settle(pending, await this.#ask(found, body), window)
  }

  /** A refused request waits for nothing; one whose response was lost may. */
  async #ask(found: Found, body: object): Promise<Answer> {
    try {
      return await this.#post(found, JOIN_PATHS.ask, answerSchema, body)
    } catch (error) {
      if (error instanceof AppError && error.code !== 'join/unreachable')
        await this.#options.host.secrets.remove(PENDING)
      throw error
    }
  }

  /** The same request when the same person asks again after a lost response. */
  #requestFor({ secret, certificate }: Found, name: string): string {
    this.#salt ??= randomBytes(RANDOM_BYTES)
    return createHmac('sha256', this.#salt)
      .update(JSON.stringify([secret, certificate, name]))
      .digest('base64url')
      .slice(0, 22)
  }
  #salt: Buffer | undefined

  async #answer(window: ClientWindow): Promise<JoinState> {
    const pending = await this.#pending()
    if (pending) return this.#settle(pending, await this.#askAnswer(pending), window)
    if (!this.#joinedAlone) return 'gone'
    // Accepted between two questions of this window.
    await this.#options.signIn(window, this.#joinedAlone, {})
    return 'joined'
  }

  #askAnswer(pending: Pending): Promise<Answer> {
    return this.#post(pending, JOIN_PATHS.answer, answerSchema, { request: pending.request })
  }

  async #settle(pending: Pending, answer: Answer, window: ClientWindow | undefined): Promise<JoinState> {
    const { secrets } = this.#options.host
    if (answer.state === 'waiting') {
      this.#options.onWaiting?.()
      return 'waiting'
    }
    if (answer.state !== 'accepted') {
      this.#salt = undefined
      await secrets.remove(PENDING)
      return answer.state
    }
    const { url, apiKey, certificate, workspace } = pending
    const ref = { kind: 'hosted' as const, userId: answer.user_id, url, apiKey, certificate }
    const credential = writeCredential({ kind: 'token', token: answer.token })
    await this.#options.signIn(window, ref, { credential, name: workspace })
    this.#joinedAlone = window ? undefined : ref
    await secrets.remove(PENDING)
    return 'joined'
  }

  async #cancel(): Promise<void> {
    const pending = await this.#pending()
    if (!pending) return
    this.#salt = undefined
    await this.#options.host.secrets.remove(PENDING)
    // Without a connection the owner still sees the request, and nobody fetches the answer.
    await this.#post(pending, JOIN_PATHS.cancel, v.object({}), { request: pending.request }).catch(() => undefined)
  }

  async #pending(): Promise<Pending | undefined> {
    const text = await this.#options.host.secrets.get(PENDING)
    if (text === undefined) return undefined
    const parsed = v.safeParse(pendingSchema, JSON.parse(text))
    return parsed.success ? parsed.output : undefined
  }

  async #post<Schema extends v.GenericSchema>(
    { url, certificate }: Pick<Pending, 'url' | 'certificate'>,
    path: string,
    schema: Schema,
    body: object,
  ): Promise<v.InferOutput<Schema>> {
    const { http } = this.#options.host.ports
    const request = {
      method: 'POST',
      url: url + path,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
      certificate,
    }
    try {
      const { status, text } = await http.request(request)
      const reply: unknown = JSON.parse(text)
      if (status >= 200 && status < 300) return v.parse(schema, reply)
      throw new AppError(codeOf(status, reply))
    } catch (error) {
      if (error instanceof AppError) throw error
      const isOther = error instanceof TransportError && error.kind === 'certificate'
      throw new AppError(isOther ? 'join/certificate' : 'join/unreachable', { cause: error })
    }
  }
}

const REASONS: Readonly<Record<string, string>> = { wrong: 'join/wrong', ended: 'join/ended', used: 'join/used' }

function codeOf(status: number, reply: unknown): string {
  if (status === 429) return 'join/busy'
  const parsed = v.safeParse(refusalSchema, reply)
  const fields: Readonly<Record<string, string>> = parsed.success ? parsed.output.exception_fields : {}
  const { invitation = '', version, name } = fields
  if (name === 'taken') return 'join/name'
  if (version !== undefined) return Number(version) > SHARING_VERSION ? 'join/newer' : 'join/older'
  return REASONS[invitation] ?? 'join/unreachable'
}
