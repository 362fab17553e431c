import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from 'vite'
import { afterAll, describe, expect, test } from 'vitest'
import { seededIds } from '#kit/seeded-ids.ts'
import { routes } from '#main/server/routes.ts'
import type { Db, CachedTable } from '#main/server/store/db.ts'
import { inProcess } from '../contract/in-process.ts'

/** What the server's source must not contain: SQL or regular expressions made from input. */

const ROOT = join(import.meta.dirname, '../../main/server')
const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => join(ROOT, path))

type Regex = { readonly where: string; readonly pattern: string; readonly flags: string }
const regexes: Regex[] = []
const made: string[] = []
const prepared: string[] = []

type Node = Readonly<Record<string, unknown>> & { readonly type: string }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) walk(each, visit)
  else if (isNode(value)) {
    visit(value)
    for (const part of Object.values(value)) walk(part, visit)
  }
}

/** `f` of `f()` and of `x.f()`. */
function calledName(node: Node): unknown {
  const callee = node['callee'] as Node
  return callee['name'] ?? (isNode(callee['property']) ? callee['property']['name'] : undefined)
}

for (const file of FILES) {
  const where = relative(ROOT, file)
  walk(parseSync(file, readFileSync(file, 'utf8')).program, (node) => {
    if (node.type === 'Literal' && node['regex']) regexes.push({ where, ...(node['regex'] as Omit<Regex, 'where'>) })
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return
    const name = calledName(node)
    if (name === 'RegExp') made.push(where)
    const [first] = node['arguments'] as Node[]
    const isMade = first?.type === 'TemplateLiteral' && (first['expressions'] as unknown[]).length > 0
    if ((name === 'prepare' || name === 'exec') && isMade) prepared.push(where)
  })
}

describe('SRV-47 expressions', () => {
  test('SRV-47 none is built from input', () => {
    expect(made).toEqual([])
    expect(regexes.length).toBeGreaterThan(50)
    expect(FILES.length).toBeGreaterThan(100)
  })

  /**
   * Runs of every character the server matches, ended by one that breaks the match: this makes an expression backtrack.
   */
  const LENGTH = 20_000
  const RUNS = ['a', '0', ' ', '\n', '.', '-', '/', '@', '&', '<', '"', '{', 'ł', '\u0301']
  const SEEDS = ['', 'http://', '/', '<!--', '&#x', 'bytes=', 'a@', 'INSERT INTO ']
  const ATTACKS = RUNS.flatMap((run) => SEEDS.map((seed) => `${seed}${run.repeat(LENGTH)}\u0007!`))
  const PAIRS = ['a.', '. ', 'a@', '/.', '<a', '--', 'a-', '&a;', '{a}', '\n ', 'http://'].map(
    (run) => `${run.repeat(LENGTH / 2)}\u0007!`,
  )

  test.each(regexes)(
    'SRV-47 /$pattern/$flags of $where takes time in proportion to its text',
    ({ pattern, flags }) => {
      const expression = new RegExp(pattern, flags)
      const isSlowOnce = (attack: string): boolean => {
        const before = process.threadCpuUsage()
        attack.replace(expression, '')
        return process.threadCpuUsage(before).user > 50_000
      }
      // One that backtracks is slow each time; a collection of garbage comes once.
      const isSlow = (attack: string): boolean => [1, 2, 3].every(() => isSlowOnce(attack))
      const slow = [...ATTACKS, ...PAIRS].filter(isSlow)
      expect(slow.map((attack) => attack.slice(0, 40))).toEqual([])
    },
    120_000,
  )
})

describe('SRV-48 SQL', () => {
  test('SRV-48 no statement is prepared from a template with a placeholder', () => expect(prepared).toEqual([]))

  const world = inProcess()
  afterAll(() => world.close())

  test('SRV-48 no input is ever part of the text of a statement', () => {
    const MARK = 'zzMARKzz'
    const seen = new Set<string>()
    const { db } = world.services
    const found: string[] = []
    const note = (sql: string): string => {
      seen.add(sql)
      if (sql.includes(MARK)) found.push(sql)
      return sql
    }
    const noted = (of: Db['keepingCaches']): Db['keepingCaches'] => ({
      all: (sql, ...values) => of.all(note(String(sql)), ...values),
      get: (sql, ...values) => of.get(note(String(sql)), ...values),
      run: (sql, ...values) => of.run(note(sql), ...values),
    })
    const plain: Db = { ...db }
    Object.assign(db, {
      ...noted(plain),
      exec: (sql: string) => plain.exec(note(sql)),
      changing: (...tables: readonly CachedTable[]) => noted(plain.changing(...tables)),
      keepingCaches: noted(plain.keepingCaches),
    })
    const FIELDS = [
      'id',
      'cid',
      'type',
      'name',
      'text',
      'created_at',
      'user_id',
      'members',
      MARK,
      `x" OR 1=1 --${MARK}`,
    ]
    const OPERATORS = ['$eq', '$in', '$gt', '$autocomplete', '$q', '$exists', '$contains', MARK]
    const dice = seededIds(48)
    const pick = <T>(list: readonly T[]) => list[Math.floor(dice.random() * list.length)] as T
    for (const route of routes) {
      const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
      for (let turn = 0; turn < 20; turn += 1) {
        const word = `${pick(["'", '"', ';', ' ', ''])}${MARK}`
        const filter = { [pick(FIELDS)]: { [pick(OPERATORS)]: pick([word, [word], { [word]: word }]) } }
        const sort = [{ field: pick(FIELDS), direction: 1 }]
        const ask = {
          filter_conditions: filter,
          filter,
          sort,
          query: word,
          id: word,
          ids: [word],
          type: word,
          name: word,
          user_id: word,
        }
        world.attempt(
          route,
          { userId: pick(['ann', MARK]), kind: 'server' },
          {
            params: Object.fromEntries(names.map((name) => [name, pick([word, 'messaging', 'one'])])),
            query: { payload: ask, ids: word, limit: word },
            body: { ...ask, message: { text: word, [word]: word }, data: { [word]: word }, set: { [word]: word } },
          },
        )
      }
    }
    expect(found).toEqual([])
    expect(seen.size).toBeGreaterThan(50)
    expect(world.failures).toEqual([])
  })
})
