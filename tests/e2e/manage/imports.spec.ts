import { openPage } from '../kit/manage.ts'
import { expect, test } from '../kit/world.ts'
import { largeSlack, SLACK, zipped } from '../../contract/imports/samples.ts'

test('the owner moves the history of another app in, reads it, and undoes it', async ({ world }) => {
  const { screen: ola } = await world.demo()
  const { page } = ola
  await openPage(page, 'Import')
  const choose = (name: string, bytes: Uint8Array) =>
    page
      .locator('[data-choose="file"]')
      .setInputFiles({ name, mimeType: 'application/zip', buffer: Buffer.from(bytes) })

  const notice = page.getByRole('main').getByRole('alert')

  await test.step('another file is refused in words', async () => {
    await choose('photos.zip', zipped({ 'a.txt': 'x' }))
    await expect(notice).toContainText('This isn’t a Slack export')
    await page.getByRole('button', { name: 'Choose another' }).click()
    await expect(notice).toHaveCount(0)
  })

  await test.step('the check says what comes, and Back leaves everything as it was', async () => {
    await choose('slack.zip', zipped(SLACK))
    await expect(page.getByRole('heading', { name: 'Ready to import' })).toBeFocused()
    await expect(page.getByRole('region', { name: 'Left out or changed' })).toContainText('Canvases')
    await page.getByRole('main').getByRole('button', { name: 'Back', exact: true }).click()
    await expect(page.getByRole('radio', { name: /^Slack/ })).toBeVisible()
  })

  await test.step('an import of thousands is paused, followed elsewhere, and goes on after a reload', async () => {
    await choose('slack.zip', zipped(largeSlack(12_000)))
    await page.getByRole('button', { name: 'Import 12,000 messages' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByRole('heading', { name: 'Import paused' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Import paused' })).toBeVisible()
    await page.getByRole('button', { name: 'Import paused' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText('12,000 messages in 5 channels, from 6 people.')).toBeVisible()
  })

  await test.step('it is there to be read, and nothing of it is unread', async () => {
    await page.getByRole('button', { name: 'Open #general' }).click()
    await expect(page.getByText(/^Message \d+ of day 9 in/).last()).toBeVisible()
    await expect(page.locator('[data-channel-item]', { hasText: 'field-notes' })).not.toContainText('unread')
  })

  await test.step('the same file again has nothing new', async () => {
    await openPage(page, 'Import')
    await page.getByRole('button', { name: 'Import another' }).click()
    await choose('slack.zip', zipped(largeSlack(12_000)))
    await expect(page.getByText('Nothing new in this file')).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: 'Close', exact: true }).click()
  })

  await test.step('an import is undone, and its channels are gone', async () => {
    await choose('slack.zip', zipped(SLACK))
    await page.getByRole('button', { name: 'Import 8 messages' }).click()
    await page.getByRole('button', { name: 'Undo import…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Undo import' }).click()
    await expect(page.getByRole('radio', { name: /^Slack/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator('[data-channel-item]', { hasText: 'leads' })).toHaveCount(1)
    await expect(page.locator('[data-channel-item]', { hasText: 'general' })).toHaveCount(1)
  })
})
