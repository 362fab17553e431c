import type { MessageId } from '../lib/brand.ts'
import type { AccountList, Session, Connection } from './session.ts'
import type { Channel, ChannelReads, Typing, Inbox } from './channel.ts'
import type { DeepLink, Lock, UpdateState } from './desktop/desktop.ts'
import type { Draft } from './draft.ts'
import type { CustomEmoji, EmojiTerms } from './emoji.ts'
import type { ManageState } from './manage/manage.ts'
import type { ExportProgress } from './export.ts'
import type { MoveProgress } from './sharing.ts'
import type { Message, Reminder } from './message.ts'
import type { OwnSound, SoundName, Notice } from './notification.ts'
import type { OutboxItem } from './intent.ts'
import type { Poll } from './poll.ts'
import type { Settings } from './settings.ts'
import type { Upload } from './attachment.ts'
import type { User } from './user.ts'

/** Every entity of the renderer's replica, by table. A new entity is one line here. */
export type EntityMap = {
  users: User
  channels: Channel
  messages: Message
  polls: Poll
  reads: ChannelReads
  typing: Typing
  drafts: Draft
  /** By composer: increases with every change of its content, and when the draft ends. */
  draftRevisions: number
  outbox: OutboxItem
  uploads: Upload
  reminders: Reminder
  /** Custom emoji of the workspace, by name. */
  emoji: CustomEmoji
  notices: Notice
  /** Singletons: the only key is `self`. */
  inbox: Inbox
  /** Absent for those who administer nothing. */
  manage: ManageState
  /** Absent where the server has no custom emoji. */
  emojiTerms: EmojiTerms
  session: Session
  connection: Connection
  settings: Settings
  accounts: AccountList
  lock: Lock
}

export type EntityName = keyof EntityMap

/**
 * An ordered view that the engine maintains and the renderer shows. Queried again, never patched. `channels` lists cids
 * in sidebar order; `timeline:<cid>` and `thread:<parentId>` list message ids ascending; `outbox` lists intent ids
 * oldest first; `pinned:<cid>` message ids, newest pin first; `later` message ids of reminders; `threads` the first
 * messages of the threads the viewer takes part in, in the server's order (with their newest reply).
 */
export type WindowKey =
  | 'channels'
  | 'outbox'
  | 'later'
  | 'threads'
  | `timeline:${string}`
  | `thread:${string}`
  | `pinned:${string}`

export type Window = {
  readonly key: WindowKey
  readonly ids: readonly string[]
  readonly hasPrev: boolean
  readonly hasNext: boolean
  /** A request for this window is in flight: show a progress line, or a skeleton if nothing is cached. */
  readonly loading: 'none' | 'initial' | 'older' | 'newer'
  /** Ids before which messages are known to be missing. */
  readonly gapsBefore: readonly string[]
  /** Not loaded from the cache or the server yet: an empty list does not mean that there is nothing. */
  readonly unanswered?: true
  /** Locale code, when the last request failed and nothing cached can be shown. */
  readonly error?: string
  /** The navigation that led here: the `visit` of its call, and the message it found, if any. */
  readonly landed?: {
    readonly visit: number
    readonly id: MessageId | null
    /** For a navigation to the first unread message: whether it is that, or only the first cached one. */
    readonly unread?: 'first' | 'held'
  }
}

/** A window that only got ids at its end, as an open list does with each new message. */
export type Grown = Omit<Window, 'ids'> & { readonly more: readonly string[] }

/** @param before the ids that main told last */
export const grow = (before: readonly string[], { more, ...rest }: Grown): Window => ({
  ...rest,
  ids: [...before, ...more],
})

/**
 * What changed between two revisions. `put` and `del` are by table; windows replace earlier ones of the same key, and
 * those in `grown` are added to what the revision before had.
 */
export type ChangeSet = {
  readonly rev: number
  readonly put: { readonly [Name in EntityName]?: Readonly<Record<string, EntityMap[Name]>> }
  readonly del: { readonly [Name in EntityName]?: readonly string[] }
  readonly windows: readonly Window[]
  readonly grown?: readonly Grown[]
  readonly closed: readonly WindowKey[]
}

