import type { ImportRefusal, ImportSource, LeftKind } from '#shared/domain/imports.ts'
import type { Micros } from '../store/time.ts'
import type { Archive } from './archive.ts'

/**
 * The neutral shape of all exports. Ids are those of the export; a channel comes before its messages, and a root before
 * its replies wherever the export has it.
 */
export type SourcePerson = {
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly bot?: boolean
  /** They had left, or their account was closed. */
  readonly former?: boolean
}

export type SourceChannel = {
  readonly id: string
  readonly name: string
  readonly kind: 'public' | 'private' | 'direct'
  readonly topic?: string
  readonly members: readonly string[]
}

/** A file: where it is in the archive, if it is there. */
export type SourceFile = { readonly name: string; readonly entry?: string }

type SourceReaction = { readonly emoji: string; readonly people: readonly string[] }

export type SourceMessage = {
  /** Unique in its channel. */
  readonly id: string
  readonly channel: string
  readonly author: string
  /** Of apps and of people whom the export does not describe elsewhere. */
  readonly authorName?: string
  readonly at: Micros
  /** Our Markdown; people are named by {@link mention}. */
  readonly text: string
  readonly editedAt?: Micros
  /** The root of its thread. */
  readonly parent?: { readonly channel: string; readonly id: string }
  /** A reply that is also shown in the channel. */
  readonly broadcast?: boolean
  readonly quoted?: string
  readonly files?: readonly SourceFile[]
  readonly reactions?: readonly SourceReaction[]
  readonly pinned?: boolean
}

export type SourceItem =
  | { readonly kind: 'person'; readonly person: SourcePerson }
  | { readonly kind: 'channel'; readonly channel: SourceChannel }
  | { readonly kind: 'message'; readonly message: SourceMessage }
  /** A message that was pinned after it was written; `id` is that of the entry that says so. */
  | {
      readonly kind: 'pin'
      readonly id: string
      readonly channel: string
      readonly message: string
      readonly at: Micros
    }
  | { readonly kind: 'left'; readonly what: LeftKind; readonly count?: number }

/** Reads an export from its beginning. What it cannot read it counts; it throws {@link NotAnExport} for another file. */
export type Reader = (archive: Archive) => AsyncIterable<SourceItem>

export class NotAnExport extends Error {
  readonly refusal: ImportRefusal

  constructor(refusal: ImportRefusal) {
    super(`not an export: ${refusal.reason}`)
    this.refusal = refusal
  }
}

export const left = (what: LeftKind, count = 1): SourceItem => ({ kind: 'left', what, count })

const OPEN = '\u{E000}'
const CLOSE = '\u{E001}'
const MENTIONS = /\u{E000}([^\u{E000}\u{E001}]{1,200})\u{E001}/gu

/** Stands for a person in a text until it is known who they are here. */
export const mention = (personId: string): string => OPEN + personId + CLOSE

/** Texts of exports cannot name people in this way. */
export const withoutMarks = (text: string): string => text.replaceAll(/[\u{E000}\u{E001}\0]/gu, '')

/** The people whom a text names. */
export const mentionsIn = (text: string): readonly string[] =>
  text.includes(OPEN) ? [...text.matchAll(MENTIONS)].map(([, id = '']) => id) : []

export const replaceMentions = (text: string, name: (personId: string) => string): string =>
  text.includes(OPEN) ? text.replaceAll(MENTIONS, (_whole, id: string) => name(id)) : text

/** A channel as it is shown: public ones have their mark. */
export const titleOf = ({ kind, name }: Pick<SourceChannel, 'kind' | 'name'>): string =>
  kind === 'public' ? `#${name}` : name

/** A field of an export as text: anything else is none. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The objects of a list; anything else in it is left out. */
export function objectsIn(value: unknown): readonly Fields[] {
  return listOf(value).flatMap((each) => {
    const fields = fieldsOf(each)
    return fields === undefined ? [] : [fields]
  })
}

/** The key under which a thing of an export is known from then on. */
export const sourceKey = (source: ImportSource, ...parts: readonly string[]): string =>
  JSON.stringify([source, ...parts])
