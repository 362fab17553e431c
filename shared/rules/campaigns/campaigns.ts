import type { Exclusion, CampaignState } from '../../domain/manage/campaigns.ts'
import { cleanName } from '../../lib/clean-text.ts'

/** What can be done with a campaign in a state. See docs/wire.md 8.20; the server and the window follow the same table. */
const TABLE: Readonly<Record<CampaignState, readonly CampaignAct[]>> = {
  draft: ['change', 'start', 'delete'],
  scheduled: ['change', 'start', 'stop', 'delete'],
  in_progress: ['stop'],
  completed: ['delete'],
  stopped: ['delete'],
}

export type CampaignAct = 'change' | 'start' | 'stop' | 'delete'

export const may = (act: CampaignAct, state: CampaignState): boolean => TABLE[state].includes(act)

/** It has begun: what it sent and to whom is known. */
export const hasBegun = (state: CampaignState): boolean => state !== 'draft' && state !== 'scheduled'

/** What the server knows of a person. */
export type Standing = 'active' | 'deactivated' | 'deleted' | 'unknown'

/**
 * Everyone who is named or in a segment, once, as they are gathered. An audience may have 100,000 people, so there is one
 * number for each of them besides the id.
 */
export class Audience {
  /** By the id: a bit for each of the sources. */
  readonly #from = new Map<string, number>()
  #found = 0

  /** `source`: which one of the campaign's, from 0; it names 25 segments at most, and people. */
  add(source: number, ids: readonly string[]): void {
    for (const id of ids) {
      this.#found += 1
      this.#from.set(id, (this.#from.get(id) ?? 0) | (1 << source))
    }
  }

  /** How often people were named altogether. */
  get found(): number {
    return this.#found
  }

  /** How many of these repeat another one. */
  get twice(): number {
    return this.#found - this.#from.size
  }

  /** In the order of sending, which is that of the database that sends. */
  ids(): string[] {
    return [...this.#from.keys()].toSorted((a, b) => (a < b ? -1 : 1))
  }

  /** The sources that name somebody, as bits: see {@link sourcesIn}. */
  from(id: string): number {
    return this.#from.get(id) ?? 0
  }
}

/** Which sources the bits stand for, the first one first. */
export const sourcesIn = (bits: number): number[] =>
  Array.from({ length: 32 }, (_, source) => source).filter((source) => (bits & (1 << source)) !== 0)

/**
 * Why somebody who is named does not get the message; `undefined`: they do. It is for everyone but the sender and those who
 * cannot sign in. See docs/wire.md 8.20. The server sends by this rule, and a dry run lists by it.
 */
export function exclusionOf(id: string, senderId: string, standing: Standing): Exclusion | undefined {
  if (id === senderId) return 'sender'
  return standing === 'active' ? undefined : standing
}

/**
 * Fields of a campaign's text: `{{receiver.first_name|there}}` is the first name of the person who reads it, or "there"
 * where they have none. The server writes every message with {@link renderText}, and a preview shows it with the same.
 */
const FIELD_OWNERS = ['receiver', 'sender', 'channel'] as const
export type FieldOwner = (typeof FIELD_OWNERS)[number]

export type TemplateField = {
  readonly owner: FieldOwner
  readonly name: string
  /** Written where there is no value. */
  readonly fallback: string
}

/** A person or a channel whose fields a text can name. */
export type FieldSource = {
  readonly id: string
  readonly name?: string | null
  readonly language?: string | null
  readonly custom: Readonly<Record<string, unknown>>
}

/** Absent: a message to nobody in particular, such as one in a channel that many read. */
export type FieldSources = { readonly [Owner in FieldOwner]?: FieldSource }

type RenderedText = {
  readonly text: string
  /** Fields without a value, by {@link fieldKey}, each once. */
  readonly missing: readonly string[]
}

/** What is written for a value is one line of at most this length. */
const VALUE_LENGTH = 255

const FIELD = /\{\{\s*(receiver|sender|channel)\.([^{}|\s]{1,64})\s*(?:\|([^{}]{0,255}))?\}\}/gu

export const fieldKey = ({ owner, name }: Pick<TemplateField, 'owner' | 'name'>): string => `${owner}.${name}`

/** As it is written in a text. */
export const writeField = ({ owner, name, fallback }: TemplateField): string => {
  const plain = fallback.replaceAll(/[{}|\r\n]/gu, ' ').trim()
  return plain === '' ? `{{${owner}.${name}}}` : `{{${owner}.${name}|${plain}}}`
}

/** A name that a text can carry. */
export const isFieldWritable = (name: string): boolean => /^[^{}|\s]{1,64}$/u.test(name)

/** A text in parts: what stays as it is, and fields. Anything else in braces is text. */
export function partsOf(text: string): readonly (string | TemplateField)[] {
  const parts: (string | TemplateField)[] = []
  let end = 0
  for (const match of text.matchAll(FIELD)) {
    if (match.index > end) parts.push(text.slice(end, match.index))
    parts.push({ owner: match[1] as FieldOwner, name: match[2] ?? '', fallback: (match[3] ?? '').trim() })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** The fields of a text, each once. */
export const fieldsOf = (text: string): readonly TemplateField[] => [
  ...new Map(
    partsOf(text).flatMap((part) => (typeof part === 'string' ? [] : [[fieldKey(part), part] as const])),
  ).values(),
]

/** A value is written as it is and never read again: braces in a name name no field. */
export function renderText(text: string, sources: FieldSources): RenderedText {
  const missing = new Set<string>()
  const written = partsOf(text).map((part) => {
    if (typeof part === 'string') return part
    const value = valueOf(sources[part.owner], part.name)
    if (value !== '') return value
    missing.add(fieldKey(part))
    return part.fallback
  })
  return { text: written.join(''), missing: [...missing] }
}

function valueOf(source: FieldSource | undefined, name: string): string {
  if (source === undefined) return ''
  if (name === 'id') return lineOf(source.id)
  if (name === 'name') return lineOf(source.name)
  if (name === 'first_name') return lineOf(source.custom[name]) || (lineOf(source.name).split(' ')[0] ?? '')
  if (name === 'language') return lineOf(source.language)
  return Object.hasOwn(source.custom, name) ? lineOf(source.custom[name]) : ''
}

function lineOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? cleanName(value, VALUE_LENGTH).trim() : ''
}
