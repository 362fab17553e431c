import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createToken } from '#main/server/http/auth/identify.ts'
import { API_KEY, startTestServer, tokenOf } from '../kit.ts'
import { ending, newFolder, serving, stop } from './service.ts'

type Sender = { readonly url: string; readonly apiKey: string; readonly token: string }

async function upload({ url, apiKey, token }: Sender, bytes: number): Promise<readonly [number, string]> {
  const form = new FormData()
  form.append('file', new Blob(['x'.repeat(bytes)], { type: 'text/plain' }), 'plan.txt')
  const response = await fetch(`${url}/uploads/file?api_key=${apiKey}&user_id=ann`, {
    method: 'POST',
    headers: { Authorization: token, 'stream-auth-type': 'jwt' },
    body: form,
  })
  const { message = '' } = (await response.json()) as { message?: string }
  return [response.status, message]
}

test('the largest upload is what the operator says, to the byte', async () => {
  const folder = newFolder()
  const { child, line } = await serving(['--data', folder, '--upload-size', '1'])
  await ending(['token', 'ann', '--data', folder, '--create', '--port', new URL(line.url).port])
  const secret = readFileSync(join(folder, 'secret'), 'utf8').trim()
  const ann = { ...line, token: createToken({ userId: 'ann' }, secret) }
  const [fits, tooBig] = [await upload(ann, 1_000_000), await upload(ann, 1_000_001)]
  await stop(child)

  expect(fits[0]).toBe(201)
  expect(tooBig).toEqual([413, 'UploadFile failed with error: "the file is larger than 1000000 bytes"'])
})

test('when the space of the server is full, uploads of everyone are refused and leave nothing behind', async () => {
  const server = await startTestServer({ mostUploadBytes: 30 })
  for (const id of ['ann', 'bob']) await (await server.connect(id)).close()
  const ann = { url: server.url, apiKey: API_KEY, token: tokenOf('ann') }
  const answers = [await upload(ann, 20), await upload(ann, 11), await upload(ann, 10), await upload(ann, 1)]
  const stored = server.services.db.get<{ bytes: number }>('SELECT sum(size_bytes) AS bytes FROM uploads')
  await server.stopAll()

  const refused = [413, 'UploadFile failed with error: "the space of the server for uploads is full"']
  expect(answers).toEqual([[201, ''], refused, [201, ''], refused])
  expect(stored?.bytes).toBe(30)
})
