import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommandHandler } from '#main/server/commands/commands.ts'
import { Refusal, refuse } from '#main/server/http/refusal.ts'
import { need, openChannel } from '#main/server/channels/access.ts'
import { changeChannel, channelByCid } from '#main/server/channels/channel-table.ts'
import { toText } from '#main/server/store/time.ts'
import { transact, trying } from '#main/server/work.ts'
import { ADMIN, openRoom, type Room } from '../room.ts'

let room: Room
beforeAll(() => {
  room = openRoom(['ann', 'bob'])
  const params = { type: 'messaging', id: 'talk' }
  room.done('GetOrCreateChannel', 'ann', { params, body: { data: { members: ['ann', 'bob'] } } })
})
afterAll(() => room.close())

/** Like the example in the comment of `CommandHandler`; a topic of one letter is refused after all its writes. */
const topicCommand: CommandHandler = {
  run({ work, access, who, args }) {
    need(access, who, 'update-channel', 'UpdateChannel')
    changeChannel(work.db, access.channel.cid, { name: args.slice(0, 100), updated_at: work.now })
    work.emit({
      event: { type: 'topic', created_at: toText(work.now) },
      to: { kind: 'users', ids: ['ann', 'bob'] },
    })
    work.afterwards(() => void done.push(args))
    if (args.length < 2) return refuse('input', 'Say what the topic is: /topic [text]')
    return { text: `The topic is now: ${args}` }
  },
}
const done: string[] = []

const topic = (userId: string, args: string): string =>
  transact(room.server.services, (work) => {
    const who = { userId, role: 'user', banned: false, server: false, expiresAtMs: undefined }
    const access = openChannel(work.db, 'messaging:talk', who)
    try {
      const draft = { text: `/topic ${args}`, custom: {} } as Parameters<CommandHandler['run']>[0]['draft']
      return trying(work, (inner) => topicCommand.run({ work: inner, access, who, draft, args })).text
    } catch (error) {
      if (error instanceof Refusal) return error.message
      throw error
    }
  })
const nameOf = () => channelByCid(room.server.services.db, 'messaging:talk')?.name

test('a custom command acts within the request, and its events are sent with it', () => {
  const bob = room.listen('bob')
  expect(topic('ann', 'Picnic')).toBe('The topic is now: Picnic')
  expect(nameOf()).toBe('Picnic')
  expect(bob.types()).toEqual(['topic'])
  expect(done).toEqual(['Picnic'])
})

test('a command that refuses changes nothing, whatever it did before', () => {
  const bob = room.listen('bob')
  expect(topic('ann', 'x')).toBe('Say what the topic is: /topic [text]')
  expect(topic('bob', 'Mutiny')).toContain('not allowed')
  expect(nameOf()).toBe('Picnic')
  expect(bob.types()).toEqual([])
  expect(done).toEqual(['Picnic'])
})

test('a command added for one workspace is in its list, and without a handler it is refused with 44', () => {
  const body = { name: 'topic', description: 'Change the topic', args: '[text]' }
  room.done('CreateCommand', ADMIN, { body })
  const params = { type: 'messaging', id: 'talk' }
  const { commands } = room.done<{ commands: { name: string }[] }>('ListCommands', 'ann')
  expect(commands.map(({ name }) => name)).toContain('topic')
  expect(room.ask('SendMessage', 'ann', { params, body: { message: { text: '/topic x' } } }).code).toBe(44)
})
