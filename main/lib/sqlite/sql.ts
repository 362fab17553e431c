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
}

type SqlOptions = {
  /** Runs each operation: translates the errors of SQLite. */
  readonly guard?: (<T>(work: () => T) => T) | undefined
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
  const { guard = runs, clock, onSlow, damaged, onWrite, before } = options
  const prepared = preparer(raw, options)
  // Created once: each call of `raw.transaction` builds five functions.
  const inTransaction = raw.transaction((work: () => unknown) => work())

  function use<T>(text: string, work: (statement: Prepared) => T): T {
    before?.(text)
    if (!clock) return guard(() => work(prepared(text)))
    const startedAt = clock.monotonic()
    const result = guard(() => work(prepared(text)))
    const tookMs = clock.monotonic() - startedAt
    if (tookMs > SLOW_MS) onSlow?.(text.replace(/\s+/g, ' ').slice(0, 120), Math.round(tookMs))
    return result
  }

  function statementOf({ statement, writes }: Prepared): Prepared['statement'] {
    if (writes) onWrite?.()
    return statement
  }

  return {
    raw,
    get: <Row>(text: Statement<Row>, ...binds: readonly Bind[]) =>
      use(text, (found) => {
        const row = statementOf(found).get(...binds)
        if (damaged && row !== undefined && !isOf(found.kinds, row)) throw damaged()
        return row as Row | undefined
      }),
    all: <Row>(text: Statement<Row>, ...binds: readonly Bind[]) =>
      use(text, (found) => {
        const rows = statementOf(found).all(...binds)
        if (damaged && found.kinds.length > 0 && !rows.every((row) => isOf(found.kinds, row))) throw damaged()
        return rows as Row[]
      }),
    run: (text, ...binds) => use(text, (found) => statementOf(found).run(...binds).changes),
    exec: (script) =>
      guard(() => {
        before?.(script)
        onWrite?.()
        raw.exec(script)
      }),
    pragma: (text) => guard(() => raw.pragma(text, { simple: true })),
    transaction: <T>(work: () => T, mode: 'immediate' | 'deferred' = 'immediate') =>
      guard(() => inTransaction[mode](work) as T),
  }
}

const runs = <T>(work: () => T): T => work()

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

/** SQLite enforces column types only on write. Damaged bytes may be read as another type. */
function isOf(kinds: readonly Kind[], row: unknown): boolean {
  for (const [name, kind] of kinds) {
    const value = (row as Readonly<Record<string, unknown>>)[name]
    if (typeof value !== kind && value !== null) return false
  }
  return true
}
