import { readFile } from 'node:fs/promises'
import { readProblemReport } from '#shared/bridge/problem-report.ts'
import { replay } from '../../replay/player.ts'
import { expect, test } from '../kit/world.ts'

test('a recorded problem is read, saved without its texts, and replays to the same place', async ({
  world,
  browser,
}, testInfo) => {
  test.setTimeout(300_000)
  const team = await world.team('wanda', 'bartholomew')
  const salaries = await team.admin.channel('salaries', ['wanda', 'bartholomew'])
  await team.admin.send(salaries, 'bartholomew', 'Everyone gets 7000 more')
  const { screen } = await world.client(team.url, 'wanda')
  const { page } = screen
  await screen.openChannel(team.cid)

  await page.keyboard.press('Control+,')
  await page.getByRole('navigation').getByRole('link', { name: 'Advanced', exact: true }).click()
  await page.getByRole('button', { name: 'Record' }).click()
  const stop = page.getByRole('button', { name: 'Stop recording' })
  await expect(stop).toBeVisible()

  await screen.openChannel(salaries)
  await screen.send(salaries, 'That is confidential')
  await team.admin.send(salaries, 'bartholomew', 'Nobody else knows')
  await expect(screen.message(salaries, 'Nobody else')).toBeVisible()
  await screen.act(screen.message(salaries, 'Everyone gets'), 'Reply in thread')
  await expect(page.getByRole('heading', { name: 'Thread' })).toBeVisible()
  await stop.click()

  const dialog = page.getByRole('dialog', { name: 'Recorded problem' })
  await expect(dialog.getByRole('list', { name: 'Recorded lines' })).toContainText('Key: Enter')
  const settings = dialog.getByRole('button', { name: /^Remove “Settings: / })
  await settings.click()
  await expect(settings).toHaveCount(0)
  await page.screenshot({ path: testInfo.outputPath('review.png') })
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const file = testInfo.outputPath('report.json')
  await (await saving).saveAs(file)

  const content = await readFile(file, 'utf8')
  expect(content).not.toMatch(/wanda|bartholomew|plans|salaries|Everyone|confidential|Nobody|7000|127\.0\.0\.1/i)
  const report = readProblemReport(content)
  expect(report.settings).toEqual({})
  const { unplayed, differences, screenshot } = await replay(report, browser)
  await testInfo.attach('end', { body: screenshot, contentType: 'image/png' })
  expect(unplayed).toEqual([])
  expect(differences).toEqual([])
})
