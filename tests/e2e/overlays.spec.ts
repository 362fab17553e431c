import type { Locator } from '@playwright/test'
import { LONG } from '#kit/parts.ts'
import { expect, test } from './kit/world.ts'

test('behind a dialog nothing can be used, and a menu stays beside the element that opened it', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel('team:release-4-2')

  await test.step('the page behind a dialog accepts neither focus nor presses', async () => {
    await page.getByRole('button', { name: 'New channel' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    const result = await page.evaluate(() => {
      const behind = document.querySelector<HTMLElement>('[data-composer]')
      behind?.focus()
      return { found: behind !== null, focused: document.activeElement === behind }
    })
    expect(result).toEqual({ found: true, focused: false })
    const box = await page.locator('[data-channel-item]').first().boundingBox()
    expect(box).not.toBeNull()
    const pressed = await page.evaluate(
      ({ x, y }) => document.elementFromPoint(x, y)?.closest('[data-region="sidebar"]') !== null,
      { x: (box?.x ?? 0) + 4, y: (box?.y ?? 0) + 4 },
    )
    expect(pressed).toBe(false)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'New channel' })).toBeFocused()
  })

  await test.step('a menu follows its button when the window changes', async () => {
    const button = page.getByRole('button', { name: 'Channel actions' })
    await button.click()
    const menu = page.getByRole('menu')
    await expect(menu).toBeVisible()
    const distance = async (): Promise<number> => {
      const [from, to] = [await button.boundingBox(), await menu.boundingBox()]
      return Math.abs((from?.x ?? 0) + (from?.width ?? 0) - ((to?.x ?? 0) + (to?.width ?? 0)))
    }
    const before = await distance()
    await page.setViewportSize({ width: 1100, height: 700 })
    await expect.poll(distance).toBeCloseTo(before, 0)
    const box = await menu.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1100)
  })
})

test('a notice covers neither the composer, nor the button to the newest messages, nor a dialog', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  const cid = 'team:release-4-2'
  await screen.openChannel(cid)
  await page.keyboard.press('Control+,')
  await page.getByRole('navigation').getByRole('link', { name: 'Accessibility' }).click()
  await page.getByRole('radio', { name: 'Until dismissed' }).click()
  await page.keyboard.press('Escape')
  await screen.openChannel(cid)
  const notice = page.locator('[data-region="notices"] [role="group"]').filter({ hasText: 'Undo' })
  const area = async (of: Locator) => {
    const box = await of.boundingBox()
    expect(box).not.toBeNull()
    return box ?? { x: 0, y: 0, width: 0, height: 0 }
  }
  const apart = async (other: Locator): Promise<boolean> => {
    const [a, b] = [await area(notice), await area(other)]
    return a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height
  }

  await test.step('a channel is hidden, which can be undone', async () => {
    await page.locator('[data-channel-item]').last().click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Hide/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Hide', exact: true }).click()
    await expect(notice).toBeVisible()
  })

  await test.step('it is above the composer, and above the button to the newest messages', async () => {
    await expect.poll(() => apart(screen.composer(cid))).toBe(true)
    await screen.list(cid).hover()
    await page.mouse.wheel(0, -3_000)
    const pill = page.getByRole('button', { name: 'Jump to latest' })
    await expect(pill).toBeVisible()
    await expect.poll(() => apart(pill)).toBe(true)
  })

  await test.step('it makes room for a dialog, in a small window too, and is back when there is none', async () => {
    await page.getByRole('button', { name: 'New channel' }).click()
    const dialog = page.locator('[data-modal-box]')
    await expect(dialog).toBeVisible()
    await expect.poll(() => apart(dialog)).toBe(true)
    await page.setViewportSize({ width: 800, height: 760 })
    await expect.poll(() => apart(dialog)).toBe(true)
    await page.setViewportSize({ width: 800, height: 480 })
    await expect.poll(() => apart(dialog)).toBe(true)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect.poll(async () => (await area(notice)).width).toBeGreaterThan(200)
    await expect.poll(() => apart(screen.composer(cid))).toBe(true)
  })
})

test(
  'a notice covers neither the first steps of a new workspace nor the bar below a page of Manage',
  LONG,
  async ({ world }) => {
    const { screen } = await world.demo({ reducedMotion: 'reduce' })
    const { page } = screen
    await screen.openChannel('team:release-4-2')
    await page.keyboard.press('Control+,')
    await page.getByRole('navigation').getByRole('link', { name: 'Accessibility' }).click()
    await page.getByRole('radio', { name: 'Until dismissed' }).click()
    await page.keyboard.press('Escape')
    await screen.workspace('Create your own workspace…')
    await page.getByRole('dialog').getByLabel('Workspace name').fill('Kitchen table')
    await page.getByRole('dialog').getByRole('button', { name: 'Create workspace' }).click()
    const steps = page.getByRole('region', { name: /^Getting started/ })
    await expect(steps).toBeVisible()
    await page.getByRole('link', { name: /^Note to self/ }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Archive/ }).click()
    const notice = page.locator('[data-region="notices"] [role="group"]').filter({ hasText: 'Undo' })
    await expect(notice).toBeVisible()
    const isOver = async (other: Locator): Promise<boolean> =>
      overlap(await notice.boundingBox(), await other.boundingBox())
    for (const [width, height] of [
      [1_440, 900],
      [1_024, 700],
      [450, 800],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect.poll(() => isOver(steps), `the steps at ${width}`).toBe(false)
      await expect.poll(() => isOver(screen.composer('team:general')), `the composer at ${width}`).toBe(false)
    }
    await page.setViewportSize({ width: 1_440, height: 900 })
    await page.getByRole('link', { name: 'Manage' }).click()
    await page.getByRole('link', { name: 'History' }).click()
    const bar = page.getByRole('main').locator('footer')
    await expect(bar).toBeVisible()
    await expect.poll(() => isOver(bar)).toBe(false)
  },
)

