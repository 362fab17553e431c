import type { FieldValue } from '#shared/domain/manage/directory.ts'

/** A value of the wire as it is edited. */
export const fieldOf = (value: unknown): FieldValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : { json: JSON.stringify(value) }

/** A value as text, for a cell or a field. */
export const fieldText = (value: FieldValue | undefined): string =>
  value === undefined ? '' : typeof value === 'object' ? value.json : String(value)

/** What was typed into a field that held `before`: a number stays one, if what was typed is one. */
export function typedField(text: string, before: FieldValue | undefined): FieldValue {
  const trimmed = text.trim()
  if (typeof before === 'number' && trimmed !== '' && Number.isFinite(Number(trimmed))) return Number(trimmed)
  if (typeof before === 'boolean' && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true'
  if (typeof before === 'object' && isJson(trimmed)) return { json: trimmed }
  return text
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // Half typed.
    return false
  }
}
