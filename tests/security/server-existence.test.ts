import { afterAll, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import type { Call } from '../contract/in-process.ts'
import { createMatrixWorld, ROLES, routeOf, type Role } from '../contract/matrix/world.ts'
import { ROWS } from '../contract/matrix/rows.ts'

/**
 * A refusal does not reveal that there is something the caller may not see: each request of the permission matrix is
 * made twice by users outside, as it is and with every name in it replaced by one that does not exist.
 */
const OUTSIDE: readonly Role[] = ['anonymous', 'guest', 'stranger']

/** Names of objects in channels that none of them may read, each with one that does not exist. */
const HIDDEN = ['one', 'private', 'm1', 'm2', 'inside', 'polled', 'gone', 'reply', 'last', 'waiting', 'poll', 'yes']
const OWNED = ['own', 'reply', 'place', 'gif'].flatMap((kind) => [...ROLES, 'victim'].map((who) => `${kind}-${who}`))
const ABSENT = new Map([...HIDDEN, ...OWNED].map((id) => [id, `${id.slice(0, -1)}_`] as const))

/** The same request about an object that does not exist, in the same form. */
const elsewhere = (value: unknown): unknown => {
  if (typeof value === 'string') return renamed(value)
  if (Array.isArray(value)) return value.map(elsewhere)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, elsewhere(part)]))
}

function renamed(id: string): string {
  const file = /^(http.*\/files\/)[0-9a-f]{32}(\/.*)$/.exec(id)
  if (file) return `${file[1]}${'f'.repeat(32)}${file[2]}`
  const [, type, name] = /^([a-z]+):([a-z]+)$/.exec(id) ?? []
  return (name === undefined ? ABSENT.get(id) : `${type}:${ABSENT.get(name) ?? name}`) ?? id
}

/** Creating a channel reveals to any caller whether its name is free: the first to choose a name gets it. */
const NAMES_ARE_TAKEN = new Set(['GetOrCreateChannel'])

const world = createMatrixWorld()
afterAll(() => world.close())

const probes = ROWS.flatMap((row) => {
  const [name, marks, call] = row
  if (NAMES_ARE_TAKEN.has(routeOf(row).operation)) return []
  return OUTSIDE.flatMap((role) => {
    const there = typeof call === 'function' ? call(role) : call
    const absent = elsewhere(there) as Call
    const isOpen = marks[ROLES.indexOf(role)] === '.'
    return isOpen || JSON.stringify(there) === JSON.stringify(absent) ? [] : [{ name, role, row, there, absent }]
  })
})

test('the requests were made', () => expect(probes.length).toBeGreaterThan(150))

test.each(probes)('$name returns to $role for hidden objects what it returns for missing ones', (probe) => {
  const who = probe.role === 'anonymous' ? { userId: '', kind: 'anonymous' as const } : { userId: probe.role }
  const answerTo = (call: Call) => {
    const { code, reply } = world.attempt(routeOf(probe.row), who, call)
    return { code, text: plain(reply) }
  }
  expect(answerTo(probe.there)).toEqual(answerTo(probe.absent))
})

/** A response with the names of hidden objects replaced by those of missing ones, without the time it took. */
function plain(reply: Json): string {
  const text = JSON.stringify(elsewhere({ ...reply, duration: '' }))
  return [...ABSENT].reduce(
    (all, [id, absent]) => all.replaceAll(new RegExp(`(?<=[ :/'"])${id}(?=[ '"?,.\\\\])`, 'g'), absent),
    text,
  )
}
