import { errorBodyOf } from '#shared/lib/app-error.ts'
import type { Bridge, HostState } from '#shared/bridge/transport.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { DraftEdit } from '#shared/domain/draft.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Composition } from '#shared/rules/composer/composer.ts'
import { BACKUP_PREFIX } from '../lib/page/stored.ts'
import { accountKeyOf } from '../store/accounts.ts'
import { isUnanswered } from '../store/command.ts'
import {
  accepted,
  draftOf,
  draftSaved,
  draftSaving,
  editOf,
  returned,
  type ComposerState,
  type SendInput,
} from '../store/composers/composers.ts'
import { hostStateChanged, textsBackedUp, selectLock } from '../store/window/host.ts'
import type { AppStore } from '../store/store.ts'

/** Text of one window that main has not saved, or may not have. */
type Backup = {
  readonly account: string
  readonly drafts: readonly DraftBackup[]
  /** Sent without a response. Each has the id of its message, so that main accepts it once. */
  readonly sends: readonly SendInput[]
}

type DraftBackup = {
  readonly key: string
  readonly revision: number
  readonly composition: Composition
  readonly edit?: DraftEdit
}

type Parts = {
  readonly bridge: Bridge
  readonly engine: EngineClient
  readonly store: AppStore
  readonly storage?: Storage
}

/**
 * While main is unreachable, holds the texts of this window in memory and in local storage, so that closing the window
 * loses nothing, until main has saved them. Not in local storage when Parlor is locked with a PIN: the PIN would not
 * protect them there. Returns a function that stops it.
 */
export function backUpTexts({ bridge, engine, store, storage = localStorage }: Parts): () => void {
  const backups = new Backups(store, new Handover(engine, store), storage)
  let attached = store.getState().windows.attachCount
  const onHost = (state: HostState): void => {
    store.dispatch(hostStateChanged(state))
    if (state !== 'here') backups.collect()
    // A reset of this window, if any, arrives in the same frame.
    else queueMicrotask(() => void backups.handOver())
  }
  const stopReset = bridge.onReset?.(() => backups.onReset())
  const stopHost = bridge.onHost?.(onHost)
  const stopStore = store.subscribe(() => {
    const { windows, host } = store.getState()
    if (host.state !== 'here') backups.collect()
    if (windows.attachCount === attached) return
    attached = windows.attachCount
    backups.onAttached()
  })
  void backups.handOver()
  return () => {
    stopHost?.()
    stopReset?.()
    stopStore()
  }
}

/** The backup of this window, and those of closed ones in the same storage. */
class Backups {
  readonly #store: AppStore
  readonly #handover: Handover
  readonly #storage: Storage
  readonly #own = `${BACKUP_PREFIX}${crypto.randomUUID()}`
  /** Of this window, since main became unreachable. Not derived from the account's rows: they are absent while locked. */
  #mine: Backup | undefined
  #seen: unknown
  #working = false
  /** Main has not attached this window yet: a call now could reach another account. */
  #mustAttach = false

  constructor(store: AppStore, handover: Handover, storage: Storage) {
    this.#store = store
    this.#handover = handover
    this.#storage = storage
  }

