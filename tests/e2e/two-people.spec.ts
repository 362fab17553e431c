import { expect, test } from '@playwright/test'
import { Admin } from './kit/admin.ts'
import { connectArgs, startApp, startServer, temporaryFolder, type Running } from './kit/processes.ts'
import { Screen } from './kit/screen.ts'

test('two users write; one loses the server, keeps writing, restarts, and nothing is lost or duplicated', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const folders = ['server', 'alice', 'bob'].map(temporaryFolder)
  const [serverData = '', aliceData = '', bobData = ''] = folders.map(({ path }) => path)
  const running: Running[] = []
  const track = (one: Running): Running => (running.push(one), one)
  try {
    const server = track(await startServer(serverData))
    const url = server.ready['url'] ?? ''
    const admin = new Admin(url)
    await admin.people('alice', 'bob')
    const cid = await admin.channel('plans', ['alice', 'bob'])

    const aliceApp = track(await startApp(aliceData, ...(await connectArgs(url, 'alice'))))
    const bobApp = track(await startApp(bobData, ...(await connectArgs(url, 'bob'))))
    const alice = await Screen.open(browser, aliceApp.ready['url'] ?? '')
    const bob = await Screen.open(browser, bobApp.ready['url'] ?? '')

    await test.step('a message reaches the other user, and one comes back', async () => {
      await alice.openChannel(cid)
      await bob.openChannel(cid)
      await alice.send(cid, 'note 1 from alice')
      await expect(bob.message(cid, 'note 1 from alice')).toBeVisible()
      await bob.send(cid, 'note 2 from bob')
      await expect(alice.message(cid, 'note 2 from bob')).toBeVisible()
    })

    await test.step('the server stops; both keep reading, and alice keeps writing', async () => {
      await server.stop('SIGKILL')
      await alice.send(cid, 'note 3 offline')
      await alice.send(cid, 'note 4 offline')
      await expect(alice.page.getByText('You’re offline.', { exact: false }).first()).toBeVisible({ timeout: 15_000 })
      await expect(alice.message(cid, 'note 3 offline')).toContainText('Queued')
    })

    await test.step('alice closes Parlor and opens it again, still without a server', async () => {
      await aliceApp.stop('SIGKILL')
      await alice.page.context().close()
    })
    const again = track(await startApp(aliceData, ...(await connectArgs(url, 'alice'))))
    const aliceAgain = await Screen.open(browser, again.ready['url'] ?? '')
    await test.step('everything is still there, before any request can succeed', async () => {
      await aliceAgain.openChannel(cid)
      expect(await aliceAgain.texts(cid, /note \d/)).toEqual(['note 1', 'note 2', 'note 3', 'note 4'])
      await expect(aliceAgain.message(cid, 'note 4 offline')).toContainText('Queued')
    })

    await test.step('the server is back on its port, and queued messages arrive once and in order', async () => {
      track(await startServer(serverData, { port: Number(new URL(url).port) }))
      await expect(bob.message(cid, 'note 4 offline')).toBeVisible({ timeout: 40_000 })
      await expect(aliceAgain.message(cid, 'note 4 offline')).not.toContainText('Queued', { timeout: 40_000 })
      const expected = ['note 1', 'note 2', 'note 3', 'note 4']
      expect((await admin.texts(cid)).map((text) => /note \d/.exec(text)?.[0])).toEqual(expected)
      expect(await bob.texts(cid, /note \d/)).toEqual(expected)
      expect(await aliceAgain.texts(cid, /note \d/)).toEqual(expected)
    })
    expect([...aliceAgain.complaints, ...bob.complaints]).toEqual([])
  } finally {
    await Promise.allSettled(running.map((one) => one.stop()))
    for (const folder of folders) folder.remove()
  }
})
