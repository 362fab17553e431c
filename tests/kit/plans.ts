import { describe, expect, test } from 'vitest'
import type { Raw } from '#main/lib/sqlite/connection.ts'
import { readSqlSource, UNKNOWN } from './sql-source.ts'

type Reasons = Readonly<Record<string, string>>

type Checked = {
  /** The beginning of the paths of its files. */
  readonly room: string
  /** Databases with its schema; each statement belongs to one of them. */
  readonly databases: () => readonly Raw[]
  /** Statements that may read a whole table: on purpose, and never for a single event, request or page. */
  readonly scans: Reasons
  /** Statements that may sort: few rows. */
  readonly sorts: Reasons
  /** Statements that are only complete at run time, or of other databases; why, and where their plans are checked. */
  readonly composed: Reasons
}

/** The steps of a query plan. */
export function planOf(raw: Raw, sql: string): readonly string[] {
  const binds = Array.from({ length: sql.split('?').length - 1 }, () => null)
  return raw
    .prepare<unknown[], { detail: string }>('EXPLAIN QUERY PLAN ' + sql)
    .all(...binds)
    .map(({ detail }) => detail)
}

/** Walking an index in the wanted order is not a scan; walking a table, or an index without a condition, is. */
const isScan = (detail: string): boolean =>
  /^SCAN (?!json_each|wanted|\(subquery|CONSTANT|\d)/.test(detail) && !detail.includes('VIRTUAL TABLE')

/** Reads only the first row, or has a limit. */
const BOUNDED = /LIMIT (1|\?)\)?$|FROM json_each\(\?\)/

/**
 * Declares tests that read the query plan of every SQL statement of a layer, so that new ones are checked too.
 * Statements that may scan a table or sort are listed with the reason, by their file and constant or function.
 */
export function checkPlans({ room, databases, scans, sorts, composed }: Checked): void {
  const { statements } = readSqlSource(room)
  // Conditions that are added at run time are left out.
  const known = statements
    .filter(({ name }) => !Object.hasOwn(composed, name))
    .map(({ name, sql }) => ({ name, sql: sql.replaceAll(UNKNOWN, '') }))
  const isOf = (raw: Raw, sql: string): boolean => {
    try {
      raw.prepare(sql)
      return true
    } catch {
      // The statement belongs to another database.
      return false
    }
  }
  const planIn = (sql: string): readonly string[] => {
    const owner = databases().find((raw) => isOf(raw, sql))
    expect(owner, sql).toBeDefined()
    return owner ? planOf(owner, sql) : []
  }

  describe('every statement', () => {
    test('is found', () => {
      expect(known.length).toBeGreaterThan(100)
      const names = new Set(statements.map(({ name }) => name))
      const listed = [scans, sorts, composed].flatMap((reasons) => Object.keys(reasons))
      expect(listed.filter((name) => !names.has(name))).toEqual([])
    })

    test.each(known)('$name uses an index', ({ name, sql }) => {
      const found = planIn(sql).filter(isScan)
      expect(Object.hasOwn(scans, name) || BOUNDED.test(sql) ? [] : found, sql).toEqual([])
    })

    test.each(known)('$name does not sort', ({ name, sql }) => {
      const found = planIn(sql).filter((detail) => /TEMP B-TREE FOR (ORDER|GROUP) BY/.test(detail))
      expect(Object.hasOwn(sorts, name) ? [] : found, sql).toEqual([])
    })
  })
}
