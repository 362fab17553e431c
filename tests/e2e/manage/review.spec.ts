import { expect, test } from '@playwright/test'
import { Admin } from '../kit/admin.ts'
import { brokenIn } from '../kit/axe.ts'
import { connectArgs, startApp, startServer, temporaryFolder, type Running } from '../kit/processes.ts'
import { Screen } from '../kit/screen.ts'

/** A name that would turn the text around it, break the line and look like markup. */
const HOSTILE = 'Eve \u202Eevil <img src=x onerror=alert(1)>'

test('one person reports, a moderator decides in the queue by keyboard, and the reporter sees what became of it', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const folders = ['server', 'mia', 'ann'].map(temporaryFolder)
  const [serverData = '', miaData = '', annData = ''] = folders.map(({ path }) => path)
  const running: Running[] = []
  const track = (one: Running): Running => (running.push(one), one)
  try {
    const server = track(await startServer(serverData))
    const url = server.ready['url'] ?? ''
    const admin = new Admin(url)
    await admin.people('mia', 'ann')
    await admin.call('POST', '/users', {
      users: { mia: { id: 'mia', name: 'Mia', role: 'moderator' }, eve: { id: 'eve', name: HOSTILE } },
    })
    const cid = await admin.channel('plans', ['mia', 'ann', 'eve'])
    await admin.send(cid, 'ann', 'Where do we meet?')
    await admin.send(cid, 'eve', 'Buy maps at half price')
    await admin.send(cid, 'eve', 'Last chance for maps')
    const mia = await Screen.open(
      browser,
      track(await startApp(miaData, ...(await connectArgs(url, 'mia')))).ready['url'] ?? '',
    )
    const ann = await Screen.open(
      browser,
      track(await startApp(annData, ...(await connectArgs(url, 'ann')))).ready['url'] ?? '',
    )
    const queue = mia.page.getByRole('listbox', { name: 'Review queue' })

    await test.step('a report appears in the sidebar of the moderator, and nowhere for others', async () => {
      await ann.openChannel(cid)
      for (const text of ['Buy maps at half price', 'Last chance for maps']) {
        await ann.act(ann.message(cid, text), 'Report to moderators…')
        await ann.page.getByRole('button', { name: 'Send report' }).click()
        await ann.page.getByRole('button', { name: 'Done' }).click()
      }
      await expect(mia.page.getByRole('link', { name: /Manage.*2/ })).toBeVisible()
      await expect(ann.page.getByRole('link', { name: /Manage/ })).toHaveCount(0)
    })

    await test.step('the queue shows what was said in its context, who complained, and the author', async () => {
      await mia.page.getByRole('link', { name: /Manage/ }).click()
      await expect(queue.getByRole('option')).toHaveCount(2)
      await queue.getByRole('option').first().click()
      const message = mia.page.getByRole('region', { name: 'Reported message' })
      await expect(message).toContainText('Last chance for maps')
      await expect(message).toContainText('Where do we meet?')
      await expect(message).toContainText('Ann')
      await expect(mia.page.getByRole('region', { name: 'Sender' })).toContainText('User')
      expect(await mia.page.locator('img[src="x"]').count()).toBe(0)
      expect(await brokenIn(mia.page, 'main')).toEqual([])
    })

    await test.step('a deletion by key is carried out, and U takes it back', async () => {
      await queue.getByRole('option').first().press('d')
      await expect(ann.message(cid, 'Last chance for maps')).toHaveCount(0)
      await expect(queue.getByRole('option')).toHaveCount(1)
      await queue.getByRole('option').first().press('u')
      await expect(ann.message(cid, 'Last chance for maps')).toBeVisible()
      await expect(queue.getByRole('option')).toHaveCount(2)
    })

    await test.step('several are decided at once', async () => {
      await queue.getByRole('option').first().focus()
      await mia.page.keyboard.press('x')
      await mia.page.keyboard.press('Shift+J')
      await expect(mia.page.getByRole('region', { name: '2 selected' })).toContainText('Buy maps at half price')
      expect(await brokenIn(mia.page, 'main')).toEqual([])
      await mia.page.keyboard.press('d')
      await expect(mia.page.getByText('The queue is empty')).toBeVisible()
      await expect(ann.message(cid, 'Buy maps at half price')).toHaveCount(0)
      await mia.page.getByRole('radio', { name: 'Decided' }).click()
      await expect(queue.getByRole('option')).toHaveCount(2)
      await expect(queue.getByRole('option').first()).toContainText('Deleted by Mia')
      await mia.page.getByRole('radio', { name: 'Reports' }).click()
      await expect(mia.page.getByRole('table', { name: 'Reports' }).getByText('Decided')).toHaveCount(2)
    })

    await test.step('the reporter finds the outcome in the settings, without who decided', async () => {
      await ann.page.keyboard.press('Control+,')
      await ann.page.getByRole('link', { name: 'Privacy and security' }).click()
      await ann.page.getByText(/^More: /).click()
      await ann.page.getByRole('button', { name: 'Show' }).click()
      const dialog = ann.page.getByRole('dialog', { name: 'My reports' })
      await expect(dialog.getByText('Deleted', { exact: true })).toHaveCount(2)
      await expect(dialog).not.toContainText('Mia')
    })
    expect([...mia.complaints, ...ann.complaints]).toEqual([])
  } finally {
    await Promise.allSettled(running.map((one) => one.stop()))
    for (const folder of folders) folder.remove()
  }
})
