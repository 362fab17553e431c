import type Database from 'better-sqlite3'
import type { Clock } from '../clock.ts'
import type { Raw } from './connection.ts'

/** SQL text, typed with the shape of its rows. */
type Statement<Row> = string | (string & { readonly row?: Row })

/** A value that a statement is given. */
export type Bind = string | number | null

/**
 * A connection that prepares each statement once. Texts come from constants and from code that joins constants: values
 * are always bound.
 */
export type Sql = {
  get<Row>(statement: Statement<Row>, ...binds: readonly Bind[]): Row | undefined
  all<Row>(statement: Statement<Row>, ...binds: readonly Bind[]): Row[]
  /** Returns the number of changed rows. */
  run(statement: string, ...binds: readonly Bind[]): number
  /** Runs several statements without values. */
  exec(script: string): void
  /** A setting or property of the database. */
  pragma(text: string): unknown
  /**
   * Runs `work` in one transaction: all of it is written when this returns, or nothing is. Inside another one it is a
   * savepoint. `deferred` is for reading one snapshot.
   */
  transaction<T>(work: () => T, mode?: 'immediate' | 'deferred'): T
  readonly raw: Raw
  /** Runs any other operation on this file with the same error handling. */
  guarded<T>(work: () => T): T
}

type SqlOptions = {
  /** What is thrown instead of an error of an operation. */
  readonly translated?: ((error: unknown) => unknown) | undefined
  /** Called with each statement that took longer than {@link SLOW_MS}. */
  readonly onSlow?: ((statement: string, ms: number) => void) | undefined
  readonly clock?: Pick<Clock, 'monotonic'> | undefined
  /** Rows are compared with the types of their columns; the error to throw for one that differs. */
  readonly damaged?: (() => Error) | undefined
  /** Called before each statement that writes. */
  readonly onWrite?: (() => void) | undefined
  /** Called before each statement or script, with its text. */
  readonly before?: ((statement: string) => void) | undefined
  /** How many prepared statements are cached if their texts are composed; the oldest are dropped. */
  readonly maxStatements?: number | undefined
}

const SLOW_MS = 8

export function openSql(raw: Raw, options: SqlOptions = {}): Sql {
  const { translated = (error) => error, clock, onSlow, damaged, onWrite, before } = options
  const prepared = preparer(raw, options)
  // Created once: each call of `raw.transaction` builds five functions.
  const inTransaction = raw.transaction((work: () => unknown) => work())

  function guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw translated(error)
    }
  }

  /** Every event runs several: without functions made for each. */
  function execute(text: string, way: 'get' | 'all' | 'run', binds: readonly Bind[]): unknown {
    before?.(text)
    const startedAt = clock?.monotonic() ?? 0
    try {
      const { statement, writes, kinds } = prepared(text)
      if (writes) onWrite?.()
      const result: unknown = statement[way](...binds)
      if (damaged && kinds.length > 0 && !areOf(kinds, result)) throw damaged()
      return result
    } catch (error) {
      throw translated(error)
    } finally {
      const tookMs = (clock?.monotonic() ?? 0) - startedAt
      if (tookMs > SLOW_MS) onSlow?.(text.replace(/\s+/g, ' ').slice(0, 120), Math.round(tookMs))
    }
  }

  return {
    raw,
    guarded,
    get: <Row>(text: Statement<Row>, ...binds: readonly Bind[]) => execute(text, 'get', binds) as Row | undefined,
    all: <Row>(text: Statement<Row>, ...binds: readonly Bind[]) => execute(text, 'all', binds) as Row[],
    run: (text, ...binds) => (execute(text, 'run', binds) as Database.RunResult).changes,
    exec: (script) =>
      guarded(() => {
        before?.(script)
        onWrite?.()
        raw.exec(script)
      }),
    pragma: (text) => guarded(() => raw.pragma(text, { simple: true })),
    transaction: <T>(work: () => T, mode: 'immediate' | 'deferred' = 'immediate') =>
      guarded(() => inTransaction[mode](work) as T),
  }
}

type Prepared = {
  readonly statement: Database.Statement<Bind[]>
  readonly writes: boolean
  readonly kinds: readonly Kind[]
}

function preparer(raw: Raw, { damaged, maxStatements = Infinity }: SqlOptions): (text: string) => Prepared {
  const known = new Map<string, Prepared>()
  return (text) => {
    const found = known.get(text)
    if (found) return found
    const statement = raw.prepare<Bind[]>(text)
    const made = {
      statement,
      writes: !statement.readonly,
      kinds: damaged && statement.reader ? kindsOf(statement) : [],
    }
    if (known.size >= maxStatements) known.delete(known.keys().next().value ?? '')
    known.set(text, made)
    return made
  }
}

/** The type of a table column, if it is not NULL. */
type Kind = readonly [name: string, kind: 'string' | 'number']

const KINDS: Readonly<Record<string, Kind[1]>> = { TEXT: 'string', INTEGER: 'number', REAL: 'number' }

function kindsOf(statement: Database.Statement<Bind[]>): readonly Kind[] {
  const columns = statement.columns()
  // A row that is read with its checksum is checked by that.
  if (columns.some(({ name }) => name === 'sum')) return []
  return columns.flatMap(({ name, type }) => {
    const kind = KINDS[type ?? '']
    return kind === undefined ? [] : [[name, kind]]
  })
}

/** Of one row, of many, or of none. */
function areOf(kinds: readonly Kind[], result: unknown): boolean {
  if (Array.isArray(result)) return result.every((row) => isOf(kinds, row))
  return result === undefined || isOf(kinds, result)
}

/** SQLite enforces column types only on write. Damaged bytes may be read as another type. */
function isOf(kinds: readonly Kind[], row: unknown): boolean {
  for (const [name, kind] of kinds) {
    const value = (row as Readonly<Record<string, unknown>>)[name]
    if (typeof value !== kind && value !== null) return false
  }
  return true
}
