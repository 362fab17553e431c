import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'
import type { HandlersOf } from '#shared/bridge/index.ts'
import type { MoveProgress, SavedWorkspace, WorkspaceFileLook } from '#shared/domain/sharing.ts'
import { AppError } from '#shared/lib/app-error.ts'
import type { ClientWindow, Host } from '#main/hosts/host.ts'
import { exportName } from '#main/hosts/rules/pages/openable.ts'
import { type Logger, logger } from '#main/lib/logger.ts'
import type { AccountRef, Profile } from '#main/settings/profile.ts'
import type { SettingsStore } from '#main/settings/store.ts'
import { aboutSchema, cameFromSchema } from '#main/server/store/moving/container.ts'
import type { CallWindow } from '../windows/windows.ts'
import { serverIconOf } from '../accounts/hosted.ts'
import { cameSecret, type LocalWorkspace, movedSecret } from './local-workspace.ts'

type OwnRef = Extract<AccountRef, { kind: 'own' }>
type Stored = Profile['workspaces'][string]

type MovingOptions = {
  readonly host: Host
  readonly store: SettingsStore
  readonly refOf: (window: ClientWindow) => AccountRef | undefined
  readonly placeOf: (ref: OwnRef) => string
  /** A folder name that no workspace has. */
  readonly newPlace: () => string
  readonly workspace: (place: string) => LocalWorkspace
  /** Where it listens on the network now, if it does. */
  readonly listens: (ref: OwnRef) => Promise<{ addresses: readonly string[]; port: number } | undefined>
  /** Signs everyone of it out, and deletes nothing. */
  readonly putAside: (place: string) => Promise<void>
  readonly signIn: (window: ClientWindow, ref: OwnRef) => Promise<void>
  /** A workspace was put aside: opens what has to be open on the network. */
  readonly changed: () => void
}

type Calls = HandlersOf<'moving', CallWindow>

/** A file that was received; `look`: it was looked into, with this passphrase. */
type Received = { readonly id: string; readonly path: string; readonly looked?: Looked }
type Looked = { readonly passphrase: string | undefined; readonly about: NonNullable<TaskResult['about']> }

const INCOMING = 'incoming'
const COMING = '.coming'
const SECRET_BYTES = 32

/**
 * Moves own workspaces between devices in one file. Once it is saved, the copy here counts as moved: it is put aside, so
 * that two copies do not grow apart, until the user takes it back. See ADR 50.
 *
 * ```
 *   here ──save──▶ server held ──written──▶ moved ──finish──▶ put aside ──openLeft──▶ here
 *                       └── failed, canceled ──▶ here
 * ```
 */
export class WorkspaceMoving {
  readonly #options: MovingOptions
  readonly #log: Logger
  readonly #running = new Map<string, AbortController>()
  /** Saved and not yet put aside, by the id of the window. */
  readonly #saved = new Map<string, OwnRef>()
  #stopped = false
  #received: Received | undefined

  constructor(options: MovingOptions) {
    this.#options = options
    this.#log = logger('moving', options.host.log)
  }

  /** `moving.*` of the contract. */
  calls(): Calls {
    return {
      save: ({ passphrase }, { window }) => this.#save(this.#own(window), passphrase, window),
      cancel: (_input, { window }) => this.#running.get(window.id)?.abort(),
      finish: (_input, { window }) => this.#finish(this.#own(window), window),
      receive: ({ id, base64 }) => this.#receive(id, base64),
      look: ({ id, passphrase }) => this.#look(this.#open(id), passphrase),
      open: ({ id, share }, { window }) => this.#place(this.#open(id), share, window),
      forget: ({ id }) => this.#forget(id),
    }
  }

  /** What a window has saved is put aside, also if nobody was told so. */
  closed(window: Pick<ClientWindow, 'id'>): void {
    const ref = this.#saved.get(window.id)
    if (ref) this.#finish(ref, window).catch(() => this.#log.warn('not-put-aside', {}))
  }

  /** Ends what runs, when the app closes. */
  stop(): void {
    this.#stopped = true
    for (const controller of this.#running.values()) controller.abort()
  }

  #own(window: ClientWindow): OwnRef {
    const ref = this.#options.refOf(window)
    // A window opened "as" someone else of the workspace is not the owner's.
    if (ref?.kind !== 'own' || window.asUserId !== undefined) throw new AppError('sharing/not-own')
    return ref
  }

