import type { AccountList } from './account-list.ts'
import type { Channel, ChannelReads, Typing } from './channel.ts'
import type { Connection } from './connection.ts'
import type { DeepLink } from './desktop/deep-link.ts'
import type { Draft } from './draft.ts'
import type { CustomEmoji, EmojiTerms } from './emoji.ts'
import type { Inbox } from './inbox.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import type { Lock } from './desktop/lock.ts'
import type { Message } from './message.ts'
import type { Notice } from './notice.ts'
import type { OwnSound, SoundName } from './notification.ts'
import type { OutboxItem } from './outbox.ts'
import type { Poll } from './poll.ts'
import type { Reminder } from './reminder.ts'
import type { Session } from './session.ts'
import type { Settings } from './settings.ts'
import type { UpdateState } from './desktop/updates.ts'
import type { Upload } from './attachment.ts'
import type { User } from './user.ts'

/** Everything the replica in the renderer may hold, by table. A new entity is one line here. */
export type EntityMap = {
  users: User
  channels: Channel
  messages: Message
  polls: Poll
  reads: ChannelReads
  typing: Typing
  drafts: Draft
  /** By composer: rises with every change of what it holds, and with its end, when no draft is left. */
  draftRevisions: number
  outbox: OutboxItem
  uploads: Upload
  reminders: Reminder
  /** Custom emoji of the workspace, by name. */
  emoji: CustomEmoji
  notices: Notice
  /** Singletons: the only key is `self`. */
  inbox: Inbox
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
 * An ordered view that the engine keeps and the renderer shows. Re-queried, never patched.
 * `channels` lists cids in sidebar order; `timeline:<cid>` and `thread:<parentId>` list message ids ascending;
 * `outbox` lists intent ids oldest first; `pinned:<cid>` message ids, newest pin first; `later` message ids of reminders;
 * `threads` the first messages of the threads the viewer takes part in, in the server's order (with their newest reply).
 */
export type WindowKey =
  'channels' | 'outbox' | 'later' | 'threads' | `timeline:${string}` | `thread:${string}` | `pinned:${string}`

export type Window = {
  readonly key: WindowKey
  readonly ids: readonly string[]
  readonly hasPrev: boolean
  readonly hasNext: boolean
  /** A request for this window is under way: draw a thin line, or a skeleton where nothing is held. */
  readonly loading: 'none' | 'initial' | 'older' | 'newer'
  /** Ids before which messages are known to be missing. */
  readonly gapsBefore: readonly string[]
  /** No one has answered yet what belongs here: that nothing is listed says nothing. */
  readonly unanswered?: true
  /** Locale code, when the last request failed and nothing cached can be shown. */
  readonly error?: string
  /** The way to a place that led here: the `visit` of its call, and the message it found, if any. */
  readonly landed?: {
    readonly visit: number
    readonly id: MessageId | null
    /** The first unread message was asked for: it is that, or the first of those that are held. */
    readonly unread?: 'first' | 'held'
  }
}

/** What changed between two revisions. `put` and `del` are by table; windows replace earlier ones of the same key. */
export type ChangeSet = {
  readonly rev: number
  readonly put: { readonly [Name in EntityName]?: Readonly<Record<string, EntityMap[Name]>> }
  readonly del: { readonly [Name in EntityName]?: readonly string[] }
  readonly windows: readonly Window[]
  readonly closed: readonly WindowKey[]
}

/** Something to do once, not to keep: focus a channel, show a browser notification. */
export type Effect =
  | Destination
  | {
      readonly type: 'notify'
      readonly title: string
      readonly body: string
      /** A later one with the same tag takes the place of the earlier one. */
      readonly tag: string
      /** What the page is to sound like, or let the browser sound like. */
      readonly sound: SoundName
      /** Where a press on it leads. */
      readonly opens: Destination
    }
  /** Less is to move: the computer runs on its battery. */
  | { readonly type: 'saving'; readonly on: boolean }
  /** No one sits in front of the screen: it is locked, or nothing has been touched for a while. */
  | { readonly type: 'away'; readonly on: boolean }
  /** How it stands with newer versions of Parlor. */
  | { readonly type: 'updates'; readonly state: UpdateState }
  /** Parlor is about to be locked: what is being written is saved, and shown no longer. */
  | { readonly type: 'locking' }
  /** A sound of Parlor's own, beside a notification that the system shows in silence. */
  | { readonly type: 'sound'; readonly name: OwnSound }
  /** What was notified with this tag is over. */
  | { readonly type: 'withdraw'; readonly tag: string }

/** A place, or an action by its name in the registry; `account`: first another account is shown in this window. */
export type Destination = Place | { readonly type: 'account'; readonly key: string; readonly place?: Place }

/** A place of the account that is shown. */
export type Place =
  | { readonly type: 'focus'; readonly cid: string; readonly messageId?: string; readonly parentId?: string }
  | { readonly type: 'command'; readonly action: string }
  /** A link into Parlor that someone pressed, here or in another program. */
  | { readonly type: 'link'; readonly link: DeepLink }

/** All that main ever pushes to a window. */
export type Push =
  { readonly kind: 'changes'; readonly changeSet: ChangeSet } | { readonly kind: 'effect'; readonly effect: Effect }
