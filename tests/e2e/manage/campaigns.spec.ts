import { brokenIn } from '../kit/axe.ts'
import { openPage } from '../kit/manage.ts'
import { expect, test } from '../kit/world.ts'

test('the owner writes a campaign, sees who gets it and how, sends it, and a person reads it', async ({ world }) => {
  const { app, screen: ola } = await world.demo()
  const { page } = ola
  await openPage(page, 'Campaigns')

  await test.step('written for two people by name, with a field', async () => {
    await page.getByRole('button', { name: 'New campaign' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Winter maps')
    for (const name of ['Jonas Lindqvist', 'Hana Mori']) {
      await page.getByRole('button', { name: 'Add a segment or a person' }).click()
      await page.getByRole('combobox', { name: 'Add a segment or a person' }).fill(name)
      // Everybody is listed before this is found, and the row moves.
      await expect(page.getByRole('option')).toHaveText([new RegExp(name)])
      await page.getByRole('option', { name }).click()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
    }
    await page.getByRole('textbox', { name: 'Message' }).fill('Hi , the winter maps are here.')
    await page.getByRole('textbox', { name: 'Message' }).press('Home')
    for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'Insert a field' }).click()
    await page.getByRole('menuitem', { name: 'First name' }).click()
    await page.getByRole('textbox', { name: 'If there is none, write' }).fill('there')
    await page.getByRole('button', { name: 'Insert', exact: true }).click()
    await expect(page.getByText('First name, or “there”')).toBeVisible()
    expect(await brokenIn(page, 'main')).toEqual([])
  })

  await test.step('the dry run lists them, and sending asks for their number', async () => {
    await page.getByRole('button', { name: 'Review and send…' }).click()
    await expect(page.getByRole('heading', { name: '2 people get it.' })).toBeVisible()
    await expect(page.getByRole('row', { name: /Jonas Lindqvist.*Hi Jonas, the winter maps/ })).toBeVisible()
    expect(await brokenIn(page, 'main')).toEqual([])
    await page.getByRole('button', { name: 'Send or schedule…' }).click()
    await page.getByRole('textbox', { name: 'Type 2 to confirm' }).fill('2')
    await page.getByRole('button', { name: 'Send campaign' }).click()
  })

  await test.step('it is followed to its end', async () => {
    await expect(page.getByText('of 2 people have it')).toBeVisible()
    await expect(page.getByText('Finished').first()).toBeVisible()
    expect(await brokenIn(page, 'main')).toEqual([])
  })

  await test.step('each person reads their own message', async () => {
    await page.keyboard.press('Escape')
    await ola.workspace('Open a second window as…')
    const opened = page.waitForEvent('popup')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Jonas Lindqvist/ })
      .click()
    const jonas = world.watch(await opened)
    await app.nextEvent('window')
    await jonas.page.getByRole('link', { name: 'Ola Wiśniewska, 1 unread' }).click()
    await expect(jonas.page.getByText(/Hi Jonas, the winter maps are here\./).first()).toBeVisible()
  })
})