  async #alone<Result>(window: ClientWindow, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.#running.size > 0) throw new AppError('moving/busy')
    const controller = new AbortController()
    this.#running.set(window.id, controller)
    try {
      return await work(controller.signal)
    } finally {
      this.#running.delete(window.id)
    }
  }

  async #save(ref: OwnRef, passphrase: string | undefined, window: ClientWindow) {
    const { host, placeOf, store } = this.#options
    const place = placeOf(ref)
    // Saved before, and not put aside.
    if (store.profile().workspaces[place]?.moved !== undefined) {
      await this.#finish(ref, window)
      return {}
    }
    const now = host.ports.clock.now()
    const path = await host.folders?.placeFor(exportName(now, 'workspace', 'parlor-workspace'))
    if (path === undefined) return {}
    const { isDone, tells } = await this.#alone(window, async (signal) => {
      const { order, secret } = await this.#orderOf(ref, passphrase)
      const workspace = this.#options.workspace(place)
      await workspace.hold()
      let isDone = false
      try {
        const { secret: signing } = await workspace.keys()
        const args = ['pack', path, '--data', workspace.folder, '--owner', ref.userId, '--force']
        const task = { args, order, secret: signing, signal, onProgress: progressTo(window, 'writing') }
        const isWritten = (await runFileTask(host, task)) !== undefined
        if (isWritten && secret !== undefined) await host.secrets.set(movedSecret(place), secret)
        if (isWritten) this.#mark(place, ref, now)
        isDone = isWritten
      } finally {
        // What a process that was ended may leave.
        const record = join(workspace.folder, 'server.db.packing')
        await removeAll([`${path}.part`, record, `${record}.rewritten`])
        if (!isDone) {
          workspace.release()
          void workspace.running().catch(() => undefined)
        }
      }
      return { isDone, tells: secret !== undefined }
    })
    if (!isDone) return {}
    this.#log.info('saved', { keys: passphrase !== undefined })
    const saved: SavedWorkspace = {
      fileName: basename(path),
      folderName: basename(dirname(path)),
      keys: passphrase !== undefined,
    }
    const { sharing } = store.profile()
    if (sharing[place]?.on === true && !tells) this.#unshare(place)
    this.#saved.set(window.id, ref)
    return { saved }
  }

  /** What goes along besides the folder. Asked while the server still runs. */
  async #orderOf(
    ref: OwnRef,
    passphrase: string | undefined,
  ): Promise<{ readonly order: FileTask['order']; readonly secret: string | undefined }> {
    const { placeOf, workspace: workspaceOf, listens, store } = this.#options
    const workspace = workspaceOf(placeOf(ref))
    const { name = ref.name } = store.profile().workspaces[placeOf(ref)] ?? {}
    if (passphrase === undefined) return { order: { name, founded: ref.name }, secret: undefined }
    const { apiKey } = await workspace.keys()
    const at = await listens(ref)
    if (!at) return { order: { name, founded: ref.name, passphrase, apiKey }, secret: undefined }
    const secret = randomBytes(SECRET_BYTES).toString('base64url')
    const came = { ...at, certificate: (await workspace.certificate()).cert, secret }
    return { order: { name, founded: ref.name, passphrase, apiKey, came }, secret }
  }

  #mark(place: string, ref: OwnRef, moved: number): void {
    const { store } = this.#options
    const { workspaces } = store.profile()
    const before: Stored = workspaces[place] ?? { name: ref.name, userId: ref.userId }
    const founded = before.founded ?? ref.name
    store.saveProfile({ workspaces: { ...workspaces, [place]: { ...before, founded, userId: ref.userId, moved } } })
  }

  /** The file does not say how to tell this device where the workspace is, so there is nothing to tell people. */
  #unshare(place: string): void {
    const { store } = this.#options
    const { [place]: _shared, ...sharing } = store.profile().sharing
    store.saveProfile({ sharing })
  }

  async #finish(ref: OwnRef, window: Pick<ClientWindow, 'id'>): Promise<void> {
    const { placeOf, store, putAside, workspace, changed } = this.#options
    const place = placeOf(ref)
    if (store.profile().workspaces[place]?.moved === undefined) throw new AppError('sharing/not-own')
    this.#saved.delete(window.id)
    await putAside(place)
    // Closed with the last window: no server starts anymore.
    if (this.#stopped) return
    workspace(place).release()
    changed()
  }

  /** The previous file is deleted: one at a time. */
  async #receive(id: string | undefined, base64: string): Promise<{ readonly id: string }> {
    const { host } = this.#options
    if (id === undefined) {
      if (this.#received) await this.#forget(this.#received.id)
      const folder = join(host.paths.data, 'workspaces', INCOMING)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const made = host.ports.ids.uuid()
      this.#received = { id: made, path: join(folder, made) }
    }
    const received = this.#open(id ?? this.#received?.id ?? '')
    try {
      await appendFile(received.path, Buffer.from(base64, 'base64'), { mode: 0o600 })
    } catch (error) {
      await this.#forget(received.id)
      throw error
    }
    return { id: received.id }
  }

  #open(id: string): Received {
    if (this.#received?.id !== id) throw new AppError('moving/closed')
    return this.#received
  }

  async #forget(id: string): Promise<void> {
    if (this.#received?.id !== id) return
    const { path } = this.#received
    this.#received = undefined
    await rm(path, { force: true })
  }

  async #look(received: Received, passphrase: string | undefined): Promise<WorkspaceFileLook> {
    const { host } = this.#options
    const order = passphrase === undefined ? {} : { passphrase }
    const { signal } = new AbortController()
    const { about } = (await runFileTask(host, { args: ['look', received.path], order, signal })) ?? {}
    if (!about) throw new AppError('workspace-file/damaged')
    await this.#checkAlone(about)
    if (this.#received?.id === received.id) this.#received = { ...received, looked: { passphrase, about } }
    const { name, owner, savedAt, bytes, keys, came } = about
    return { id: received.id, name, ownerName: owner.name, savedAt, bytes, keys, shared: came }
  }

  /** Two copies of one workspace in use on one device would be taken for each other. */
  async #checkAlone({ workspace }: Looked['about']): Promise<void> {
    const { host, store } = this.#options
    if (await inUse(host, store.profile(), workspace)) throw new AppError('workspace-file/exists')
  }

  async #place({ path, looked }: Received, share: boolean, window: ClientWindow): Promise<boolean> {
    if (!looked) throw new AppError('moving/closed')
    const { host, newPlace, workspace, signIn, store } = this.#options
    const place = newPlace()
    const folder = join(host.paths.data, 'workspaces', place)
    const { about, passphrase } = looked
    const placed = await this.#alone(window, async (signal): Promise<TaskResult | undefined> => {
      await this.#checkAlone(about)
      const args = ['unpack', path, '--data', folder + COMING]
      const order = passphrase === undefined ? {} : { passphrase }
      try {
        const result = await runFileTask(host, { args, order, signal, onProgress: progressTo(window, 'placing') })
        if (!result) return undefined
        if (result.keys) await workspace(place).takeKeys(result.keys)
        if (result.came)
          await host.secrets.set(cameSecret(place), JSON.stringify({ ...result.came, since: this.#now() }))
        await rename(folder + COMING, folder)
        return result
      } finally {
        await removeAll([folder + COMING])
      }
    })
    if (!placed) return false
    const { name, founded, owner, icon } = about
    const { workspaces, sharing } = store.profile()
    store.saveProfile({
      workspaces: { ...workspaces, [place]: { name, founded, userId: owner.id, icon: serverIconOf(icon) } },
      ...(share && placed.came
        ? { sharing: { ...sharing, [place]: { on: true, port: freePort(placed.came.port, sharing), approve: true } } }
        : {}),
    })
    this.#log.info('opened', { keys: placed.keys !== undefined, shared: share })
    await signIn(window, { kind: 'own', userId: owner.id, name: founded, ...(place === 'own' ? {} : { place }) })
    if (this.#received?.path === path) await this.#forget(this.#received.id)
    return true
  }

  #now(): number {
    return this.#options.host.ports.clock.now()
  }
}

