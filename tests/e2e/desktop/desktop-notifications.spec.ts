import { chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '../../../.ci/chromium.ts'
import { Desktop, missingProgram } from '../kit/desktop.ts'
import { expect, test } from '../kit/world.ts'

test('a message for a user looking elsewhere is shown on the desktop, and removed when it is read elsewhere', async ({
  world,
}) => {
  const missing = missingProgram()
  test.skip(missing !== undefined, `needs ${missing ?? ''} on the path`)
  const { admin, url, cid } = await world.team('alice', 'bob')
  const made = await admin.call('POST', '/channels/messaging/query', {
    data: { members: ['alice', 'bob'], created_by_id: 'bob' },
    state: false,
  })
  const direct = (made as { channel: { cid: string } }).channel.cid
  const { app } = await world.client(url, 'alice')
  const desktop = await Desktop.start()
  const path = findChromium()
  const browser = await chromium.launch({
    headless: false,
    args: [...CHROMIUM_FLAGS],
    env: { ...process.env, ...desktop.env },
    executablePath: path,
  })
  try {
    const page = await browser.newPage()
    const screen = world.watch(page)
    const address = app.ready['url'] ?? ''
    await page.context().grantPermissions(['notifications'], { origin: new URL(address).origin })
    await page.goto(address)
    await screen.openChannel(cid)

    await admin.send(direct, 'bob', 'The **banner** is ready')
    await expect.poll(() => desktop.notified('Notify')).toHaveLength(1)
    const text = desktop.notified('Notify')[0]?.text.join('\n') ?? ''
    expect(text).toContain('Bob')
    expect(text).toContain('The banner is ready')

    const before = desktop.notified('CloseNotification').length
    await admin.call('POST', `/channels/${direct.replace(':', '/')}/read`, {}, 'alice')
    await expect.poll(() => desktop.notified('CloseNotification').length).toBeGreaterThan(before)
  } finally {
    await browser.close()
    desktop.stop()
  }
})
