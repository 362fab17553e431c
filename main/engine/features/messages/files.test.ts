import { expect, test } from 'vitest'
import { asMessageId } from '#shared/lib/brand.ts'
import { aWireMessage, aWireUser, refused } from '#kit/lone-engine.ts'
import { reading, type Lone } from '#kit/lone-talk.ts'

const attachments = [
  { type: 'file', asset_url: 'https://files.example/map.pdf', title: 'map.pdf' },
  { type: 'image', image_url: 'https://files.example/view.png' },
  { type: 'link', title: 'Page' },
]
const mine = () => reading([aWireMessage('m1', 1, { user: aWireUser('me'), attachments })])
const remove = async (lone: Lone, index: number) =>
  await lone.engine.handlers.messages.deleteFile({ messageId: asMessageId('m1'), index }, lone.client)

test('a file of an own message is deleted on the server by its address, a picture as a picture', async () => {
  const lone = await mine()
  lone.api.on('DeleteChannelFile', () => ({})).on('DeleteChannelImage', () => ({}))
  await remove(lone, 0)
  await remove(lone, 1)
  expect(lone.api.to('DeleteChannelFile').map(({ body }) => body)).toEqual([{ url: 'https://files.example/map.pdf' }])
  expect(lone.api.to('DeleteChannelImage').map(({ body }) => body)).toEqual([{ url: 'https://files.example/view.png' }])
})

test('a file missing on the server counts as deleted; a refusal is reported', async () => {
  const lone = await mine()
  lone.api.on('DeleteChannelFile', () => {
    throw refused(404, 16)
  })
  await expect(remove(lone, 0)).resolves.toBeUndefined()
  lone.api.on('DeleteChannelFile', () => {
    throw refused(403, 17)
  })
  await expect(remove(lone, 0)).rejects.toMatchObject({ code: 'server/not-allowed' })
})

test('without a connection, for other users’ messages and without a file no request is made', async () => {
  const lone = await mine()
  await expect(remove(lone, 2)).rejects.toMatchObject({ code: 'message/gone' })
  await lone.offline()
  await expect(remove(lone, 0)).rejects.toMatchObject({ code: 'network/offline' })
  const other = await reading([aWireMessage('m1', 1, { user: aWireUser('bob'), attachments })])
  await expect(remove(other, 0)).rejects.toMatchObject({ code: 'message/gone' })
  expect([...lone.api.calls, ...other.api.calls].filter(({ operation }) => /DeleteChannel/.test(operation))).toEqual([])
})