/** That port or the next one that no other workspace of this device listens on; one that has moved listens too. */
function freePort(wanted: number, sharing: Profile['sharing']): number {
  const taken = new Set(
    Object.values(sharing)
      .filter(({ on }) => on)
      .map((each) => each.port),
  )
  let port = wanted
  while (taken.has(port)) port = port === 65_535 ? 1_024 : port + 1
  return port
}

/** Whether a workspace of this id is on this device and has not moved away from it. */
export async function inUse(
  { paths }: Pick<Host, 'paths'>,
  { workspaces }: Pick<Profile, 'workspaces'>,
  id: string,
): Promise<boolean> {
  const folder = join(paths.data, 'workspaces')
  for (const [place, { moved }] of Object.entries(workspaces)) {
    if (moved === undefined && (await workspaceIdIn(join(folder, place))) === id) return true
  }
  return false
}

export async function workspaceIdIn(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, 'workspace-id'), 'utf8').catch(() => undefined)
  return text?.trim()
}

/** At start: what an end in the middle left. */
export async function finishMoving(host: Pick<Host, 'paths'>, store: SettingsStore): Promise<void> {
  const folder = join(host.paths.data, 'workspaces')
  const names = await readdir(folder).catch(() => [])
  await removeAll(names.filter((name) => name === INCOMING || name.endsWith(COMING)).map((name) => join(folder, name)))
  const { account, accounts, workspaces } = store.profile()
  const isAway = (ref: AccountRef): boolean => ref.kind === 'own' && workspaces[ref.place ?? 'own']?.moved !== undefined
  if (!accounts.some(({ ref }) => isAway(ref))) return
  const others = accounts.filter(({ ref }) => !isAway(ref))
  store.saveProfile({ accounts: others, account: account && isAway(account) ? others[0]?.ref : account })
}

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { recursive: true, force: true })
}

