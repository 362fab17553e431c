import type { Cid } from '../lib/brand.ts'

/** The parts of an account file, in the order in which they are listed. */
export const ACCOUNT_FILE_PARTS = [
  'drafts',
  'messages',
  'reminders',
  'searches',
  'snippets',
  'sidebar',
  'settings',
  'marks',
] as const
export type AccountFilePart = (typeof ACCOUNT_FILE_PARTS)[number]

/**
 * What opening a file does with the entries of one part: new ones are added, older ones here are replaced, others stay as
 * they are here, because they are newer or the same, and those for which a list here is full are left out.
 */
export type PartCounts = {
  readonly total: number
  readonly added: number
  readonly replaced: number
  readonly kept: number
  readonly full: number
}

/**
 * What stays on this device: messages with files or live locations, other unsent changes (edits, reactions, votes), and
 * files of drafts.
 */
export type CarriedLeft = { readonly messages: number; readonly changes: number; readonly files: number }

/** What a file of this account would contain now. */
export type AccountFileContents = {
  readonly parts: Readonly<Record<AccountFilePart, number>>
  readonly left: CarriedLeft
}

/**
 * Whose file it is, and who is signed in. `key`: the account of this profile that it belongs to; absent if there is none.
 */
type AccountFileOwner = {
  readonly userName: string
  readonly workspaceName: string
  readonly key?: string
  readonly isShown: boolean
  readonly shownName: string
}

/** A look into a file, before anything is changed. */
export type AccountFileLook = {
  /** Names it in the following calls. */
  readonly id: string
  readonly owner: AccountFileOwner
  readonly savedAt: number
  /** Absent for a file of another account. */
  readonly parts?: Readonly<Record<AccountFilePart, PartCounts>>
  /** Settings, snippets and the like that stay because they are newer here, unless the user wants those of the file. */
  readonly newerHere: number
  /** The first messages that will be sent from here too, and where to. */
  readonly sends: readonly { readonly text: string; readonly cid: Cid }[]
  /** Entries that are not valid; they are left out. */
  readonly invalid: number
}

export const PASSPHRASE_LENGTH = { least: 8, most: 500 } as const

/** Whether a file may be saved with this passphrase: by its characters, in the form from which the key is made. */
export const isLongEnough = (passphrase: string): boolean =>
  Array.from(passphrase.normalize('NFKC')).length >= PASSPHRASE_LENGTH.least

/** Largest file that is read or written, in bytes. */
export const ACCOUNT_FILE_BYTES = 16_000_000
