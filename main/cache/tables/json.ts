/** JSON text; in the type it may carry what was written. */
type Json<T> = string | (string & { readonly value?: T })

/** The one `json` column of a row: everything that is neither filtered nor sorted. */
export const toJson = (value: unknown): string => JSON.stringify(value)

/** Reads back what {@link toJson} wrote; the type is the writer's. */
export const fromJson = <T>(text: Json<T>): T => JSON.parse(text) as T

/** NULL becomes absent. */
export const optional = <T>(value: T | null): T | undefined => value ?? undefined

/** Same content, whatever the order of writing. Rows are small, so text comparison is cheapest. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]))
}
