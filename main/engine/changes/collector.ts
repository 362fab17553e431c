import { NO_CHANNEL } from '#shared/domain/intent.ts'
import type { ChangeSet, EntityMap, EntityName, Window, WindowKey } from '#shared/domain/changes.ts'
import type { InviteArrival } from '#shared/domain/channel.ts'
import type { Message } from '#shared/domain/message.ts'
import { asCid, asMessageId, asUserId, type Cid } from '#shared/lib/brand.ts'
import type { CustomEmoji, EmojiTerms } from '#shared/domain/emoji.ts'
import { type ManageState, rightsOf } from '#shared/domain/manage/manage.ts'
import type { PendingDecision } from '#shared/domain/manage/review.ts'
import type { Touched } from '#main/cache/store.ts'
import * as channels from '#main/cache/channels/channels.ts'
import * as emoji from '#main/cache/people/emoji.ts'
import * as drafts from '#main/cache/outbox/drafts.ts'
import * as follows from '#main/cache/outbox/thread-follows.ts'
import * as uploads from '#main/cache/outbox/uploads.ts'
import * as users from '#main/cache/people/users.ts'
import type { Clock, Stop } from '#main/lib/clock.ts'
import { pictureRef } from '#main/cache/messages/media.ts'
import type { Badge, ClientId, Commit } from '../context.ts'
import { shownConnection } from '../session/token.ts'
import { type BadgeCounter, createBadgeCounter } from './badge.ts'
import {
  collect,
  createInterest,
  emptyDraft,
  note,
  type Interest,
  type Lookup,
  mayCache,
  cacheList,
  gather,
  gatherKey,
  isNothing,
  nothingGathered,
  showPlain,
  unsentKeys,
} from './interest.ts'
import type { ReadContext } from './memory.ts'
import { visibleInbox, visibleMessage, withBlocks } from './visible-message.ts'
import {
  laterOrder,
  visibleReminder,
  visibleChannel,
  visibleDraft,
  visibleOutboxItem,
  visiblePoll,
  visibleReads,
  visibleTyping,
  visibleUpload,
  visibleUser,
} from './visible.ts'
import { showList, type ListView, type Shown } from './windows.ts'

/** Twice a second is enough to see how it goes on. */
const UNHURRIED_MS = 500

/**
 * The only source of changes for windows. Transactions and state in memory report which keys they touched; once per turn
 * of the event loop the visible rows of those keys and the lists containing them are read again and sent as one change-set
 * per window.
 */
export class Collector {
  readonly #context: ReadContext
  readonly #clock: Pick<Clock, 'after'>
  readonly #interests = new Map<ClientId, Interest>()
  readonly #listeners = new Set<(commit: Commit) => void>()
  readonly #followers = new Set<(commit: Commit) => void>()
  readonly #badge: BadgeCounter
  #gathered = nothingGathered()
  #arrived: string[] = []
  #invited: InviteArrival[] = []
  /** Notices that were raised while no window was attached: the next one shows them. */
  readonly #unshown = new Set<string>()
  #planned: { readonly inMs: number; readonly stop: Stop } | undefined
  #inMs = 0
  #stopped = false

  constructor(context: ReadContext, clock: Pick<Clock, 'after'>) {
    this.#context = context
    this.#clock = clock
    this.#badge = createBadgeCounter(context)
  }

