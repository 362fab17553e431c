import { afterAll, describe, expect, test } from 'vitest'
import { CAPABILITIES } from '#main/server/channels/capabilities.ts'
import { routes } from '#main/server/routes.ts'
import { ROWS } from './matrix/rows.ts'
import { createMatrixWorld, ROLES, routeOf } from './matrix/world.ts'

/** Who may do what: every operation by every role. The marks are explained in matrix/rows.ts. */
const WORDS: Readonly<Record<string, string>> = {
  '.': 'may',
  '-': 'gets an answer with nothing in it',
  7: 'is refused with 17',
  6: 'is refused with 16',
  0: 'is refused with 70',
  F: 'is told the feature is off, 19',
}

const world = createMatrixWorld()
afterAll(() => world.close())

describe.each(ROWS.map((row) => [row[0], row] as const))('%s', (_name, row) => {
  const [, marks] = row
  test.each(ROLES.map((role, at) => [role, WORDS[marks[at] ?? ''] ?? 'has no mark', marks[at] ?? ''] as const))(
    '%s %s',
    (role, _description, mark) => {
      const cell = world.cell(row, role)
      expect(cell).toEqual({ mark, detail: cell.mark === mark ? cell.detail : '' })
    },
  )
})

test('every operation the server answers has a row, and every row ten marks', () => {
  const covered = new Set(ROWS.map((row) => routeOf(row)))
  expect(routes.filter((route) => !covered.has(route)).map(({ method, path }) => `${method} ${path}`)).toEqual([])
  expect(ROWS.filter(([, marks]) => marks.length !== ROLES.length)).toEqual([])
  expect(new Set(ROWS.map(([name]) => name)).size).toBe(ROWS.length)
})

const administration = ROWS.filter(([, marks]) => marks === '7777777777' && !/else|nothing/.test(marks))
test.each(administration.filter(([name]) => !name.includes(':')).map((row) => [row[0], row] as const))(
  '%s is done for a server token',
  (_name, row) => {
    const cell = world.serverCell(row)
    expect(cell).toEqual({ mark: '.', detail: cell.mark === '.' ? cell.detail : '' })
  },
)

const OPEN = new Set(['Hi', 'CreateGuest'])
test.each(routes.filter(({ operation }) => !OPEN.has(operation)).map((route) => [route.operation, route] as const))(
  '%s is refused with 17 to someone without a token, while no one let them in',
  (_operation, route) => {
    const cell = world.closedCell(route)
    expect(cell).toEqual({ mark: '7', detail: cell.mark === '7' ? cell.detail : '' })
  },
)

test('the server knows the 42 capabilities of the contract', () => {
  expect(CAPABILITIES.length).toBe(42)
  expect(new Set(CAPABILITIES).size).toBe(42)
})

test('nothing broke on the way', () => {
  expect(world.failures).toEqual([])
})
