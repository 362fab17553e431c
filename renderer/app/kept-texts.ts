import type { Bridge, HostState } from '#shared/bridge/transport.ts'
import type { EngineClient } from '#shared/bridge/index.ts'
import type { DraftEdit } from '#shared/domain/draft.ts'
import { asCid, asMessageId } from '#shared/lib/brand.ts'
import type { Composition } from '#shared/rules/composer/compositions.ts'
import { whoOf } from '../store/accounts.ts'
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
import { hostTold, textsKept } from '../store/window/host.ts'
import { selectLock } from '../store/window/lock.ts'
import type { AppStore } from '../store/store.ts'

/** What one window holds that main does not have, or may not have. */
type Kept = {
  readonly account: string
  readonly drafts: readonly KeptDraft[]
  /** Handed over without an answer. Each has the id of its message, so that main takes it once. */
  readonly sends: readonly SendInput[]
}

type KeptDraft = {
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
 * While the program behind a page is gone its texts stand here, by account and place, and in the browser too, so that a
 * closed window loses nothing: until main has taken them, and never in the browser where Parlor is locked with a PIN,
 * which would not protect them there. Answers a way to end it.
 */
export function keepTexts({ bridge, engine, store, storage = localStorage }: Parts): () => void {
  const own = `${PREFIX}${crypto.randomUUID()}`
  /** Of this window, since main went; it outlives the rows of the account, which are not there while Parlor is locked. */
  let mine: Kept | undefined
  let seen: unknown
  let attached = store.getState().windows.attachCount
  let working = false
  /** Main does not know this window yet: what is asked now could reach another account. */
  let mustAttach = false

  function collect(): void {
    const state = store.getState()
    const account = whoOf(state)
    if (account === '' || state.composers === seen) return
    seen = state.composers
    const entries = Object.entries(state.composers)
    const drafts = entries.flatMap(([key, composer]): readonly KeptDraft[] => {
      if (!composer.touched && composer.saving === 0 && composer.inFlight.length === 0) return []
      return [keptOf(key, composer)]
    })
    const sends = entries.flatMap(([, { inFlight }]) => inFlight.flatMap(({ input }) => input ?? []))
    mine = drafts.length + sends.length === 0 ? undefined : { account, drafts, sends }
    store.dispatch(textsKept(write()))
  }

  /** Answers whether a closed window would lose nothing. */
  function write(): boolean {
    try {
      if (selectLock(store.getState()).on) return false
      if (mine === undefined) storage.removeItem(own)
      else storage.setItem(own, JSON.stringify(mine))
      return true
    } catch {
      // The browser gives no room: the texts stand in this window, and it says so.
      return false
    }
  }

  async function handOver(): Promise<void> {
    const account = whoOf(store.getState())
    if (working || mustAttach || account === '') return
    working = true
    try {
      if (mine?.account === account && (await handOne(mine, true))) {
        mine = undefined
        storage.removeItem(own)
      }
      for (const [name, kept] of others(storage, own)) {
        if (kept.account === account && (await handOne(kept, false))) storage.removeItem(name)
      }
    } finally {
      working = false
    }
  }

  /** False: main went again, and all of it stays. */
  async function handOne({ drafts, sends }: Kept, isOwn: boolean): Promise<boolean> {
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
      if (!isHere) return addToDraft({ cid: asCid(cid), text, ...(parentId === undefined ? {} : { parentId }) })
      store.dispatch(returned({ key, id, failure }))
    }
    return true
  }

  /** Words that cannot be sent and have no composer to come back to. */
  async function addToDraft(draft: Parameters<EngineClient['drafts']['add']>[0]): Promise<boolean> {
    try {
      await engine.drafts.add(draft)
      return true
    } catch {
      // They stay in the browser, for the next time.
      return false
    }
  }

  /** Of this window as it stands now; what a closed one left is a saving like that of any other window. */
  async function save(kept: KeptDraft, isOwn: boolean): Promise<boolean> {
    const { key } = kept
    const here = isOwn ? store.getState().composers[key] : undefined
    const { revision, composition, edit } = here === undefined ? kept : keptOf(key, here)
    const [cid = '', parentId] = key.split('/')
    if (here) store.dispatch(draftSaving({ key }))
    try {
      const saved = await engine.drafts.save({
        ...composition,
        cid: asCid(cid),
        ...(parentId === undefined ? {} : { parentId: asMessageId(parentId) }),
        uploadIds: [...composition.uploadIds],
        ...(edit === undefined ? {} : { edit: writable(edit) }),
        ...(revision < 0 ? {} : { basedOn: revision }),
      })
      if (here) store.dispatch(draftSaved({ key, ...saved }))
      return true
    } catch (error) {
      if (here) store.dispatch(draftSaved({ key }))
      // What stands in a composer is saved by it from now on.
      return here !== undefined && !isUnanswered(errorBodyOf(error))
    }
  }

  const onHost = (state: HostState): void => {
    store.dispatch(hostTold(state))
    if (state !== 'here') collect()
    // Whether it still knows this window comes with the same frame.
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
    // What was under way when main forgot this window has no answer either.
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

/** What is on its way is handed over by itself. */
function keptOf(key: string, composer: ComposerState): KeptDraft {
  const edit = editOf(composer)
  const composition = draftOf({ ...composer, inFlight: [] })
  return { key, revision: composer.revision, composition, ...(edit === undefined ? {} : { edit }) }
}

const writable = ({ dropped, erased, ...edit }: DraftEdit) => ({
  ...edit,
  ...(dropped === undefined ? {} : { dropped: [...dropped] }),
  ...(erased === undefined ? {} : { erased: [...erased] }),
})

/** What windows that are closed have left in this browser. What cannot be read is no text of ours, and goes. */
function others(storage: Storage, own: string): readonly (readonly [string, Kept])[] {
  const names = Object.keys(storage).filter((name) => name.startsWith(PREFIX) && name !== own)
  return names.flatMap((name): readonly (readonly [string, Kept])[] => {
    try {
      const kept = JSON.parse(storage.getItem(name) ?? '') as Kept
      if (typeof kept.account === 'string' && Array.isArray(kept.drafts) && Array.isArray(kept.sends)) {
        return [[name, kept]]
      }
    } catch {
      // Falls through: it goes.
    }
    storage.removeItem(name)
    return []
  })
}
