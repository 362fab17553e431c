import { readFile } from 'node:fs/promises'
import { readProblemReport } from '#shared/bridge/problem-report.ts'
import { replay } from '../../replay/player.ts'
import { LONG } from '#kit/parts.ts'
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

test(
  'history that was loaded while recording, and a direct conversation, are there in the replay',
  LONG,
  async ({ world, browser }, testInfo) => {
    test.setTimeout(300_000)
    const team = await world.team('wanda', 'bartholomew')
    const salaries = await team.admin.channel('salaries', ['wanda', 'bartholomew'])
    for (let line = 1; line <= 90; line += 1)
      await team.admin.send(salaries, line % 3 === 0 ? 'wanda' : 'bartholomew', `line${line} ${'long '.repeat(line)}`)
    const data = { members: ['wanda', 'bartholomew'], created_by_id: 'wanda' }
    await team.admin.call('POST', '/channels/messaging/query', { data, state: false })
    const { screen } = await world.client(team.url, 'wanda')
    const { page } = screen
    const direct = page.locator('[data-channel-item^="messaging:"]')
    await screen.openChannel(team.cid)

    await page.keyboard.press('Control+,')
    await page.getByRole('navigation').getByRole('link', { name: 'Advanced', exact: true }).click()
    await page.getByRole('button', { name: 'Record' }).click()
    const stop = page.getByRole('button', { name: 'Stop recording' })
    await expect(stop).toBeVisible()

    await screen.openChannel(salaries)
    const old = screen.message(salaries, /line7\s/)
    await expect(async () => {
      await screen.list(salaries).evaluate((list) => list.scrollBy(0, -600))
      await expect(old).toBeVisible({ timeout: 100 })
    }).toPass()
    await old.click()
    await direct.click()
    const cid = (await direct.getAttribute('data-channel-item')) ?? ''
    await screen.send(cid, 'Just the two of us')
    await screen.sent(cid, 'Just the two of us')
    await stop.click()

    const saving = page.waitForEvent('download')
    await page.getByRole('dialog', { name: 'Recorded problem' }).getByRole('button', { name: 'Save' }).click()
    const file = testInfo.outputPath('report.json')
    await (await saving).saveAs(file)
    const report = readProblemReport(await readFile(file, 'utf8'))
    expect(report.steps.filter(({ kind }) => kind === 'message')).toHaveLength(1)
    expect(report.channels.find(({ direct: isDirect }) => isDirect)?.members).toHaveLength(2)
    const { unplayed, differences } = await replay(report, browser)
    expect(unplayed).toEqual([])
    expect(differences).toEqual([])
  },
)
