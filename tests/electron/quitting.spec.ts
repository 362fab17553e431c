import { Admin } from '../e2e/kit/admin.ts'
import { Cable } from '../e2e/kit/cable.ts'
import { connectArgs, startServer, temporaryFolder } from '../e2e/kit/processes.ts'
import type { Desktop } from './kit/desktop.ts'
import { expect, Parlor, test } from './kit/parlor.ts'

/** More than the buffers of a connection take. */
const BIG = { name: 'big.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(4 * 1024 * 1024, 7) }
const [QUIT, WAIT, CANCEL] = [0, 1, 2]

test('quitting during work loses nothing: text just typed, a message written offline, an upload', async ({
  desktop,
}) => {
  const folder = temporaryFolder('quitting')
  const server = await startServer(folder.path)
  const admin = new Admin(server.ready['url'] ?? '')
  await admin.people('alice', 'bob')
  const plans = await admin.channel('plans', ['alice', 'bob'])
  const lunch = await admin.channel('lunch', ['alice', 'bob'])
  const cable = await Cable.to(server.ready['url'] ?? '')
  const start = (): Promise<Parlor> => startAs('alice', cable.url, desktop)

  const first = await start()
  await test.step('during an upload the user is asked, and may stay', async () => {
    await first.screen.openChannel(plans)
    cable.hold()
    await first.page.locator('[data-file-field]').setInputFiles(BIG)
    await expect(first.page.locator('[data-upload="uploading"]')).toBeVisible()
    await answerDialogs(first, CANCEL)
    await askToQuit(first)
    expect(await questions(first)).toEqual([
      { message: '1 file is still being sent', buttons: ['Quit anyway', 'Wait until sent', 'Cancel'] },
    ])
    await expect(first.page.locator('[data-upload="uploading"]')).toBeVisible()
  })
  await test.step('it quits at once, with text that no one has saved yet', async () => {
    await answerDialogs(first, QUIT)
    await first.screen.composer(plans).pressSequentially('the rest follows')
    await first.quit()
  })

  cable.release()
  cable.cut()
  const second = await start()
  await test.step('after a start without a connection the text and its file are there, and can be sent', async () => {
    await expect(second.screen.composer(plans)).toHaveValue('the rest follows')
    await expect(second.page.getByRole('list', { name: 'Attachments' })).toContainText('big.bin')
    await expect(second.page.locator('[data-send="outbox"]')).toBeVisible()
    await second.screen.composer(plans).press('Enter')
    await expect(second.screen.message(plans, 'the rest follows')).toContainText('Queued')
    await second.screen.send(plans, 'written offline')
    await expect(second.screen.message(plans, 'written offline')).toContainText('Queued')
    await second.screen.openChannel(lunch)
    await second.screen.composer(lunch).pressSequentially('half a thought')
  })
  await test.step('queued messages need no question', async () => {
    await second.quit()
  })

  cable.mend()
  const third = await start()
  await test.step('with a connection the queue is sent, each message once and in order, with its file', async () => {
    await expect(third.screen.composer(lunch)).toHaveValue('half a thought')
    await expect.poll(() => admin.texts(plans)).toEqual(['the rest follows', 'written offline'])
    await third.screen.openChannel(plans)
    await expect(third.screen.message(plans, 'the rest follows')).toContainText('big.bin')
    await expect(third.screen.message(plans, 'written offline')).not.toContainText('Queued')
  })
  await test.step('“Wait until sent” quits by itself once everything is sent', async () => {
    cable.hold()
    await third.page.locator('[data-file-field]').setInputFiles({ ...BIG, name: 'last.bin' })
    await third.screen.composer(plans).fill('and the last one')
    await expect(third.page.locator('[data-upload="uploading"]')).toBeVisible()
    await third.page.getByRole('button', { name: 'Send when ready' }).click()
    await expect(third.screen.message(plans, 'and the last one')).toBeVisible()
    await answerDialogs(third, WAIT)
    await askToQuit(third)
    cable.release()
    expect(await third.app.ended()).toBe(0)
    expect(await admin.texts(plans)).toEqual(['the rest follows', 'written offline', 'and the last one'])
    expect(await admin.texts(lunch)).toEqual([])
  })
  await cable.end()
  await server.stop()
  folder.remove()
})

async function startAs(userId: string, url: string, desktop: Desktop): Promise<Parlor> {
  const args = await connectArgs(url, userId)
  const at = args.indexOf('--token')
  return Parlor.start(desktop, 'quitting', args.toSpliced(at, 2), { PARLOR_TOKEN: args[at + 1] ?? '' })
}

type Asked = { asked: { message: string; buttons: readonly string[] }[] }

/** The dialogs of the system are not shown: each returns this choice at once. */
const answerDialogs = ({ app }: Parlor, response: number): Promise<void> =>
  app.evaluate(({ dialog }, pressed) => {
    const seen = globalThis as unknown as Asked
    seen.asked = []
    dialog.showMessageBox = ((options: Electron.MessageBoxOptions) => {
      seen.asked.push({ message: options.message, buttons: options.buttons ?? [] })
      return Promise.resolve({ response: pressed, checkboxChecked: false })
    }) as typeof dialog.showMessageBox
  }, response)

const questions = ({ app }: Parlor): Promise<Asked['asked']> =>
  app.evaluate(() => (globalThis as unknown as Asked).asked)

/** As the menu does; with a question. */
async function askToQuit(parlor: Parlor): Promise<void> {
  await parlor.app.evaluate(({ app }) => app.quit())
  await expect.poll(() => questions(parlor)).toHaveLength(1)
}
