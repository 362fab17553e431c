import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { connectArgs } from '../kit/processes.ts'
import { expect, test } from '../kit/world.ts'

test('after a kill Parlor is restored: the channel, the draft with its caret, and unsent messages with their files', async ({
  world,
}) => {
  const { server, url, cid, admin, data: serverData } = await world.team('alice', 'bob')
  const other = await admin.channel('lunch', ['alice', 'bob'])
  const { app, screen, data } = await world.client(url, 'alice')
  await screen.openChannel(cid)
  await screen.openChannel(other)
  await server.stop('SIGKILL')
  // The accepted file is a copy; its source may be deleted.
  const source = join(world.folder('pictures'), 'landscape.png')
  copyFileSync('resources/demo/landscape-dawn.png', source)
  await screen.page.locator('[data-file-field]').setInputFiles(source)
  await expect(screen.page.getByRole('list', { name: 'Attachments' })).toContainText('landscape.png')
  await expect(screen.page.locator('[data-send="outbox"]')).toBeVisible()
  await screen.send(other, 'not sent before the kill')
  rmSync(source)
  await screen.composer(other).fill('half a thought')
  for (let step = 0; step < 'thought'.length; step++) await screen.composer(other).press('ArrowLeft')
  await screen.row(cid).click()
  await expect(screen.row(other)).toHaveAccessibleName(/draft/)
  await screen.row(other).click()
  await expect(screen.composer(other)).toHaveValue('half a thought')
  await screen.close()
  await app.stop('SIGKILL')

  const again = await world.app(data, ...(await connectArgs(url, 'alice')))
  const later = await world.open(again.ready['url'])
  await expect(later.row(other)).toHaveAttribute('aria-current', 'page')
  await expect(later.composer(other)).toHaveValue('half a thought')
  await expect(later.message(other, 'not sent before the kill')).toContainText('Queued')
  await later.composer(other).focus()
  const caret = () => later.composer(other).evaluate((field) => (field as HTMLTextAreaElement).selectionStart)
  await expect.poll(caret).toBe('half a '.length)
  await later.page.keyboard.type('small ')
  await expect(later.composer(other)).toHaveValue('half a small thought')

  await world.server(serverData, Number(new URL(url).port))
  await expect(later.message(other, 'not sent before the kill')).not.toContainText('Queued')
  await expect.poll(() => admin.texts(other)).toEqual(['not sent before the kill'])
  const picture = later.message(other, 'not sent before the kill').locator('img').last()
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
})
