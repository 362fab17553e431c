import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { type CommandHandler, HANDLERS } from '#main/server/commands/commands.ts'
import { createCommand } from '#shared/wire/admin.ts'
import { queryChannel } from '#shared/wire/channels.ts'
import { sendMessage } from '#shared/wire/messages.ts'
import { createToken } from '#main/server/http/auth/identify.ts'
import { API_KEY, SECRET, startTestServer } from '../kit.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Below the root, so that its imports resolve. */
const FOLDER = join(ROOT, 'test-results', 'own-command')
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

/** The example exactly as in the document. */
function example(): string {
  const text = readFileSync(join(ROOT, 'docs/server.md'), 'utf8')
  return /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
}

test('the command of docs/server.md works as documented', async () => {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'dice.ts'), example())
  const { diceCommand } = (await import(join(FOLDER, 'dice.ts'))) as { diceCommand: CommandHandler }
  Object.assign(HANDLERS, { dice: diceCommand })
  const server = await startTestServer()
  const ann = await server.connect('ann')
  const made = await fetch(`${server.url}${createCommand.path}?api_key=${API_KEY}`, {
    method: createCommand.method,
    headers: { authorization: createToken({}, SECRET), 'stream-auth-type': 'jwt', 'content-type': 'application/json' },
    body: '{"name":"dice","description":"Rolls a die","args":"[sides]"}',
  })
  expect(made.status).toBe(201)
  const room = { type: 'messaging', id: 'room' }
  await ann.call(queryChannel, room, { body: { data: { members: ['ann'] } } })
  const { message } = (await ann.call(sendMessage, room, { body: { message: { text: '/dice 20' } } })).body
  expect(message.type).toBe('ephemeral')
  expect(/^\d+ of 20$/.test(message.text ?? '')).toBe(true)
  await server.stopAll()
})