test('the toolbar of a message covers neither its pin nor the count of the unread line', async ({ world }) => {
  const { url, cid, admin } = await world.team('alice', 'bob')
  await admin.send(cid, 'alice', 'Where do we meet?')
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  await page.setViewportSize({ width: 1_024, height: 768 })
  await screen.openChannel(await admin.channel('lunch', ['alice', 'bob']))
  await admin.send(cid, 'bob', 'At the north gate, and please bring the long ropes for the second wall')
  await expect(screen.row(cid)).toContainText('1')
  await screen.openChannel(cid)
  const row = screen.message(cid, 'north gate')
  await screen.act(row, 'Pin to channel')
  await screen.act(row, 'Reply in thread')
  await expect(page.getByRole('button', { name: 'Close thread' })).toBeVisible()
  const line = screen.list(cid).getByRole('separator', { name: /^1 new message/ })
  const places = [
    { tools: row, text: row.getByText('Pinned by Alice') },
    { tools: row, text: line.getByText('1 new', { exact: true }) },
    {
      tools: page.locator('[data-region="panel"] [data-message-id]').first(),
      text: page.locator('[data-region="panel"]').getByText('Pinned by Alice'),
    },
  ]
  for (const { tools, text } of places) {
    await tools.hover()
    const toolbar = await tools.getByRole('toolbar', { name: 'Message actions' }).boundingBox()
    const label = await text.boundingBox()
    expect(toolbar).not.toBeNull()
    expect(label).not.toBeNull()
    expect(overlap(toolbar, label), `${JSON.stringify(toolbar)} over ${JSON.stringify(label)}`).toBe(false)
  }
})

test('the quick switcher and the dialog to forward keep their size while one types', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  const cid = 'team:release-4-2'
  await screen.openChannel(cid)
  await page.keyboard.press('Control+k')
  const switcher = page.locator('[data-modal-box]')
  await expect(page.getByRole('option')).not.toHaveCount(1)
  const whole = await switcher.boundingBox()
  await page.keyboard.type('jonas')
  await expect(page.getByRole('option', { name: /Lindqvist/ })).toBeVisible()
  expect(whole).not.toBeNull()
  expect(await switcher.boundingBox()).toEqual(whole)
  await page.keyboard.press('Escape')
  await screen.list(cid).locator('[data-message-id]').last().press('f')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('option')).not.toHaveCount(1)
  const before = await dialog.locator('[data-modal-box]').boundingBox()
  await dialog.getByRole('combobox').pressSequentially('jonas')
  await expect(dialog.getByRole('option')).toHaveCount(1)
  expect(before).not.toBeNull()
  expect(await dialog.locator('[data-modal-box]').boundingBox()).toEqual(before)
})

test('the day above the messages can be pressed while its own line is out of sight', async ({ world }) => {
  const { url, cid, admin } = await world.team('alice', 'bob')
  for (let nth = 1; nth <= 25; nth += 1) await admin.send(cid, 'bob', `Line ${nth}\n\nand more of it`)
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  await screen.openChannel(cid)
  await page.keyboard.press('Control+j')
  await expect(screen.message(cid, 'Line 25')).toBeInViewport()
  await expect(screen.list(cid).getByRole('button', { name: /Jump to another day$/ })).not.toBeInViewport()
  await page.locator('[aria-hidden="true"] > button', { hasText: 'Today' }).click()
  await expect(page.getByRole('menu', { name: 'Jump to' })).toBeVisible()
})

test('a press anywhere on a pinned message shows it in the channel', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  const cid = 'team:release-4-2'
  await screen.openChannel(cid)
  await page.getByRole('button', { name: /pinned messages?$/ }).click()
  const item = page.locator('[data-region="panel"]').getByRole('listitem').last()
  const text = ((await item.locator('p').first().textContent()) ?? '').slice(0, 24)
  expect(text).not.toBe('')
  await item.click({ position: { x: 120, y: 40 } })
  await expect(screen.message(cid, text)).toBeInViewport()
})

test('a narrow window has one way back; with a panel at 1,024 pixels there is one column of icons', async ({
  world,
}) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  const cid = 'team:release-4-2'
  await screen.openChannel(cid)
  const back = page.getByRole('button', { name: /^Back/ })
  await page.setViewportSize({ width: 450, height: 800 })
  await expect(back).toHaveCount(1)
  await back.click()
  await expect(page.locator(`[data-channel-item="${cid}"]`)).toBeVisible()
  await expect(back).toHaveCount(0)
  await page.locator(`[data-channel-item="${cid}"]`).click()
  await page.setViewportSize({ width: 1_024, height: 700 })
  await screen.openChannel(cid)
  await page.keyboard.press('Control+Shift+i')
  const row = page.locator(`[data-channel-item="${cid}"]`)
  await expect.poll(async () => (await row.boundingBox())?.width).toBeLessThan(64)
  await expect(page.getByRole('navigation', { name: 'Accounts' })).toHaveCount(0)
})

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

const overlap = (a: Box | null, b: Box | null): boolean =>
  a !== null && b !== null && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
