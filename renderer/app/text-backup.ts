import type { Bridge, HostState } from '#shared/bridge/transport.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { DraftEdit } from '#shared/domain/draft.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Composition } from '#shared/rules/composer/compositions.ts'
import { accountKeyOf } from '../store/accounts.ts'
import { errorBodyOf, isUnanswered } from '../store/command.ts'
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
import { hostStateChanged, textsBackedUp } from '../store/window/host.ts'
import { selectLock } from '../store/window/lock.ts'
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

const PREFIX = 'parlor.kept.'

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
  const own = `${PREFIX}${crypto.randomUUID()}`
  /** Of this window, since main became unreachable. Not derived from the account's rows: they are absent while locked. */
  let mine: Backup | undefined
  let seen: unknown
  let attached = store.getState().windows.attachCount
  let working = false
  /** Main has not attached this window yet: a call now could reach another account. */
  let mustAttach = false

  function collect(): void {
    const state = store.getState()
    const account = accountKeyOf(state)
    if (account === '' || state.composers === seen) return
    seen = state.composers
    const entries = Object.entries(state.composers)
    const drafts = entries.flatMap(([key, composer]): readonly DraftBackup[] => {
      if (!composer.touched && composer.saving === 0 && composer.inFlight.length === 0) return []
      return [backupOf(key, composer)]
    })
    const sends = entries.flatMap(([, { inFlight }]) => inFlight.flatMap(({ input }) => input ?? []))
    mine = drafts.length + sends.length === 0 ? undefined : { account, drafts, sends }
    store.dispatch(textsBackedUp(write()))
  }

  /** Returns whether the window can be closed without losing text. */
  function write(): boolean {
    try {
      if (selectLock(store.getState()).on) return false
      if (mine === undefined) storage.removeItem(own)
      else storage.setItem(own, JSON.stringify(mine))
      return true
    } catch {
      // Local storage is full: the texts are in memory only, and the window says so.
      return false
    }
  }

  async function handOver(): Promise<void> {
    const account = accountKeyOf(store.getState())
    if (working || mustAttach || account === '') return
    working = true
    try {
      if (mine?.account === account && (await handOne(mine, true))) {
        mine = undefined
        storage.removeItem(own)
      }
      for (const [name, backup] of others(storage, own)) {
        if (backup.account === account && (await handOne(backup, false))) storage.removeItem(name)
      }
    } finally {
      working = false
    }
  }

  /** False: main became unreachable again, and everything is retried. */
  async function handOne({ drafts, sends }: Backup, isOwn: boolean): Promise<boolean> {
    for (const input of sends) if (!(await sendAgain(input))) return false
    for (const draft of drafts) if (!(await save(draft, isOwn))) return false
    return true
  }

  async function sendAgain(input: SendInput): Promise<boolean> {
    const { id = '', cid, parentId, text } = input
    const key = parentId === undefined ? cid : `${cid}/${parentId}`
    try {
      await engine.messages.send(input)
      store.dispatch(accepted({ key, id }))
    } catch (error) {
      const failure = errorBodyOf(error)
      if (isUnanswered(failure)) return false
      const isHere = store.getState().composers[key]?.inFlight.some((flight) => flight.id === id) === true
      if (!isHere) return addToDraft({ cid: asCid(cid), text, parentId })
      store.dispatch(returned({ key, id, failure }))
    }
    return true
  }

  /** For text that was refused and has no composer in this window to return to. */
  async function addToDraft(draft: Parameters<EngineClient['drafts']['add']>[0]): Promise<boolean> {
    try {
      await engine.drafts.add(draft)
      return true
    } catch {
      // The backup stays in the browser for the next attempt.
      return false
    }
  }

  /** For this window, saves the composer's current content; for a closed one, the backup, like an edit of any other window. */
  async function save(backup: DraftBackup, isOwn: boolean): Promise<boolean> {
    const { key } = backup
    const here = isOwn ? store.getState().composers[key] : undefined
    const { revision, composition, edit } = here === undefined ? backup : backupOf(key, here)
    const [cid = '', parentId] = key.split('/')
    if (here) store.dispatch(draftSaving({ key }))
    try {
      const saved = await engine.drafts.save({
        ...composition,
        cid: asCid(cid),
        parentId: parentId === undefined ? undefined : asMessageId(parentId),
        uploadIds: [...composition.uploadIds],
        edit: edit === undefined ? undefined : writable(edit),
        basedOn: revision < 0 ? undefined : revision,
      })
      if (here) store.dispatch(draftSaved({ key, ...saved }))
      return true
    } catch (error) {
      if (here) store.dispatch(draftSaved({ key }))
      // A composer in this window saves its own content from now on.
      return here !== undefined && !isUnanswered(errorBodyOf(error))
    }
  }

  const onHost = (state: HostState): void => {
    store.dispatch(hostStateChanged(state))
    if (state !== 'here') collect()
    // A reset of this window, if any, arrives in the same frame.
    else queueMicrotask(() => void handOver())
  }
  const stopReset = bridge.onReset?.(() => {
    mustAttach = true
  })
  const stopHost = bridge.onHost?.(onHost)
  const stopStore = store.subscribe(() => {
    const { windows, host } = store.getState()
    if (host.state !== 'here') collect()
    if (windows.attachCount === attached) return
    attached = windows.attachCount
    mustAttach = false
    // Calls in flight when main lost this window get no response either.
    if (mine === undefined) collect()
    void handOver()
  })
  void handOver()
  return () => {
    stopHost?.()
    stopReset?.()
    stopStore()
  }
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
  const names = Object.keys(storage).filter((name) => name.startsWith(PREFIX) && name !== own)
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
