import type { DirectoryPerson } from '#shared/domain/manage/directory.ts'
import { isFieldName } from '#shared/lib/field-names.ts'
import { nameFor } from '../../../lib/page/stored.ts'

/** Columns beside the name; `field:` and the name of a custom field besides. */
const COLUMNS = ['role', 'teams', 'last_active', 'language', 'created_at', 'status'] as const
export type BuiltInColumn = (typeof COLUMNS)[number]
export type ColumnId = BuiltInColumn | `field:${string}`

export const DEFAULT_COLUMNS: readonly ColumnId[] = ['role', 'teams', 'last_active', 'language']
/** More do not fit beside the panel. */
export const MAX_COLUMNS = 8

export const isBuiltIn = (id: ColumnId): id is BuiltInColumn => (COLUMNS as readonly string[]).includes(id)
export const fieldIn = (id: ColumnId): string => id.slice('field:'.length)

/** Every column that these people can have: the built-in ones, then their custom fields by name. */
export function columnsOf(people: readonly DirectoryPerson[], chosen: readonly ColumnId[]): readonly ColumnId[] {
  const names = new Set(people.flatMap(({ fields }) => Object.keys(fields)))
  const fields = [...names].toSorted().map((name): ColumnId => `field:${name}`)
  return [...new Set<ColumnId>([...chosen, ...COLUMNS, ...fields])]
}

/** A column one place earlier or later. */
export function moved(columns: readonly ColumnId[], id: ColumnId, by: -1 | 1): readonly ColumnId[] {
  const at = columns.indexOf(id)
  const other = columns[at + by]
  if (at < 0 || other === undefined) return columns
  return columns.map((each, index) => (index === at ? other : index === at + by ? id : each))
}

const KEY = 'parlor.directory.columns'

const isColumn = (id: unknown): id is ColumnId =>
  typeof id === 'string' && (isBuiltIn(id as ColumnId) || (id.startsWith('field:') && isFieldName(id.slice(6))))

/** The columns chosen for a workspace. */
export function storedColumns(storage: Storage, account: string): readonly ColumnId[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(nameFor(KEY, account)) ?? 'null')
    return Array.isArray(stored) ? [...new Set(stored.filter(isColumn))].slice(0, MAX_COLUMNS) : DEFAULT_COLUMNS
  } catch {
    // Blocked or damaged.
    return DEFAULT_COLUMNS
  }
}

export function storeColumns(storage: Storage, account: string, columns: readonly ColumnId[]): void {
  try {
    storage.setItem(nameFor(KEY, account), JSON.stringify(columns))
  } catch (reason) {
    // They stay until the window is closed.
    console.debug('columns not stored', reason)
  }
}
