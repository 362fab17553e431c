import { expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { aLoneEngine, FakeApi, failing } from '#kit/lone-engine.ts'

const BYTES = Buffer.from('%PDF-1.4 not much of a document')
const FACTS = { name: 'Plan ż.pdf', mimeType: 'application/pdf', sizeBytes: BYTES.length }
const half = BYTES.subarray(0, 10).toString('base64')
const rest = BYTES.subarray(10).toString('base64')

async function scene(access: 'secret' | 'none' = 'secret') {
  const server = { source: 'secret', api: () => Promise.resolve(new FakeApi()) } as const
  const lone = await aLoneEngine(access === 'secret' ? { server } : {})
  await lone.online()
  const { sendFile, dropFile } = lone.engine.handlers.campaigns
  type Input = Parameters<typeof sendFile>[0]
  const send = async (input: Partial<Input>) => sendFile({ ...FACTS, base64: half, ...input }, lone.client)
  const code = (input: Partial<Input>) => send(input).catch((error: unknown) => (error as AppError).code)
  return { lone, send, code, drop: (id: string) => dropFile({ id }, lone.client) }
}

test('a file arrives in chunks, is uploaded in the viewer’s name, and nothing of it stays on this device', async () => {
  const { lone, send } = await scene()
  lone.api.on('UploadFile', () => {
    const staged = [...lone.files.held.values()].map((bytes) => Buffer.from(bytes).toString())
    expect(staged).toEqual([BYTES.toString()])
    return { file: 'https://files.test/plan', thumb_url: 'https://files.test/thumb' }
  })
  const { id, attachment: none } = await send({})
  expect(none).toBeUndefined()
  const { attachment } = await send({ id, base64: rest })
  expect(attachment).toMatchObject({ title: 'Plan ż.pdf', image: false })
  expect(JSON.parse(attachment?.json ?? '')).toEqual({
    type: 'file',
    title: 'Plan ż.pdf',
    mime_type: 'application/pdf',
    file_size: BYTES.length,
    asset_url: 'https://files.test/plan',
    thumb_url: 'https://files.test/thumb',
  })
  expect(lone.files.held.size).toBe(0)
})

test('a picture keeps its sides, so that readers can reserve its space', async () => {
  const { lone, send } = await scene()
  lone.api.on('UploadImage', () => ({ file: 'https://files.test/cat' }))
  const picture = { name: 'cat.png', mimeType: 'image/png', sizeBytes: 3, width: 8, height: 6, base64: 'Y2F0' }
  const { attachment } = await send(picture)
  expect(attachment?.image).toBe(true)
  expect(JSON.parse(attachment?.json ?? '')).toMatchObject({
    type: 'image',
    image_url: 'https://files.test/cat',
    original_width: 8,
    original_height: 6,
  })
})

test('what the server would refuse, what is broken and what was dropped is refused, and leaves nothing behind', async () => {
  const { lone, send, code, drop } = await scene()
  expect(await code({ sizeBytes: 101 * 1024 * 1024 })).toBe('upload/too-large')
  expect(await code({ base64: Buffer.concat([BYTES, BYTES]).toString('base64') })).toBe('upload/size-mismatch')
  const { id } = await send({})
  await drop(id)
  expect(await code({ id, base64: rest })).toBe('upload/unknown')
  lone.api.on('UploadFile', () => {
    throw failing({ kind: 'transport', transport: 'network', sent: false })
  })
  const { id: cut } = await send({})
  expect(await code({ id: cut, base64: rest })).toMatch(/^network/)
  for (let count = 0; count < 9; count += 1) await send({})
  expect(lone.files.held.size).toBe(8)
})

test.each([undefined, null, 5, '', {}, { file: 5 }, { file: null }, { file: ['x'] }])(
  'a server that answers %j is not believed, and nothing stays behind',
  async (reply) => {
    const { lone, send, code } = await scene()
    lone.api.on('UploadFile', () => reply)
    const { id } = await send({})
    expect(await code({ id, base64: rest })).toBe('server/unavailable')
    expect(lone.files.held.size).toBe(0)
  },
)

test('without the right or a connection no byte is taken', async () => {
  const { lone, code } = await scene('none')
  expect(await code({})).toBe('manage/not-allowed')
  const other = await scene()
  await other.lone.offline()
  expect(await other.code({})).toBe('network/offline')
  expect(lone.files.held.size + other.lone.files.held.size).toBe(0)
})
