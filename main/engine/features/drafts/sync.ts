import { MAX_MESSAGE_LENGTH } from '#shared/constants.ts'
import { composerKey } from '#shared/domain/draft.ts'
import type { IntentFor } from '#shared/domain/intent.ts'
import { asCid, asMessageId, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { NOTICES } from '#shared/rules/notifications/notices.ts'
import { queryDrafts, createDraft, deleteDraft } from '#shared/wire/messages.ts'
import { splitCid } from '#shared/rules/channels/channels.ts'
import type { Store } from '#main/cache/files/open.ts'
import type { DraftRow } from '#main/cache/rows.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import type { Stop } from '#main/lib/clock.ts'
import type { Tx } from '#main/cache/store.ts'
import type { Core } from '../../core.ts'
import { asList, cursorOf, timeOf } from '../../decode/read.ts'
import { decodeServerDraft, type ServerDraft } from '../../decode/channel.ts'
import type { Done } from '../../outbox/runner.ts'
import type { ClientId } from '../../context.ts'

/** At most one request per composer in this time. */
const QUIET_MS = 2_000
const PAGE = 100
/** A bound against a server that never ends its list. */
const MAX_PAGES = 50

type DraftIntent = IntentFor<'create-draft'> | IntentFor<'delete-draft'>

type Parts = Pick<
  Core,
  | 'api'
  | 'asOf'
  | 'cache'
  | 'errands'
  | 'isHealthy'
  | 'life'
  | 'me'
  | 'memory'
  | 'notify'
  | 'outbox'
  | 'ports'
  | 'runner'
  | 'serverNow'
  | 'stores'
>

/**
 * Synchronizes drafts between the viewer's devices. Off by default in the settings.
 *
 * The newest text wins. Local text that is replaced by newer text of another device is stored beside the draft (`lost`)
 * until the user has decided. Files are not synchronized: they are staged here.
 */
export class DraftSync {
  readonly #core: Parts
  readonly #store: Store
  readonly #timers = new Map<string, Stop>()
  /** Keys of drafts that the server is known to have. */
  readonly #onServer: Set<string>

  constructor(core: Parts) {
    this.#core = core
    this.#store = core.stores.outbox
    this.#onServer = new Set(drafts.all(this.#store.reader).flatMap((row) => (row.synced ? [row.key] : [])))
  }

  /** These drafts were written or removed here. */
  touched(keys: Iterable<string>): void {
    if (this.#isOn()) for (const key of keys) this.#plan(key)
  }

  /** Another device of the viewer changed a draft (or this is the echo of this one). */
  received(draft: ServerDraft): void {
    const { key, at } = draft
    if (!this.#isOn() || !channels.byCid(this.#core.cache.reader, draft.cid)) return
    const row = this.#rowOf(key)
    if (row?.synced && row.synced.at >= at) return
    this.#onServer.add(key)
    const pending = this.#waiting(key)
    if (pending.some((each) => each.kind === 'delete-draft' || each.payload.draftId === draft.id)) return
    const synced = { id: draft.id, text: draft.text, at }
    if (row && row.text === draft.text) return this.#put({ ...row, synced })
    const isDirty = row !== undefined && hasText(row) && differs(row)
    const hereAt = (row?.updatedAt ?? 0) + this.#core.serverNow() - this.#core.ports.clock.now()
    if (isDirty && hereAt > at) return this.#plan(key)
    this.#core.outbox.remove(pending.filter((each) => each.state !== 'inflight').map((each) => each.id))
    this.#put(
      withRemoteText(row, { ...draft, hereAt: at - this.#core.serverNow() + this.#core.ports.clock.now() }, isDirty),
    )
  }

  /** Another device removed it at `at` (server time). */
  removed(key: string, at: number): void {
    this.#onServer.delete(key)
    const row = this.#rowOf(key)
    if (!this.#isOn() || !row?.synced || row.synced.at >= at) return
    const { synced, ...rest } = row
    const isUntouched =
      row.text === synced.text &&
      row.uploadIds.length === 0 &&
      row.lost === undefined &&
      row.edit === undefined &&
      row.polls === undefined
    if (isUntouched) this.#store.transaction((tx) => drafts.remove(tx, key))
    else this.#put(rest)
  }

  /** Whether the server has this draft now. */
  known(key: string, isHeld: boolean): void {
    if (isHeld) this.#onServer.add(key)
    else this.#onServer.delete(key)
  }

  /** Compares with all drafts of the server, after a connection or when the setting was switched on. */
  load(): void {
    if (this.#isOn()) this.#load()
  }

  settingsChanged(): void {
    if (this.#isOn()) return void (this.#core.isHealthy() && this.#load())
    this.#stopTimers()
    const idle = this.#core.outbox.all().filter((each) => each.kind === 'create-draft' || each.kind === 'delete-draft')
    this.#core.outbox.remove(idle.filter((each) => each.state !== 'inflight').map((each) => each.id))
  }

  /** Queues the changes of the last seconds at once. */
  flush(): void {
    const keys = [...this.#timers.keys()]
    this.#stopTimers()
    for (const key of keys) this.#queueChange(key)
  }

  #stopTimers(): void {
    for (const stop of this.#timers.values()) stop()
    this.#timers.clear()
  }

  #isOn(): boolean {
    return this.#core.memory.settings.syncDrafts
  }

  #rowOf(key: string): DraftRow | undefined {
    return drafts.byKey(this.#store.reader, key)
  }

  #put(row: DraftRow): void {
    this.#store.transaction((tx) => drafts.put(tx, row))
  }

  #waiting(key: string): readonly DraftIntent[] {
    return this.#core.outbox
      .all()
      .filter((each): each is DraftIntent => each.kind === 'create-draft' || each.kind === 'delete-draft')
      .filter((each) => composerKey(each.cid, each.parentId) === key)
  }

  /** Queues an intent that brings the server to the local state, if it differs. */
  #queueChange(key: string): void {
    const row = this.#rowOf(key)
    const place = placeOf(key)
    if (row && hasText(row)) {
      // Longer than any message: no server accepts it, so it stays local.
      if (!differs(row) || row.text.length > MAX_MESSAGE_LENGTH) return
      const { text, quotedId, showInChannel } = row
      const quoted = quotedId === undefined ? {} : { quotedId }
      const payload = { text, ...quoted, showInChannel, draftId: this.#core.ports.ids.uuid() }
      this.#core.outbox.add({ kind: 'create-draft', ...place, payload })
    } else if (this.#onServer.has(key) || this.#waiting(key).some((each) => each.kind === 'create-draft')) {
      this.#core.outbox.add({ kind: 'delete-draft', ...place, payload: {} })
    } else return
    this.#core.runner.kick()
  }

  #plan(key: string): void {
    if (this.#timers.has(key)) return
    const row = this.#rowOf(key)
    // A draft that was sent is removed from other devices at once.
    const ms = row && hasText(row) ? QUIET_MS : 0
    const stop = this.#core.ports.clock.after(ms, () => {
      this.#timers.delete(key)
      if (this.#isOn()) this.#queueChange(key)
    })
    this.#timers.set(key, stop)
  }

  #load(): void {
    const work = async (isFirst: boolean): Promise<void> => {
      try {
        if (this.#isOn()) await this.#compare()
      } catch (error) {
        // Without a connection this is not a failure: it is repeated on the next one.
        if (isFirst && this.#core.isHealthy() && !this.#core.life.aborted) this.#core.notify(NOTICES.draftFailed)
        throw error
      }
    }
    this.#core.errands.begin({ key: 'drafts', part: 'drafts', work })
  }

  async #compare(): Promise<void> {
    const seen = new Set<string>()
    const asOf = this.#core.asOf()
    let next: string | undefined
    let isWhole = false
    for (let count = 0; count < MAX_PAGES; count += 1) {
      const page: { drafts: readonly unknown[]; next?: string | null } = await this.#core.api.send(queryDrafts, {
        body: { limit: PAGE, next },
        signal: this.#core.life,
      })
      for (const wire of asList(page.drafts)) {
        const draft = decodeServerDraft(wire, { viewerId: this.#core.me, asOf, isAnswer: true })
        if (!draft) continue
        seen.add(draft.key)
        this.received(draft)
      }
      isWhole = !page.next
      next = cursorOf(page.next, next)
      if (next === undefined) break
    }
    for (const row of drafts.all(this.#store.reader)) {
      // An incomplete list does not name all drafts: a missing one may still exist.
      if (isWhole && row.synced && row.synced.at < asOf && !seen.has(row.key)) this.removed(row.key, asOf)
      else if (hasText(row) && differs(row)) this.#plan(row.key)
    }
  }
}

/** Whitespace does not count as text, and files are not synchronized. */
const hasText = (row: DraftRow): boolean => row.text.trim() !== ''
const differs = (row: DraftRow): boolean => row.synced?.text !== row.text

/** A cid contains no slash: the part after one is the thread. */
function placeOf(key: string): { cid: Cid; parentId?: MessageId } {
  const slash = key.indexOf('/')
  if (slash < 0) return { cid: asCid(key) }
  return { cid: asCid(key.slice(0, slash)), parentId: asMessageId(key.slice(slash + 1)) }
}

/** Replaces the local text by the other device's; local text that no one else has is stored in `lost`. */
function withRemoteText(
  row: DraftRow | undefined,
  draft: ServerDraft & { hereAt: number },
  isDirty: boolean,
): DraftRow {
  const { key, cid, parentId, text, quotedId, showInChannel, id, at, hereAt } = draft
  const older = row?.lost?.text
  const lost =
    row && isDirty ? { text: older === undefined ? row.text : `${older}\n${row.text}`, at: row.updatedAt } : row?.lost
  return {
    key,
    cid,
    parentId,
    text,
    quotedId,
    uploadIds: row?.uploadIds ?? [],
    caret: text.length,
    showInChannel,
    updatedAt: hereAt,
    synced: { id, text, at },
    lost,
    edit: row?.edit,
    polls: row?.polls,
  }
}

/** Sends the whole text; it replaces the composer's draft on the server. See docs/wire.md 3.6. */
export async function sendDraft(
  core: Pick<Core, 'api' | 'asOf' | 'drafts'>,
  intent: IntentFor<'create-draft'>,
  signal: AbortSignal,
): Promise<Done> {
  const { cid, parentId, payload, id } = intent
  const draftId = payload.draftId ?? id
  const { draft } = await core.api.send(createDraft, {
    params: splitCid(cid),
    body: {
      message: {
        id: draftId,
        text: payload.text,
        ...(parentId === undefined ? {} : { parent_id: parentId, show_in_channel: payload.showInChannel ?? false }),
        ...(payload.quotedId === undefined ? {} : { quoted_message_id: payload.quotedId }),
      },
    },
    signal,
  })
  const synced = { id: draftId, text: payload.text, at: timeOf(draft.created_at) ?? core.asOf() }
  return {
    finish: (tx) => {
      const row = drafts.byKey(tx, composerKey(cid, parentId))
      if (row && (row.synced?.at ?? 0) <= synced.at) drafts.put(tx, { ...row, synced })
    },
    after: () => core.drafts().known(composerKey(cid, parentId), true),
  }
}

export async function dropDraft(
  core: Pick<Core, 'api' | 'drafts'>,
  intent: IntentFor<'delete-draft'>,
  signal: AbortSignal,
): Promise<Done> {
  const { cid, parentId } = intent
  const query = parentId === undefined ? {} : { parent_id: parentId }
  await core.api.send(deleteDraft, { params: splitCid(cid), query, signal })
  return { after: () => core.drafts().known(composerKey(cid, parentId), false) }
}

/**
 * Empties the composer. Conflicting text stays until the user has decided, and so do an unfinished edit and an unfinished
 * poll.
 */
export function emptyComposer(tx: Tx, key: string, now: number): void {
  const row = drafts.byKey(tx, key)
  if (row === undefined || (row.lost === undefined && row.edit === undefined && row.polls === undefined)) {
    return void drafts.remove(tx, key)
  }
  const { quotedId: _quoted, synced: _synced, selectedTo: _selected, ...rest } = row
  drafts.put(tx, { ...rest, text: '', uploadIds: [], caret: 0, updatedAt: now })
}

/**
 * Revisions of drafts, for several windows of one user: every change of a composer's content raises its revision, also the
 * one that empties it. A window that writes sends the revision it knows, so that it does not overwrite unseen text.
 */
export type DraftRevisions = {
  /** These rows were written or removed. */
  touched(keys: Iterable<string>): void
  /** The last change was made by this window. */
  setWriter(key: string, client: ClientId): void
  revision(key: string): number
  /** Whether something else has written since the revision that this window knows. */
  isUnseen(key: string, client: ClientId, known: number | undefined): boolean
}

type RevisionsParts = {
  /** Higher than all revisions of earlier runs. */
  readonly first: number
  /** Published as the entity `draftRevisions`. */
  readonly revisions: Map<string, number>
  readonly row: (key: string) => DraftRow | undefined
  readonly rows: () => readonly DraftRow[]
  readonly onRaised: (key: string) => void
}

export function createDraftRevisions({ first, revisions, row, rows, onRaised }: RevisionsParts): DraftRevisions {
  let last = first
  const writers = new Map<string, ClientId>()
  const known = new Map<string, DraftRow>(rows().map((each) => [each.key, each]))

  return {
    touched(keys) {
      for (const key of keys) {
        const current = row(key)
        if (isSame(known.get(key), current)) continue
        if (current) known.set(key, current)
        else known.delete(key)
        last += 1
        revisions.set(key, last)
        writers.delete(key)
        onRaised(key)
      }
    },
    setWriter: (key, client) => void writers.set(key, client),
    revision: (key) => revisions.get(key) ?? 0,
    isUnseen: (key, client, seen) =>
      seen !== undefined && (revisions.get(key) ?? 0) > seen && writers.get(key) !== client,
  }
}

/** The caret and the synchronization state are not part of the content. */
function isSame(a: DraftRow | undefined, b: DraftRow | undefined): boolean {
  return JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b))
}

function contentOf(row: DraftRow | undefined): unknown {
  if (row === undefined) return undefined
  const { text, quotedId, uploadIds, showInChannel, edit, lost } = row
  return [text, quotedId, uploadIds, showInChannel, edit, lost?.text]
}