/** A one-time action, not state: focus a channel, show a browser notification. */
export type Effect =
  | Destination
  | {
      readonly type: 'notify'
      readonly title: string
      readonly body: string
      /** A later one with the same tag replaces the earlier one. */
      readonly tag: string
      /** The sound that the page plays, or lets the browser play. */
      readonly sound: SoundName
      /** What a click on it opens. */
      readonly opens: Destination
      /** About reminders that rang: windows of the account show these on their own. */
      readonly reminds?: boolean
    }
  /** Reduces animation: the device runs on battery. */
  | { readonly type: 'saving'; readonly on: boolean }
  /** The user is away: the screen is locked, or there was no input for a while. */
  | { readonly type: 'away'; readonly on: boolean }
  /** The state of updates. */
  | { readonly type: 'updates'; readonly state: UpdateState }
  /** How far the export of this window is. */
  | { readonly type: 'export'; readonly progress: ExportProgress }
  /** How far the workspace file of this window is. */
  | { readonly type: 'moving'; readonly progress: MoveProgress }
  /** The state of sharing on the network may have changed. */
  | { readonly type: 'sharing' }
  /** The app lock is about to engage: unsaved input is saved and hidden. */
  | { readonly type: 'locking' }
  /** Accounts whose data were deleted: the page deletes what it stored on this device for them. */
  | { readonly type: 'deleted'; readonly accounts: readonly string[] }
  /** Plays a sound of Parlor's own, with a silent system notification. */
  | { readonly type: 'sound'; readonly name: OwnSound }
  /** Removes the notification with this tag. */
  | { readonly type: 'withdraw'; readonly tag: string }

/** A place, or an action by its name in the registry; `account`: first switches this window to another account. */
export type Destination = Place | { readonly type: 'account'; readonly key: string; readonly place?: Place }

/** A place in the account that is shown. */
export type Place =
  | { readonly type: 'focus'; readonly cid: string; readonly messageId?: string; readonly parentId?: string }
  | { readonly type: 'command'; readonly action: string }
  /** An account file that is open in main. */
  | { readonly type: 'account-file'; readonly id: string }
  /** What matters in a channel since a time. */
  | { readonly type: 'catch-up'; readonly cid: string; readonly since: number }
  /** A deep link that the user opened, here or in another program. */
  | { readonly type: 'link'; readonly link: DeepLink }

/** Everything main pushes to a window. */
export type Push =
  | { readonly kind: 'changes'; readonly changeSet: ChangeSet }
  | { readonly kind: 'effect'; readonly effect: Effect }

/** One change-set with the effect of `first` followed by `second`. */
export function mergeChangeSets(first: ChangeSet, second: ChangeSet): ChangeSet {
  const put: Record<string, Record<string, unknown>> = {}
  const del: Record<string, Set<string>> = {}
  for (const set of [first, second]) {
    for (const [table, keys] of Object.entries(set.del)) {
      const deleted = (del[table] ??= new Set())
      for (const key of keys) {
        deleted.add(key)
        delete put[table]?.[key]
      }
    }
    for (const [table, rows] of Object.entries(set.put)) {
      for (const key of Object.keys(rows)) del[table]?.delete(key)
      put[table] = { ...put[table], ...rows }
    }
  }
  const windows = new Map(first.windows.map((window) => [window.key, window]))
  const grown = new Map(first.grown?.map((one) => [one.key, one]))
  const closed = new Set(first.closed)
  for (const key of second.closed) {
    windows.delete(key)
    grown.delete(key)
    closed.add(key)
  }
  for (const window of second.windows) {
    closed.delete(window.key)
    grown.delete(window.key)
    windows.set(window.key, window)
  }
  for (const one of second.grown ?? []) {
    const window = windows.get(one.key)
    if (window !== undefined) windows.set(one.key, grow(window.ids, one))
    else grown.set(one.key, { ...one, more: [...(grown.get(one.key)?.more ?? []), ...one.more] })
  }
  return {
    rev: second.rev,
    put,
    del: Object.fromEntries(Object.entries(del).map(([table, keys]) => [table, [...keys]])),
    windows: [...windows.values()],
    ...(grown.size === 0 ? {} : { grown: [...grown.values()] }),
    closed: [...closed],
  }
}
