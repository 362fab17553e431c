import type { FieldValue } from '../../domain/manage/directory.ts'
import type { Intent, IntentFor } from '../../domain/intent.ts'
import type { UserId } from '../../lib/brand.ts'

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

export const isBlocking = (intent: Intent): intent is IntentFor<'block-person'> | IntentFor<'unblock-person'> =>
  intent.kind === 'block-person' || intent.kind === 'unblock-person'

/**
 * Whether a person is blocked: the server's state with pending intents applied; a refused intent changes nothing.
 *
 * @param intents those of no channel, oldest first
 */
export function predictBlocked(fact: boolean, intents: readonly Intent[], userId: UserId): boolean {
  const last = intents.findLast(
    (intent) => isBlocking(intent) && intent.payload.userId === userId && intent.state !== 'parked',
  )
  return last === undefined ? fact : last.kind === 'block-person'
}

/** A readable id made from a name; names without Latin letters get a neutral one. Others may have the same. */
export function plainPersonId(name: string): string {
  const latin = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[łŁ]/g, 'l')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return latin === '' ? 'person' : latin
}

/** The same with random digits, so that no one else has it. */
export const personId = (name: string, ids: { uuid(): string }): string =>
  `${plainPersonId(name)}-${ids.uuid().slice(0, 4)}`