const progressTo =
  (window: ClientWindow, first: 'writing' | 'placing') =>
  ({ step, done, total }: MoveProgress): void => {
    const progress = { step: step === 'writing' ? first : step, done, total }
    window.push({ kind: 'effect', effect: { type: 'moving', progress } })
  }

/**
 * Work on a workspace file, in a process of its own: it takes as long as the disk does, and reads what may come from
 * anyone.
 */
type FileTask = {
  readonly args: readonly string[]
  /** See `PARLOR_MOVE` of the server program. */
  readonly order?: Readonly<Record<string, unknown>>
  readonly secret?: string
  readonly signal: AbortSignal
  readonly onProgress?: (progress: MoveProgress) => void
}

const lineSchema = v.variant('event', [
  v.object({
    event: v.literal('progress'),
    step: v.picklist(['writing', 'checking']),
    done: v.number(),
    total: v.number(),
  }),
  v.object({
    event: v.literal('about'),
    about: v.object({ ...aboutSchema.entries, keys: v.boolean(), came: v.boolean() }),
    sealed: v.boolean(),
  }),
  v.object({ event: v.literal('keys'), keys: aboutSchema.entries.keys, came: v.optional(cameFromSchema) }),
  v.object({ event: v.literal('done') }),
  v.object({ event: v.literal('failed'), code: v.string() }),
])
type Line = v.InferOutput<typeof lineSchema>

type TaskResult = {
  readonly about?: Extract<Line, { event: 'about' }>['about']
  readonly keys?: Extract<Line, { event: 'keys' }>['keys']
  readonly came?: Extract<Line, { event: 'keys' }>['came']
}

/** Rejects with the reason for which it failed; `undefined` when it was canceled. */
export async function runFileTask(
  host: Pick<Host, 'server'>,
  { args, order = {}, secret, signal, onProgress }: FileTask,
): Promise<TaskResult | undefined> {
  let result: TaskResult = {}
  let end: Extract<Line, { event: 'done' | 'failed' }> | undefined
  await host.server.run({
    args: [...args, '--progress'],
    environment: { PARLOR_MOVE: JSON.stringify(order), ...(secret === undefined ? {} : { PARLOR_SECRET: secret }) },
    signal,
    onLine(given) {
      const parsed = v.safeParse(lineSchema, given)
      if (!parsed.success) return
      const line = parsed.output
      if (line.event === 'progress') onProgress?.({ step: line.step, done: line.done, total: line.total })
      else if (line.event === 'about') result = { ...result, about: line.about }
      else if (line.event === 'keys') result = { ...result, keys: line.keys, came: line.came }
      else end = line
    },
  })
  if (end?.event === 'done') return result
  if (signal.aborted) return undefined
  throw new AppError(end?.code ?? 'data/not-written')
}
