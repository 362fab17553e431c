import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Lock } from '#shared/domain/desktop/desktop.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { HandlersOf } from '#shared/bridge/index.ts'
import { DEFAULT_SETTINGS } from '#shared/domain/settings.ts'
import type { Policies } from '#shared/domain/desktop/policies.ts'
import { isReading } from '#shared/rules/channels/capabilities.ts'
import type { PowerCapability, SecretStore, Host, ClientWindow } from '#main/hosts/host.ts'
import { type Clock, every, type Stop } from '#main/lib/clock.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import type { AccountRef } from '#main/settings/profile.ts'
import { placeOf, isGuest } from '../accounts/account.ts'
import type { AccountRepository } from '../accounts/account-repository.ts'
import type { CallWindow } from '../windows/windows.ts'
import type { AccountActions } from '../accounts/session-calls.ts'
import { policyGate } from '../policies/gate.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Wrong PINs without a delay: typos happen. */
const FREE_TRIES = 3
/** The delay after each further one, in order; the last one applies to all that follow. */
const WAITS = [10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE] as const

/** How long attempts are refused after this many wrong PINs in a row, in milliseconds. */
export function waitAfter(wrong: number): number {
  if (wrong < FREE_TRIES) return 0
  return WAITS[Math.min(wrong - FREE_TRIES, WAITS.length - 1)] ?? 0
}

/** Calls allowed while Parlor is locked: none that shows, changes or sends anything. */
const WHILE_LOCKED: ReadonlySet<string> = new Set([
  'app.attach',
  'app.reportFocus',
  'app.logFailure',
  'desktop.safePage',
  'desktop.quit',
  'lock.unlock',
  'lock.forget',
])

export const mayWhileLocked = (call: string): boolean => WHILE_LOCKED.has(call)

const SECRET = 'app-lock'
/** Time between the announcement and the lock, in which windows save what is being written. */
export const SAVING_MS = 500
/** How often the idle time is checked. */
const CHECK_MS = 15_000
const MINUTE_MS = 60_000

type AppLockOptions = {
  readonly secrets: SecretStore
  readonly clock: Clock
  readonly power: PowerCapability | undefined
  /** Locks after this many minutes without input; 0: never. */
  readonly minutes: () => number
}

type LockListener = {
  /** Windows should save now: they will be locked shortly. */
  locking(): void
  /** {@link AppLock.state} has changed. `turned`: locked or unlocked. */
  changed(turned: boolean): void
}

/**
 * Parlor's own lock. It is locked at each start if there is a PIN. Wrong PINs are counted on disk before they are checked,
 * so that restarting the program does not shorten the wait. It protects windows from people, not files from programs.
 */
export class AppLock {
  readonly #options: AppLockOptions
  #stored: StoredPin | undefined
  #locked: boolean
  /** By the monotonic clock, which cannot be changed. */
  #waitsTo = 0
  #touchedAt: number
  #saving: Stop | undefined
  #listener: LockListener | undefined
  #turn: Promise<unknown> = Promise.resolve()
  readonly #stops: readonly Stop[]

  private constructor(options: AppLockOptions, stored: StoredPin | undefined) {
    const { clock, power } = options
    this.#options = options
    this.#stored = stored
    this.#locked = stored !== undefined
    this.#touchedAt = clock.monotonic()
    if (stored) this.#wait(stored.wrong)
    power?.onLock(() => this.#byItself())
    power?.onSuspend(() => this.#byItself())
    this.#stops = [every(clock, CHECK_MS, () => this.#checkIdle())]
  }

  static async open(options: AppLockOptions): Promise<AppLock> {
    return new AppLock(options, readPin(await options.secrets.get(SECRET)))
  }

  listen(listener: LockListener): void {
    this.#listener = listener
  }

  get locked(): boolean {
    return this.#locked
  }

  state(): Lock {
    const left = this.#waitsTo - this.#options.clock.monotonic()
    return {
      on: this.#stored !== undefined,
      locked: this.#locked,
      waitUntil: left > 0 ? this.#options.clock.now() + left : undefined,
    }
  }

  /** For the dispatcher. Throws `lock/locked`. */
  check(call: string): void {
    if (this.#locked && !mayWhileLocked(call)) throw new AppError('lock/locked')
  }

  set(pin: string, current = ''): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#stored) await this.#prove(current)
      await this.#store(await hashPin(pin))
      this.touched()
      this.#listener?.changed(false)
    })
  }