  /** A transaction was committed. */
  onCommit(touched: Touched): void {
    gather(this.#gathered, touched)
    this.#badge.touched(touched.entities.get('channels') ?? [])
    this.#followedTouched(touched)
    this.#plan()
  }

  /** State in memory changed. */
  touch(name: EntityName, key: string): void {
    gatherKey(this.#gathered, name, key)
    if (name === 'channels') this.#badge.touched([key])
    this.#plan()
  }

  touchWindow(key: WindowKey): void {
    this.#gathered.windows.add(key)
    this.#plan()
  }

  /** A message by another user arrived live. */
  arrived(id: string): void {
    this.#arrived.push(id)
    this.#plan()
  }

  /** The viewer was invited to a channel. */
  invited(invite: InviteArrival): void {
    this.#invited.push(invite)
    this.#plan()
  }

  attach(client: ClientId, lastChannel: Cid | undefined): ChangeSet {
    const interest = createInterest()
    // Gathered changes that were not sent yet are in the snapshot already.
    this.#interests.delete(client)
    this.flush()
    this.#interests.set(client, interest)
    const changes = snapshot(this.#context, interest, { lastChannel, unshown: this.#unshown })
    this.#unshown.clear()
    return changes
  }

  detach(client: ClientId): void {
    this.#interests.delete(client)
  }

  list(client: ClientId, key: ListView['key']): Shown | undefined {
    return this.#interests.get(client)?.lists.get(key)
  }

  /** The open list, or the cached one after it was closed. */
  held(client: ClientId, key: ListView['key']): Shown | undefined {
    const interest = this.#interests.get(client)
    return interest?.lists.get(key) ?? interest?.cached.get(key)
  }

  /** Opens or changes a list; it is sent again even if its content is the same. */
  setList(client: ClientId, view: ListView): Shown {
    const shown = showList(this.#context.cache, view, unsentKeys(this.#context, view))
    const interest = this.#interests.get(client)
    if (interest) {
      interest.lists.set(view.key, shown)
      interest.cached.delete(view.key)
      interest.closed.delete(view.key)
      this.#dirty(interest, view.key)
    }
    return shown
  }

  /**
   * The list navigates to another place. Returns a function that says whether this is still the latest navigation of
   * an open list.
   */
  navigate(client: ClientId, key: ListView['key']): () => boolean {
    const interest = this.#interests.get(client)
    const navigation = Symbol(key)
    interest?.navigations.set(key, navigation)
    return () =>
      interest !== undefined && this.#interests.get(client) === interest && interest.navigations.get(key) === navigation
  }

  /** Sets the loading state of every open copy of a list. */
  setLoading(key: WindowKey, loading: Window['loading'], error?: string): void {
    for (const interest of this.#interests.values()) {
      const shown = interest.lists.get(key as ListView['key'])
      if (shown) interest.lists.set(shown.view.key, { ...shown, view: { ...shown.view, loading, error } })
      const plain = interest.plain.get(key)
      if (plain) interest.plain.set(key, { ...plain, loading, error })
      if (shown || plain) this.#dirty(interest, key)
    }
  }

  openPlain(client: ClientId, key: WindowKey): void {
    const interest = this.#interests.get(client)
    if (!interest) return
    interest.plain.set(key, { window: showPlain(this.#context, key, 'none'), loading: 'none' })
    interest.closed.delete(key)
    this.#dirty(interest, key)
  }

  /** Closes a list. One that is up to date stays in the replica; see `interest.ts`. */
  close(client: ClientId, key: WindowKey): void {
    const interest = this.#interests.get(client)
    if (!interest) return
    interest.navigations.delete(key as ListView['key'])
    const shown = interest.lists.get(key as ListView['key'])
    if (shown !== undefined && mayCache(interest, shown)) {
      for (const evicted of cacheList(interest, shown)) interest.closed.add(evicted)
      this.#plan()
      return
    }
    const isKnown = interest.lists.delete(key as ListView['key']) || interest.plain.delete(key)
    if (!isKnown) return
    interest.closed.add(key)
    this.#plan()
  }

  /** Every open list, each key once. */
  openLists(): readonly ListView[] {
    const views = new Map<string, ListView>()
    for (const interest of this.#interests.values()) {
      for (const { view } of interest.lists.values()) views.set(view.key, view)
    }
    return [...views.values()]
  }

  /** Whether any window shows this. */
  isOpen(key: WindowKey): boolean {
    return [...this.#interests.values()].some(({ lists, plain }) => plain.has(key) || lists.has(key as ListView['key']))
  }

  onFlush(listener: (commit: Commit) => void): Stop {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** For what follows from a commit: it runs when the windows were told, which do not wait for it. */
  afterFlush(follower: (commit: Commit) => void): void {
    this.#followers.add(follower)
  }

  /**
   * Runs work whose changes windows are told of only every {@link UNHURRIED_MS}, unless something else changes: what many
   * missed events change is told as one, not after each hundred of them.
   */
  unhurried(work: () => void): void {
    this.#inMs = UNHURRIED_MS
    try {
      work()
    } finally {
      this.#inMs = 0
    }
  }

  /** Sends at once what was gathered. */
  flush(): void {
    this.#planned?.stop()
    this.#planned = undefined
    const turn = this.#gathered
    const arrivedIds = this.#arrived
    const invited = this.#invited
    this.#gathered = nothingGathered()
    this.#arrived = []
    this.#invited = []
    if (this.#interests.size === 0) for (const id of turn.entities.get('notices') ?? []) this.#unshown.add(id)
    const lookup = createLookup(this.#context)
    const badge = this.#badge
    const changes = new Map<ClientId, ChangeSet>()
    for (const [client, interest] of this.#interests) {
      const changeSet = collect(this.#context, interest, turn, lookup)
      if (changeSet) changes.set(client, changeSet)
    }
    if (changes.size === 0 && arrivedIds.length + invited.length === 0 && isNothing(turn)) return
    const commit: Commit = {
      changes,
      invited,
      remindersChanged: turn.windows.has('later'),
      // Read only by notifications: hundreds of messages may arrive at once.
      get arrived() {
        return arrivedIds
          .map((id) => lookup('messages', id))
          .filter((message): message is Message => message !== undefined)
      },
      get badge() {
        return badge.read()
      },
    }
    for (const listener of this.#listeners) listener(commit)
    for (const follower of this.#followers) follower(commit)
  }

  badge(): Badge {
    return this.#badge.read()
  }

  stop(): void {
    this.#stopped = true
    this.#planned?.stop()
  }

  #plan(): void {
    const inMs = this.#inMs
    if (this.#stopped || (this.#planned !== undefined && this.#planned.inMs <= inMs)) return
    this.#planned?.stop()
    this.#planned = { inMs, stop: this.#clock.after(inMs, () => this.flush()) }
  }

  /** Threads followed manually are counted and listed here, not by the server. */
  #followedTouched({ entities }: Touched): void {
    const byHand = follows.all(this.#context.pending)
    if (byHand.size === 0 || ![...(entities.get('messages') ?? [])].some((id) => byHand.has(id))) return
    gatherKey(this.#gathered, 'inbox', 'self')
    this.#gathered.windows.add('threads')
  }

  #dirty(interest: Interest, key: WindowKey): void {
    interest.dirty.add(key)
    this.#plan()
  }
}

/** Everything for the first screen. The last channel is included with its newest page if it is cached. */
function snapshot(
  context: ReadContext,
  interest: Interest,
  { lastChannel, unshown }: { readonly lastChannel: Cid | undefined; readonly unshown: ReadonlySet<string> },
): ChangeSet {
  const lookup = createLookup(context)
  const draft = emptyDraft()
  const put = (name: EntityName, keys: readonly string[]): void => {
    for (const key of keys) {
      const value = lookup(name, key)
      if (value !== undefined) note(draft, name, key, value)
    }
  }
  for (const name of ['session', 'settings', 'connection', 'inbox', 'emojiTerms', 'manage'] as const)
    put(name, ['self'])
  put(
    'users',
    users.all(context.cache).map((row) => row.id),
  )
  put(
    'channels',
    channels.all(context.cache).map((row) => row.cid),
  )
  put(
    'notices',
    context.memory.notices
      .filter(({ id, lasting, over }) => unshown.has(id) || (lasting === true && !over))
      .map(({ id }) => id),
  )
  put('typing', [...new Set([...context.memory.typing.keys(), ...context.memory.assistants.keys()])])
  put(
    'drafts',
    drafts.all(context.pending).map((row) => row.key),
  )
  put('draftRevisions', [...context.memory.draftRevisions.keys()])
  put(
    'outbox',
    context.outbox.all().map((intent) => intent.id),
  )
  put(
    'uploads',
    uploads.all(context.pending).map((row) => row.id),
  )
  put('reminders', laterOrder(context))
  put(
    'emoji',
    emoji.all(context.cache).map((row) => row.name),
  )
  interest.plain.set('channels', { window: showPlain(context, 'channels', 'none'), loading: 'none' })
  interest.dirty.add('channels')
  if (lastChannel !== undefined && channels.byCid(context.cache, lastChannel)) {
    const view: ListView = { key: `timeline:${lastChannel}`, cid: lastChannel, loading: 'none' }
    interest.lists.set(view.key, showList(context.cache, view, unsentKeys(context, view)))
    interest.dirty.add(view.key)
  }
  const rest = collect(context, interest, nothingGathered(), lookup)
  return {
    rev: interest.rev,
    put: { ...draft.put, ...rest?.put },
    del: {},
    windows: rest?.windows ?? [],
    closed: [],
  }
}

/** Reads each visible row at most once per flush. */
function createLookup(context: ReadContext): Lookup {
  const seen = new Map<string, unknown>()
  return <Name extends EntityName>(name: Name, key: string) => {
    const place = `${name} ${key}`
    if (!seen.has(place)) seen.set(place, READ[name](context, key))
    return seen.get(place) as EntityMap[Name] | undefined
  }
}

const READ: { readonly [Name in EntityName]: (context: ReadContext, key: string) => EntityMap[Name] | undefined } = {
  users: (context, key) => visibleUser(context, asUserId(key)),
  channels: (context, key) => visibleChannel(context, asCid(key)),
  messages: (context, key) => withBlocks(visibleMessage(context, asMessageId(key))),
  polls: visiblePoll,
  reads: (context, key) => visibleReads(context, asCid(key)),
  typing: visibleTyping,
  drafts: visibleDraft,
  draftRevisions: ({ memory }, key) => memory.draftRevisions.get(key),
  outbox: visibleOutboxItem,
  uploads: visibleUpload,
  reminders: visibleReminder,
  emoji: visibleEmoji,
  emojiTerms: visibleEmojiTerms,
  notices: ({ memory }, key) => memory.notices.find((notice) => notice.id === key),
  inbox: visibleInbox,
  manage: visibleManage,
  session: ({ memory }) => memory.session,
  connection: ({ memory }) => shownConnection(memory),
  settings: ({ memory }) => memory.settings,
  // An engine knows only its own account; main/app adds the list.
  accounts: () => undefined,
  // Belongs to no account either.
  lock: () => undefined,
}

/** Animated types; a browser plays them. */
const ANIMATED: ReadonlySet<string> = new Set(['image/gif', 'image/webp', 'image/avif'])

function visibleEmoji({ cache }: ReadContext, name: string): CustomEmoji | undefined {
  const row = emoji.byName(cache, name)
  if (row === undefined) return undefined
  return {
    name,
    aliases: row.aliases,
    image: pictureRef('emoji', name, row.url),
    moves: ANIMATED.has(row.mimeType ?? ''),
    createdBy: row.createdBy,
    createdAt: row.createdAt,
  }
}

function visibleManage({ cache, me, memory, outbox }: ReadContext): ManageState | undefined {
  const [own] = users.byIds(cache, [me])
  const rights = rightsOf(own?.role ?? 'user', memory.manage.source, emoji.terms(cache) !== undefined)
  if (rights.length === 0) return undefined
  const decisions = pendingDecisions(outbox)
  return { ...memory.manage, rights, ...(decisions.length === 0 ? {} : { decisions }) }
}

/** Decisions about the review queue that the server has not confirmed, oldest first; not those that undo another. */
function pendingDecisions(outbox: ReadContext['outbox']): readonly PendingDecision[] {
  return outbox.in(NO_CHANNEL).flatMap((intent): readonly PendingDecision[] => {
    if (intent.kind !== 'moderate' || (intent.payload.reopens && intent.state !== 'parked')) return []
    const { id, payload, state, reason, retryable } = intent
    const { itemId, action } = payload
    return [{ id, itemId, action, state: state === 'parked' ? 'refused' : 'queued', reason, retryable }]
  })
}

function visibleEmojiTerms({ cache }: ReadContext): EmojiTerms | undefined {
  const terms = emoji.terms(cache)
  if (terms === undefined) return undefined
  const { can, maxBytes, maxSide, maxCount } = terms
  return {
    canCreate: can.includes('create-emoji'),
    canManage: can.includes('manage-emoji'),
    maxBytes,
    maxSide,
    maxCount,
  }
}
