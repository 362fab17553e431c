import { cleanName } from '../../lib/clean-text.ts'

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
