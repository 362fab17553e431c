import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { LONG } from '#kit/parts.ts'
import { expect, test } from '../kit/world.ts'

const PASSPHRASE = 'correct horse battery staple'
/** A key is derived on purpose slowly. */
const SLOW = { timeout: 60_000 }

async function openStorage(page: Page): Promise<void> {
  await expect(page.locator('[data-channel-item]').first()).toBeVisible(SLOW)
  await page.keyboard.press('Control+,')
  await page.getByRole('navigation').getByRole('link', { name: 'App and system', exact: true }).click()
}

async function openFile(page: Page, path: string, passphrase: string): Promise<void> {
  await openStorage(page)
  await page.getByRole('button', { name: 'Open…' }).click()
  await page.getByRole('dialog').locator('input[type="file"]').setInputFiles(path)
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await page.keyboard.press('Enter')
}

test(
  'a draft and an unsent message go to another device in a file, and the message arrives once',
  LONG,
  async ({ world }) => {
    const { url, cid } = await world.team('ola', 'jonas')
    const cable = await world.cable(url)
    const one = await world.client(cable.url, 'ola')
    const { page } = one.screen

    await test.step('written without a connection, and saved', async () => {
      await one.screen.openChannel(cid)
      cable.cut()
      const composer = page.locator('[data-composer]')
      await composer.fill('Written on the train')
      await composer.press('Enter')
      await expect(page.locator('[data-message-id]')).toContainText(['Written on the train'])
      await composer.fill('half a thought')
      await openStorage(page)
      await page.getByRole('button', { name: 'Save…' }).click()
      await expect(page.getByRole('list', { name: 'In this file' }).getByRole('listitem')).toHaveCount(2)
      await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
      await page.getByLabel('Repeat passphrase').fill(PASSPHRASE)
      await page.keyboard.press('Enter')
      await expect(page.getByText(/^Saved as “parlor-ola-/)).toBeVisible(SLOW)
    })
    const file = join(one.data, (await readdir(one.data)).find((name) => name.endsWith('.parlor')) ?? '')

    await test.step('another person sees whose it is, and gets nothing of it', async () => {
      const other = await world.client(url, 'jonas')
      await openFile(other.screen.page, file, PASSPHRASE)
      await expect(other.screen.page.getByText(/^This file is from Ola/)).toBeVisible(SLOW)
      await expect(other.screen.page.getByRole('button', { name: 'Add to this account' })).toHaveCount(0)
    })

    const two = await world.client(url, 'ola', world.folder('ola elsewhere'))
    await test.step('the right passphrase shows what is in it, and takes it', async () => {
      const { page: there } = two.screen
      await openFile(there, file, 'not this one')
      await expect(there.getByText('Wrong passphrase. Try again.')).toBeVisible(SLOW)
      await there.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
      await there.keyboard.press('Enter')
      await expect(there.getByRole('list', { name: 'Unsent messages' })).toContainText('Written on the train', SLOW)
      await there.keyboard.press('Enter')
      await expect(there.getByText('The file was added to this account.')).toBeVisible()
      await there.keyboard.press('Escape')
    })

    await test.step('the draft is there, and the message was sent once', async () => {
      const { page: there } = two.screen
      await there.keyboard.press('Escape')
      await two.screen.openChannel(cid)
      await expect(there.locator('[data-composer]')).toHaveValue('half a thought')
      cable.mend()
      await expect(page.getByText('Outbox', { exact: false })).toHaveCount(0, SLOW)
      await expect(there.locator('[data-message-id]')).toHaveCount(1)
    })
  },
)
