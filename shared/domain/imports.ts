import type { Cid, UserId } from '../lib/brand.ts'

/** Where history comes from: each has one kind of export that can be read. */
export const IMPORT_SOURCES = ['slack', 'mattermost', 'telegram', 'discord'] as const
export type ImportSource = (typeof IMPORT_SOURCES)[number]

/**
 * What is left out of an import, or changed by it:
 *
 * - `app-messages`: messages of apps and webhooks, imported as plain text;
 * - `missing-files`: files that are not in the export; their names stay in the text;
 * - `large-files`: files above the limit of an upload;
 * - `canvases`, `polls`, `system`: canvases, polls and messages such as "joined the channel", left out;
 * - `unnamed-reactions`: reactions without the people who gave them;
 * - `orphans`: replies to messages that are not there, imported as messages;
 * - `long-texts`: cut at the limit of a message;
 * - `future-times`: times that are still to come, set to the time of the import;
 * - `unknown-people`: authors that the export does not describe;
 * - `unknown`, `broken`: entries of an unknown kind, and such that cannot be read.
 */
const LEFT_KINDS = [
  'app-messages',
  'missing-files',
  'large-files',
  'canvases',
  'polls',
  'system',
  'unnamed-reactions',
  'orphans',
  'long-texts',
  'future-times',
  'unknown-people',
  'unknown',
  'broken',
] as const
export type LeftKind = (typeof LEFT_KINDS)[number]
export type LeftCounts = { readonly [Kind in LeftKind]?: number }

export type ImportFigures = {
  readonly messages: number
  /** Those of them that an earlier import has added. */
  readonly known: number
  readonly channels: number
  readonly people: number
  readonly files: number
  readonly fileBytes: number
  readonly replies: number
  readonly edits: number
  readonly reactions: number
  readonly pins: number
  /** Epoch milliseconds of the first and the last message; absent without messages. */
  readonly from?: number
  readonly until?: number
}

/** A person of the export, and who they are here. */
export type CheckedPerson = {
  readonly id: string
  readonly name: string
  readonly messages: number
  /** They had left, or their account was closed. */
  readonly former: boolean
  readonly target: PersonTarget
  /** How the target was found; absent: not found. */
  readonly by?: 'email' | 'name' | 'earlier'
}

export type CheckedChannel = {
  readonly id: string
  readonly name: string
  readonly kind: 'public' | 'private' | 'direct'
  readonly messages: number
  /** Those of them that an earlier import has added. */
  readonly known: number
  readonly target: ChannelTarget
}

/** A new person, one who has left and is only named by messages, or someone who is here. */
export type PersonTarget = 'new' | 'former' | { readonly userId: UserId }
/** A new channel, none, or one that is here. */
export type ChannelTarget = 'new' | 'skip' | { readonly cid: Cid }

/** What an import would do. Nothing is changed by finding out. */
export type ImportCheck = {
  readonly figures: ImportFigures
  readonly left: LeftCounts
  /** Those to be checked first, then by messages; the first {@link MOST_SHOWN}. */
  readonly people: readonly CheckedPerson[]
  readonly channels: readonly CheckedChannel[]
  /** Whom and what is here to choose from, by name; the first {@link MOST_SHOWN} of each. */
  readonly here: {
    readonly people: readonly { readonly userId: UserId; readonly name: string }[]
    readonly channels: readonly { readonly cid: Cid; readonly name: string }[]
  }
  readonly neededBytes: number
  readonly freeBytes: number
  /** When an import last added something; epoch milliseconds. */
  readonly earlier?: number
}

export const MOST_SHOWN = 500

/**
 * Why a file cannot be imported: it is not such an export (`missing`: what it would have), it would unpack to far more
 * than its size, it has names that lead out of it, it is damaged, or it is gone.
 */
export type ImportRefusal = {
  readonly reason: 'not-one' | 'bomb' | 'names' | 'damaged' | 'gone'
  readonly missing?: string
  readonly bytes?: number
}

export type ImportReport = {
  readonly messages: number
  readonly channels: number
  readonly people: number
  readonly files: number
  readonly left: LeftCounts
  /** Channels that were left out by choice, with their messages. */
  readonly skipped: readonly { readonly name: string; readonly messages: number }[]
  /** A channel that it wrote to, to be opened. */
  readonly first?: { readonly cid: Cid; readonly name: string }
}

type Running = { readonly done: number; readonly total: number; readonly channel: string }

/**
 * ```
 *   none ──check──▶ reading ──▶ checked ──start──▶ running ◀──▶ paused ──▶ done ──undo──▶ undoing ──▶ none
 *                      └──▶ refused                   └──stop──▶ done
 * ```
 */
export type ImportProgress =
  | { readonly step: 'none' }
  | { readonly step: 'reading'; readonly messages: number; readonly share: number }
  | { readonly step: 'refused'; readonly refusal: ImportRefusal }
  | { readonly step: 'checked'; readonly check: ImportCheck }
  | ({ readonly step: 'running' } & Running)
  | ({ readonly step: 'paused'; readonly problem?: 'disk-full' | 'file-gone' | 'failed' } & Running)
  | {
      readonly step: 'done'
      readonly stopped: boolean
      /** Part of it could not be undone, and is still there. */
      readonly undoFailed?: boolean
      readonly report: ImportReport
      readonly finishedAt: number
    }
  | { readonly step: 'undoing'; readonly done: number; readonly total: number }

/** The import of a workspace: one at a time, the last one until it is put away. */
export type ImportState = {
  readonly progress: ImportProgress
  readonly source?: ImportSource
  /** Of the file or folder. */
  readonly name?: string
}

export const NO_IMPORT: ImportState = { progress: { step: 'none' } }
