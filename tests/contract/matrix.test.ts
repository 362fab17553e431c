import { afterAll, describe, expect, test } from 'vitest'
import { CAPABILITIES } from '#shared/rules/channels/grants.ts'
import { routes } from '#main/server/routes.ts'
import { ROWS } from './matrix/rows.ts'
import { createMatrixWorld, ROLES, routeOf } from './matrix/world.ts'

/** Permissions: every operation by every role. The marks are explained in matrix/rows.ts. */
const MEANINGS: Readonly<Record<string, string>> = {
  '.': 'may',
  '-': 'gets an answer with nothing in it',
  7: 'is refused with 17',
  6: 'is refused with 16',
  0: 'is refused with 70',
  F: 'is refused with 19, the feature is off',
}

const world = createMatrixWorld()
afterAll(() => world.close())

describe.each(ROWS.map((row) => [row[0], row] as const))('%s', (_name, row) => {
  const [, marks] = row
  test.each(ROLES.map((role, at) => [role, MEANINGS[marks[at] ?? ''] ?? 'has no mark', marks[at] ?? ''] as const))(
    '%s %s',
    (role, _description, mark) => {
      const cell = world.cell(row, role)
      expect(cell).toEqual({ mark, detail: cell.mark === mark ? cell.detail : '' })
    },
  )
})

test('every operation of the server has a row, and every row ten marks', () => {
  const covered = new Set(ROWS.map((row) => routeOf(row)))
  expect(routes.filter((route) => !covered.has(route)).map(({ method, path }) => `${method} ${path}`)).toEqual([])
  expect(ROWS.filter(([, marks]) => marks.length !== ROLES.length)).toEqual([])
  expect(new Set(ROWS.map(([name]) => name)).size).toBe(ROWS.length)
})

const administration = ROWS.filter(([, marks]) => marks === '7777777777' && !/else|nothing/.test(marks))
test.each(administration.filter(([name]) => !name.includes(':')).map((row) => [row[0], row] as const))(
  '%s is allowed for a server token',
  (_name, row) => {
    const cell = world.serverCell(row)
    expect(cell).toEqual({ mark: '.', detail: cell.mark === '.' ? cell.detail : '' })
  },
)

const OPEN = new Set(['Hi', 'CreateGuest'])
test.each(routes.filter(({ operation }) => !OPEN.has(operation)).map((route) => [route.operation, route] as const))(
  '%s is refused with 17 without a token, while anonymous access is off',
  (_operation, route) => {
    const cell = world.closedCell(route)
    expect(cell).toEqual({ mark: '7', detail: cell.mark === '7' ? cell.detail : '' })
  },
)

test('the server knows the 42 capabilities of the contract', () => {
  expect(CAPABILITIES.length).toBe(42)
  expect(new Set(CAPABILITIES).size).toBe(42)
})

test('the server logged no failure', () => {
  expect(world.failures).toEqual([])
})
