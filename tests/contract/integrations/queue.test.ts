import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createToken } from '#main/server/http/auth/identify.ts'
import { newFolder, serving, type Service } from '../service/service.ts'
import { startProgram } from './program.ts'

const folder = newFolder()
const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

/** A call with a server token in Ola's name, over plain HTTP. */
async function ask(service: Service, secret: string, path: string, body: object): Promise<Record<string, never>> {
  const response = await fetch(`${service.line.url}${path}?api_key=${service.line.apiKey}&user_id=ola`, {
    method: 'POST',
    headers: { authorization: createToken({}, secret), 'stream-auth-type': 'jwt', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as Record<string, never>
}

test('a server that is killed with a full queue delivers every event after its start, with the same ids', async () => {
  const program = await startProgram()
  closing.push(() => program.stop())
  // Never answers: the first event is on its way when the server dies.
  program.answer = () => undefined
  const first = await serving(['--data', folder])
  const secret = readFileSync(`${folder}/secret`, 'utf8').trim()
  await ask(first, secret, '/users', { users: { ola: { id: 'ola', role: 'admin' } } })
  await ask(first, secret, '/channels/team/builds/query', { data: { members: ['ola'] } })
  await ask(first, secret, '/integrations', {
    action: 'create',
    kind: 'outgoing',
    name: 'Archive',
    url: program.url,
    cid: 'team:builds',
    events: ['message.new'],
  })
  const texts = Array.from({ length: 40 }, (_none, at) => `number ${at}`)
  for (const text of texts) await ask(first, secret, '/channels/team/builds/message', { message: { text } })
  await program.got(1)
  const cut = once(first.child, 'close')
  first.child.kill('SIGKILL')
  await cut
  program.answer = (response) => response.end()
  await serving(['--data', folder])
  const calls = await program.got(1 + texts.length)
  const read = calls.map(({ headers, body }) => ({
    id: headers['parlor-delivery'],
    text: (JSON.parse(body) as { message: { text: string } }).message.text,
  }))
  expect(read.slice(1).map(({ text }) => text)).toEqual(texts)
  expect(read[0]).toEqual(read[1])
  expect(new Set(read.map(({ id }) => id)).size).toBe(texts.length)
}, 30_000)