  remove(typed: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#prove(typed)
      await this.#forget()
    })
  }

  /** Throws `lock/none` if there is no PIN. */
  now(): void {
    if (!this.#stored) throw new AppError('lock/none')
    this.#close()
  }

  unlock(typed: string): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#locked) return
      await this.#prove(typed)
      this.#locked = false
      this.touched()
      this.#listener?.changed(true)
    })
  }

  /** Deletes the data that the PIN protected, and only then the PIN. */
  forget(wipe: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      await wipe()
      await this.#forget()
    })
  }

  touched(): void {
    this.#touchedAt = this.#options.clock.monotonic()
  }

  stop(): void {
    this.#saving?.()
    for (const stop of this.#stops) stop()
  }

  #checkIdle(): void {
    const { power, clock } = this.#options
    const idleMs = power?.idleMs?.() ?? clock.monotonic() - this.#touchedAt
    if (idleMs >= this.#options.minutes() * MINUTE_MS) this.#byItself()
  }

  #byItself(): void {
    if (this.#options.minutes() > 0 && this.#stored) this.#close()
  }

  #close(): void {
    if (this.#locked || this.#saving) return
    this.#listener?.locking()
    this.#saving = this.#options.clock.after(SAVING_MS, () => {
      this.#saving = undefined
      if (!this.#stored) return
      this.#locked = true
      this.#listener?.changed(true)
    })
  }

  /** Throws `lock/wait` and `lock/wrong`. */
  async #prove(typed: string): Promise<void> {
    if (!this.#stored) throw new AppError('lock/none')
    if (this.#waitsTo > this.#options.clock.monotonic()) throw new AppError('lock/wait')
    const { wrong } = this.#stored
    await this.#store({ ...this.#stored, wrong: wrong + 1 })
    if (await isPin(this.#stored, typed)) return this.#store({ ...this.#stored, wrong: 0 })
    this.#wait(wrong + 1)
    this.#listener?.changed(false)
    throw new AppError('lock/wrong')
  }

  #wait(wrong: number): void {
    this.#waitsTo = this.#options.clock.monotonic() + waitAfter(wrong)
  }

  async #store(stored: StoredPin): Promise<void> {
    await this.#options.secrets.set(SECRET, JSON.stringify(stored))
    this.#stored = stored
  }

  async #forget(): Promise<void> {
    await this.#options.secrets.remove(SECRET)
    const turned = this.#locked
    this.#stored = undefined
    this.#locked = false
    this.#waitsTo = 0
    this.#listener?.changed(turned)
  }

  /** Serialized: simultaneous attempts count one by one. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work, work)
    this.#turn = mine.catch(() => undefined)
    return mine
  }
}

/** Stored data of a PIN, never the PIN itself. `wrong`: failed attempts since the last correct one. */
const pinSchema = v.object({
  salt: v.string(),
  hash: v.string(),
  wrong: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
type StoredPin = v.InferOutput<typeof pinSchema>

const SALT_BYTES = 16
const HASH_BYTES = 32
/** About 50 ms and 16 MB per attempt. */
const COST = { N: 2 ** 14, r: 8, p: 1, maxmem: 32 * 2 ** 20 } as const

function hashOf(pin: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same PIN however a keyboard composes its characters.
    scrypt(pin.normalize('NFKC'), salt, HASH_BYTES, COST, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}

async function hashPin(pin: string): Promise<StoredPin> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await hashOf(pin, salt)
  return { salt: salt.toString('base64'), hash: hash.toString('base64'), wrong: 0 }
}

async function isPin(stored: StoredPin, typed: string): Promise<boolean> {
  const wanted = Buffer.from(stored.hash, 'base64')
  const hash = await hashOf(typed, Buffer.from(stored.salt, 'base64'))
  return wanted.length === hash.length && timingSafeEqual(wanted, hash)
}

/** `undefined` if there is none, or if it is malformed. */
function readPin(text: string | undefined): StoredPin | undefined {
  if (text === undefined) return undefined
  try {
    const parsed = v.safeParse(pinSchema, JSON.parse(text))
    return parsed.success ? parsed.output : undefined
  } catch {
    // Not JSON.
    return undefined
  }
}

type Options = {
  readonly host: Pick<Host, 'paths'>
  readonly lock: AppLock
  readonly repository: AccountRepository
  readonly store: SettingsStore
  readonly accountService: Pick<AccountActions, 'signOut' | 'deleteLocal'>
  /** Windows delete what they stored for these accounts. */
  readonly deleted: (accounts: readonly string[]) => void
  readonly publish: () => void
}

/** `lock.*` of the contract. */
export function lockCalls(options: Options): HandlersOf<'lock', CallWindow> {
  const { lock } = options
  return {
    set: ({ pin, current }) => lock.set(pin, current),
    remove: ({ pin }) => lock.remove(pin),
    now: () => lock.now(),
    unlock: ({ pin }) => lock.unlock(pin),
    forget: () => lock.forget(() => wipeAll(options)),
    touched: () => lock.touched(),
  }
}

/** Settings that contain the user's own texts and names: they are deleted with the accounts. */
const WRITTEN = [
  'snippets',
  'sidebars',
  'savedSearches',
  'lastChannels',
  'leftPlaces',
  'notifications',
  'traceless',
] as const

/** Deletes everything that the PIN protected: for a user who forgot it, and against one who never knew it. */
async function wipeAll({ host, repository, store, accountService, deleted, publish }: Options): Promise<void> {
  const refs = repository.all().map(({ ref }) => ref)
  for (const ref of refs) if (ref.kind === 'hosted') await accountService.signOut(ref, true)
  const local = refs.flatMap((ref) => (ref.kind === 'hosted' ? [] : [placeOf(ref)]))
  const stored = await namesIn(join(host.paths.data, 'workspaces'))
  for (const place of new Set([...local, ...stored])) await accountService.deleteLocal(place)
  // Of users who signed out earlier: their unsent messages were stored for their return.
  const accounts = join(host.paths.data, 'accounts')
  const left = await namesIn(accounts)
  for (const name of left) await rm(join(accounts, name), { recursive: true, force: true })
  deleted(left)
  store.update(Object.fromEntries(WRITTEN.map((name) => [name, DEFAULT_SETTINGS[name]])))
  publish()
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])

type GateOptions = {
  readonly policies: Policies
  readonly lock: { check(call: string): void }
  /** The areas that no engine handles. */
  readonly own: ReadonlySet<string>
  /** The account that a window shows. */
  readonly shown: (window: ClientWindow) => AccountRef | undefined
}

/** For the dispatcher: refuses calls that are not allowed, whatever the window offers. Throws the reason. */
export function callGates({
  policies,
  lock,
  own,
  shown,
}: GateOptions): (call: string, input: unknown, window: ClientWindow) => void {
  const policy = policyGate(policies)
  return (call, input, window) => {
    lock.check(call)
    const [area = ''] = call.split('.')
    const ref = own.has(area) ? undefined : shown(window)
    if (ref && isGuest(ref) && !isReading(call)) throw new AppError('session/guest')
    policy(call, input)
  }
}