  collect(): void {
    const state = this.#store.getState()
    const account = accountKeyOf(state)
    if (account === '' || state.composers === this.#seen) return
    this.#seen = state.composers
    this.#mine = backupIn(account, state.composers)
    this.#store.dispatch(textsBackedUp(this.#write()))
  }

  onReset(): void {
    this.#mustAttach = true
  }

  onAttached(): void {
    this.#mustAttach = false
    // Calls in flight when main lost this window get no response either.
    if (this.#mine === undefined) this.collect()
    void this.handOver()
  }

  async handOver(): Promise<void> {
    const account = accountKeyOf(this.#store.getState())
    if (this.#working || this.#mustAttach || account === '') return
    this.#working = true
    try {
      if (this.#mine?.account === account && (await this.#handover.submit(this.#mine, true))) {
        this.#mine = undefined
        this.#storage.removeItem(this.#own)
      }
      for (const [name, backup] of others(this.#storage, this.#own)) {
        const isOfAccount = backup.account === account
        if (isOfAccount && (await this.#handover.submit(backup, false))) this.#storage.removeItem(name)
      }
    } finally {
      this.#working = false
    }
  }

  /** Returns whether the window can be closed without losing text. */
  #write(): boolean {
    try {
      if (selectLock(this.#store.getState()).on) return false
      if (this.#mine === undefined) this.#storage.removeItem(this.#own)
      else this.#storage.setItem(this.#own, JSON.stringify(this.#mine))
      return true
    } catch {
      // Local storage is full: the texts are in memory only, and the window says so.
      return false
    }
  }
}

/** Submits the texts of a backup to main, which is reachable again. */
class Handover {
  readonly #engine: EngineClient
  readonly #store: AppStore

  constructor(engine: EngineClient, store: AppStore) {
    this.#engine = engine
    this.#store = store
  }

  /** False: main became unreachable again, and everything is retried. */
  async submit({ drafts, sends }: Backup, isOwn: boolean): Promise<boolean> {
    for (const input of sends) if (!(await this.#send(input))) return false
    for (const draft of drafts) if (!(await this.#save(draft, isOwn))) return false
    return true
  }

  async #send(input: SendInput): Promise<boolean> {
    const { id = '', cid, parentId, text } = input
    const key = parentId === undefined ? cid : `${cid}/${parentId}`
    try {
      await this.#engine.messages.send(input)
      this.#store.dispatch(accepted({ key, id }))
    } catch (error) {
      const failure = errorBodyOf(error)
      if (isUnanswered(failure)) return false
      const inFlight = this.#store.getState().composers[key]?.inFlight ?? []
      if (!inFlight.some((flight) => flight.id === id)) return this.#addToDraft({ cid: asCid(cid), text, parentId })
      this.#store.dispatch(returned({ key, id, failure }))
    }
    return true
  }

  /** For text that was refused and has no composer in this window to return to. */
  async #addToDraft(draft: Parameters<EngineClient['drafts']['add']>[0]): Promise<boolean> {
    try {
      await this.#engine.drafts.add(draft)
      return true
    } catch {
      // The backup stays in the browser for the next attempt.
      return false
    }
  }

  /** For this window, saves the composer's current content; for a closed one, the backup, like an edit of any other window. */
  async #save(backup: DraftBackup, isOwn: boolean): Promise<boolean> {
    const { key } = backup
    const here = isOwn ? this.#store.getState().composers[key] : undefined
    const { revision, composition, edit } = here === undefined ? backup : backupOf(key, here)
    const [cid = '', parentId] = key.split('/')
    if (here) this.#store.dispatch(draftSaving({ key }))
    try {
      const saved = await this.#engine.drafts.save({
        ...composition,
        cid: asCid(cid),
        parentId: parentId === undefined ? undefined : asMessageId(parentId),
        uploadIds: [...composition.uploadIds],
        edit: edit === undefined ? undefined : writable(edit),
        basedOn: revision < 0 ? undefined : revision,
      })
      if (here) this.#store.dispatch(draftSaved({ key, ...saved }))
      return true
    } catch (error) {
      if (here) this.#store.dispatch(draftSaved({ key }))
      // A composer in this window saves its own content from now on.
      return here !== undefined && !isUnanswered(errorBodyOf(error))
    }
  }
}

/** What main has not saved of a window's composers; `undefined`: nothing. */
function backupIn(account: string, composers: Readonly<Record<string, ComposerState>>): Backup | undefined {
  const drafts = Object.entries(composers).flatMap(([key, composer]): readonly DraftBackup[] => {
    if (!composer.touched && composer.saving === 0 && composer.inFlight.length === 0) return []
    return [backupOf(key, composer)]
  })
  const sends = Object.values(composers).flatMap(({ inFlight }) => inFlight.flatMap(({ input }) => input ?? []))
  return drafts.length + sends.length === 0 ? undefined : { account, drafts, sends }
}

/** Without the messages in flight: they are sent again on their own. */
function backupOf(key: string, composer: ComposerState): DraftBackup {
  const edit = editOf(composer)
  const composition = draftOf({ ...composer, inFlight: [] })
  return { key, revision: composer.revision, composition, edit }
}

const writable = ({ dropped, erased, ...edit }: DraftEdit) => ({
  ...edit,
  ...(dropped === undefined ? {} : { dropped: [...dropped] }),
  ...(erased === undefined ? {} : { erased: [...erased] }),
})

/** The backups of closed windows in this browser. Those that cannot be parsed are removed. */
function others(storage: Storage, own: string): readonly (readonly [string, Backup])[] {
  const names = Object.keys(storage).filter((name) => name.startsWith(BACKUP_PREFIX) && name !== own)
  return names.flatMap((name): readonly (readonly [string, Backup])[] => {
    try {
      const backup = JSON.parse(storage.getItem(name) ?? '') as Backup
      if (typeof backup.account === 'string' && Array.isArray(backup.drafts) && Array.isArray(backup.sends)) {
        return [[name, backup]]
      }
    } catch {
      // Not a backup: removed below.
    }
    storage.removeItem(name)
    return []
  })
}
