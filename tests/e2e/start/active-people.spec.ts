import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../kit/world.ts'

test('the demo’s people are online, read a direct message, type and answer; switched off, they stop', async ({
  world,
}) => {
  test.setTimeout(120_000)
  const data = world.folder('alive')
  writeFileSync(join(data, 'settings.json'), JSON.stringify({ settings: { activePeople: true } }))
  const app = await world.app(data)
  const screen = await world.open(app.ready['url'])
  const { page } = screen
  await page.getByLabel('Your name').fill('Lena Hoffmann')
  await page.keyboard.press('Enter')
  const direct = page.getByRole('link', { name: /^Priya Raman/ })
  await direct.click()
  await expect(page.getByRole('main').getByText('Online')).toBeVisible({ timeout: 20_000 })
  const cid = (await direct.getAttribute('data-channel-item')) ?? ''
  await screen.send(cid, 'Dziękuję za powitanie!')
  await expect(
    screen
      .list(cid)
      .getByText(/Priya.* (is typing|typing)/)
      .or(page.getByText(/Priya.* is typing/))
      .first(),
  ).toBeVisible({
    timeout: 45_000,
  })
  await expect(screen.list(cid).getByText(/Nie ma za co|Proszę bardzo|Cieszę się|Polecam się/)).toBeVisible({
    timeout: 15_000,
  })
  await expect(screen.message(cid, 'Dziękuję').getByRole('img', { name: 'Seen by Priya Raman' })).toBeVisible()
  await page.getByRole('switch', { name: 'Active people' }).click()
  await expect(page.getByRole('switch', { name: 'Active people' })).toHaveAttribute('aria-checked', 'false')
})
