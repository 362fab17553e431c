import { afterAll, expect, test } from 'vitest'
import type { Json } from '#main/server/http/json.ts'
import { routes } from '#main/server/routes.ts'
import { forgetTypes } from '#main/server/channels/channel-types.ts'
import type { Caller, InProcess } from '../in-process.ts'
import { ROWS } from '../matrix/rows.ts'
import { createMatrixWorld, ROLES, routeOf } from '../matrix/world.ts'

/**
 * The server keeps what lists of channels repeat as it was written last. Whatever anybody does, and whether it is undone
 * or not, the next list is the one that is made of rows alone.
 */
const world = createMatrixWorld()
afterAll(() => world.close())

const CIDS = ['messaging:one', 'team:open', 'team:private', 'livestream:open']
const VIEWERS = ['member', 'creator', 'admin', 'shadowBanned', 'stranger']

const routeNamed = (name: string) => {
  const found = routes.find(({ operation }) => operation === name)
  if (!found) throw new Error(`no operation ${name}`)
  return found
}
const LIST = routeNamed('QueryChannels')

function listFor({ call }: Pick<InProcess, 'call'>, userId: string): Json {
  const body = { filter_conditions: { cid: { $in: CIDS } }, message_limit: 30, member_limit: 30 }
  return call(LIST, { userId }, { body }).reply
}

const lists = (): readonly Json[] => VIEWERS.map((userId) => listFor(world, userId))

/** A script may change anything: it clears every cache of the database. */
function listsOfRows(): readonly Json[] {
  world.services.db.exec('')
  return lists()
}

const SERVER: Caller = { userId: '', kind: 'server' }

/** The first role that may do it; otherwise a server token. */
function callerOf(marks: string): { readonly who: Caller; readonly as: string } {
  const role = ROLES.find((_, at) => marks[at] === '.' && at > 0)
  return role === undefined ? { who: SERVER, as: 'creator' } : { who: { userId: role }, as: role }
}

test.each(ROWS.map((row) => [row[0], row] as const))(
  'lists are right after %s, and once it is undone',
  (_name, row) => {
    const [, marks, call] = row
    const { who, as } = callerOf(marks)
    const { db } = world.services
    const undone = new Error('undone')
    lists()
    try {
      db.transaction(() => {
        world.call(routeOf(row), who, typeof call === 'function' ? call(as) : call)
        const kept = lists()
        expect(kept, 'done').toEqual(listsOfRows())
        throw undone
      })
    } catch (error) {
      if (error !== undone) throw error
    }
    forgetTypes(db)
    const kept = lists()
    expect(kept, 'undone').toEqual(listsOfRows())
  },
)

test('a message in a list is the one that its own call gives to the same person', () => {
  listsOfRows()
  const messages = VIEWERS.flatMap((userId) => {
    const { channels } = listFor(world, userId) as { channels: { messages: { id: string }[] }[] }
    return channels.flatMap((channel) => channel.messages.map((message) => ({ userId, message })))
  })
  expect(messages.length).toBeGreaterThan(40)
  for (const { userId, message } of messages) {
    const { reply } = world.call(routeNamed('GetMessage'), { userId }, { params: { id: message.id } })
    const { channel: _channel, ...alone } = reply['message'] as Json
    expect(message).toEqual(JSON.parse(JSON.stringify(alone)))
  }
})
