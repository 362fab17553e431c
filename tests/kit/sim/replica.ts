import { type ChangeSet, type EntityMap, type EntityName, grow, type Window } from '#shared/domain/changes.ts'

/** The state of a window on screen: the snapshot, and every change-set since. */
export class Replica {
  readonly #tables = new Map<EntityName, Map<string, unknown>>()
  readonly #windows = new Map<string, Window>()
  rev = 0

  apply(changes: ChangeSet): void {
    this.rev = changes.rev
    for (const [table, keys] of Object.entries(changes.del))
      for (const key of keys) this.#table(table as EntityName).delete(key)
    for (const [table, rows] of Object.entries(changes.put)) {
      for (const [key, row] of Object.entries(rows)) this.#table(table as EntityName).set(key, row)
    }
    for (const key of changes.closed) this.#windows.delete(key)
    for (const window of changes.windows) this.#windows.set(window.key, window)
    for (const one of changes.grown ?? []) this.#windows.set(one.key, grow(this.#windows.get(one.key)?.ids ?? [], one))
  }

  get<Name extends EntityName>(table: Name, key: string): EntityMap[Name] | undefined {
    return this.#table(table).get(key) as EntityMap[Name] | undefined
  }

  all<Name extends EntityName>(table: Name): EntityMap[Name][] {
    return [...this.#table(table).values()] as EntityMap[Name][]
  }

  window(key: string): Window | undefined {
    return this.#windows.get(key)
  }

  #table(name: EntityName): Map<string, unknown> {
    const known = this.#tables.get(name)
    if (known) return known
    const made = new Map<string, unknown>()
    this.#tables.set(name, made)
    return made
  }
}
