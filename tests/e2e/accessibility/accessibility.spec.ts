import type { Locator, Page } from '@playwright/test'
import { LONG } from '#kit/parts.ts'
import { expect, test } from '../kit/world.ts'

const CID = 'team:release-4-2'

/** Whether a press in the middle of the element reaches it. */
const isHit = (element: Locator) =>
  element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return node.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })

/** The color of the example in a field that has no look of its own. */
const colorOfPlainExample = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const field = document.body.appendChild(document.createElement('input'))
    field.placeholder = 'Example'
    const { color } = getComputedStyle(field, '::placeholder')
    field.remove()
    return color
  })

test('in forced colors the focus and the edges are drawn, and the text of a primary button is readable', async ({
  world,
}) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  const field = screen.composer(CID)
  const example = () => field.evaluate((node) => getComputedStyle(node, '::placeholder').color)
  expect(await colorOfPlainExample(page)).toBe(await example())
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await example()).not.toBe(await field.evaluate((node) => getComputedStyle(node).color))
  const ring = () =>
    field.evaluate((node) => {
      const box = node.closest('section > div')
      const { outlineStyle, borderTopStyle } = getComputedStyle(box ?? node)
      return { outlineStyle, borderTopStyle }
    })
  await screen.row(CID).focus()
  expect(await ring()).toEqual({ outlineStyle: 'none', borderTopStyle: 'solid' })
  await field.focus()
  expect(await ring()).toEqual({ outlineStyle: 'solid', borderTopStyle: 'solid' })
  await page.getByRole('button', { name: 'New channel' }).click()
  const create = page.getByRole('dialog').getByRole('button', { name: 'Create channel' })
  const { color, backgroundColor } = await create.evaluate((node) => {
    const style = getComputedStyle(node)
    return { color: style.color, backgroundColor: style.backgroundColor }
  })
  expect(color).not.toBe(backgroundColor)
})

test('in forced colors a pressed button, the current row and a count can be told from the others', async ({
  world,
}) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await page.emulateMedia({ forcedColors: 'active' })
  await screen.openChannel(CID)
  const look = (of: Locator) =>
    of.evaluate((node) => {
      const { backgroundColor, outlineStyle, borderTopWidth } = getComputedStyle(node)
      return { backgroundColor, outlineStyle, borderTopWidth }
    })
  const other = page.locator(`[data-channel-item]:not([data-channel-item="${CID}"])`).first()
  await screen.composer(CID).focus()
  expect(await look(screen.row(CID))).toMatchObject({ outlineStyle: 'solid' })
  expect(await look(other)).toMatchObject({ outlineStyle: 'none' })
  const details = page.getByRole('button', { name: 'Details', exact: true })
  const plain = await look(details)
  await details.click()
  await page.getByRole('complementary').getByRole('heading').first().waitFor()
  expect((await look(details)).backgroundColor).not.toBe(plain.backgroundColor)
  const count = page.locator('[data-channel-item] span:not(:has(*))').filter({ hasText: /^\d+$/ }).first()
  expect(await look(count)).toMatchObject({ borderTopWidth: '1px' })
  await page.getByRole('log').first().getByRole('article').last().press('t')
  const also = page.locator('label').filter({ hasText: 'Also send to' })
  await expect(also.locator('svg')).toBeHidden()
  await also.click()
  await expect(also.locator('svg')).toBeVisible()
})

test('at 320 pixels nothing covers Send, and the page does not scroll sideways', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await page.setViewportSize({ width: 320, height: 640 })
  await screen.composer(CID).fill('It fits')
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await expect(send).toBeVisible()
  expect(await isHit(send)).toBe(true)
  expect(await isHit(page.getByRole('button', { name: 'Record a voice message' }))).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('with the text spacing that the guidelines ask for, no text is cut off from above or below', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await page.getByRole('button', { name: 'Details', exact: true }).click()
  await page.evaluate(() => {
    const spacing = new CSSStyleSheet()
    spacing.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
      p { margin-bottom: 2em !important; }`)
    document.adoptedStyleSheets = [spacing]
  })
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('button, a, h1, h2, h3, p, label, [role="article"] *')]
      .filter((element) => {
        const { overflowY } = getComputedStyle(element)
        const clips = overflowY === 'hidden' || overflowY === 'clip'
        return clips && element.clientHeight > 4 && element.scrollHeight > element.clientHeight + 1
      })
      .map((element) => element.textContent.slice(0, 60)),
  )
  expect(cut).toEqual([])
})

test('what has the focus is never covered, in the whole channel by Tab and in its messages by arrow keys', async ({
  world,
}) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await page.setViewportSize({ width: 1_280, height: 700 })
  await screen.composer(CID).focus()
  const covered = () =>
    page.evaluate(() => {
      const focused = document.activeElement
      if (focused === null || focused === document.body) return undefined
      const { x, y, width, height } = focused.getBoundingClientRect()
      const inside = [0.1, 0.5, 0.9].map((part) => document.elementFromPoint(x + width / 2, y + height * part))
      const isSeen = inside.some((hit) => hit !== null && (focused.contains(hit) || hit.contains(focused)))
      return isSeen ? undefined : (focused.getAttribute('aria-label') ?? focused.textContent.slice(0, 60))
    })
  const hidden: (string | undefined)[] = []
  for (const [key, times] of [
    ['Tab', 40],
    ['Shift+Tab', 40],
    ['Shift+Tab', 1],
    ['ArrowUp', 25],
    ['ArrowDown', 25],
  ] as const) {
    for (let press = 0; press < times; press += 1) {
      await page.keyboard.press(key)
      hidden.push(await covered())
    }
  }
  expect(hidden.filter((what) => what !== undefined)).toEqual([])
})

test('at 320 by 256 pixels more than a third of the height is left for messages', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await page.setViewportSize({ width: 320, height: 256 })
  const { height = 0 } = (await page.locator(`[data-message-list="${CID}"]`).boundingBox()) ?? {}
  expect(height).toBeGreaterThan(100)
})

test('at 320 by 256 pixels a dialog scrolls as a whole, down to its buttons', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await page.keyboard.press('Control+K')
  await page.keyboard.type('>New channel')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create a channel' })
  await expect(dialog).toBeVisible()
  await page.setViewportSize({ width: 320, height: 256 })
  const create = dialog.getByRole('button', { name: 'Create channel' })
  await create.scrollIntoViewIfNeeded()
  expect(await isHit(create)).toBe(true)
  const { y = 0 } = (await dialog.getByRole('heading', { name: 'Create a channel' }).boundingBox()) ?? {}
  expect(y).toBeLessThan(0)
})

test('a width and an order change with single presses, without dragging', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  const handle = page.getByRole('separator', { name: 'Sidebar width' })
  const before = Number(await handle.getAttribute('aria-valuenow'))
  await handle.click()
  await page.getByRole('menuitem', { name: 'Wider' }).click()
  await expect(handle).toHaveAttribute('aria-valuenow', String(before + 48))
  await page.locator('[data-channel-item="messaging:leads"]').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await expect(page.locator('[data-region="sidebar"] [data-channel-item]').first()).toHaveAttribute(
    'data-channel-item',
    'messaging:leads',
  )
})

/** Loads the page anew; a part of its code comes only after what is done meanwhile. */
async function late(page: Page, part: string, meanwhile: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**/assets/${part}-*.js`, async (route) => {
    await promise
    await route.continue()
  })
  await page.reload()
  await page.waitForSelector('[data-message-list][data-settled="1"]')
  await meanwhile()
  resolve()
}

test('letters typed right after the first Ctrl+K are all in the field', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await screen.composer(CID).focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('jonas', { delay: 20 })
  await expect(page.getByRole('combobox', { name: /^Search/ })).toHaveValue('jonas')
})

test('a name and Enter typed right after the first Ctrl+K open what they name', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('leads')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-message-list="messaging:leads"]')).toBeVisible()
})

test('a search typed while its code is still loading is in its field, and not in the composer', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  const field = page.getByRole('combobox', { name: 'Search messages' })
  await screen.openChannel(CID)
  await late(page, 'SearchView', async () => {
    await screen.composer(CID).focus()
    await page.keyboard.press('Control+f')
    await page.keyboard.type('banx')
    await page.keyboard.press('Backspace')
    await expect(field).toHaveCount(0)
  })
  await expect(field).toHaveValue('ban')
  await page.keyboard.type('ner')
  await expect(field).toHaveValue('banner')
  await page.keyboard.press('Escape')
  await expect(screen.composer(CID)).toHaveValue('')
})

test('Enter after the first letters of a name takes the suggestion, though the list is still loading', async ({
  world,
}) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  const composer = screen.composer(CID)
  await late(page, 'matching', async () => {
    await composer.focus()
    await page.keyboard.type('@jon')
    await page.keyboard.press('Enter')
    await expect(composer).toHaveValue('@jon')
  })
  await expect(composer).toHaveValue(/^@Jonas .+ $/)
})

/** What is opened by keys while its code loads, and the field of it that is typed into. */
const OPENED_LATE = [
  {
    what: 'the dialog to forward',
    part: 'ForwardDialog',
    open: async (page: Page, row: Locator) => {
      await row.focus()
      await page.keyboard.press('f')
    },
    field: (page: Page) => page.getByRole('combobox', { name: 'Forward to' }),
  },
  {
    what: 'the emoji picker of the composer',
    part: 'EmojiPicker',
    open: (page: Page) => page.keyboard.press('Control+e'),
    field: (page: Page) => page.getByRole('searchbox', { name: 'Search emoji' }),
  },
  {
    what: 'the emoji picker of a message',
    part: '{PaneOverlays,EmojiPicker}',
    open: async (page: Page, row: Locator) => {
      await row.focus()
      await page.keyboard.press('r')
    },
    field: (page: Page) => page.getByRole('searchbox', { name: 'Search emoji' }),
  },
  {
    what: 'a thread',
    part: 'ThreadPanel',
    open: async (page: Page, row: Locator) => {
      await row.focus()
      await page.keyboard.press('t')
    },
    field: (page: Page) => page.locator('[data-region="panel"] [data-composer]'),
  },
  {
    what: 'the list of all channels',
    part: 'BrowseView',
    open: (page: Page) => page.getByRole('link', { name: 'Browse channels' }).press('Enter'),
    field: (page: Page) => page.getByRole('searchbox', { name: 'Find a channel' }),
  },
] as const

test('letters typed while the code of a dialog, a picker, a thread or a list is loading are in its field, and not in the composer', async ({
  world,
}) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  for (const { what, part, open, field } of OPENED_LATE) {
    await test.step(what, async () => {
      await late(page, part, async () => {
        await screen.composer(CID).focus()
        await open(page, screen.message(CID, 'the Polish banner'))
        await page.keyboard.type('lea')
        await expect(field(page)).toHaveCount(0)
      })
      await expect(field(page)).toHaveValue('lea')
      await page.keyboard.type('ds')
      await expect(field(page)).toHaveValue('leads')
      await page.keyboard.press('Escape')
      await screen.openChannel(CID)
      await expect(screen.composer(CID)).toHaveValue('')
    })
  }
})

test('letters typed right after a dialog was opened for the first time are in its field', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  await page.getByRole('button', { name: 'New message' }).first().click()
  await page.keyboard.type('jonas', { delay: 20 })
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('jonas')
})

test('what is sent and pinned is announced, and the focus does not fall to the page', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  const announced = page.locator('[data-announcer="polite"]')
  await screen.openChannel(CID)
  await screen.send(CID, 'Announced once')
  await expect(announced).toHaveText('Message sent')
  await screen.message(CID, 'the Polish banner').focus()
  await page.keyboard.press('p')
  await expect(announced).toHaveText('Message pinned')
  await screen.composer(CID).fill('A draft')
  await screen.openChannel('messaging:leads')
  await page.getByRole('link', { name: 'Later' }).click()
  await page.getByRole('button', { name: /^Drafts/ }).click()
  await page.getByRole('button', { name: /^Discard draft/ }).press('Enter')
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('Discarded the draft in')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})

test('when what has the focus is removed, the focus is near it: an attachment, a notice, a field that is locked', async ({
  world,
}) => {
  const { url, cid, admin } = await world.team('alice', 'bob')
  const { screen } = await world.client(url, 'alice')
  const { page } = screen
  await screen.openChannel(cid)
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      return element === document.body ? 'the page' : (element?.getAttribute('aria-label') ?? element?.tagName)
    })

  await test.step('a tool of the composer has it after the only attachment is removed', async () => {
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('Ropes and tea') })
    await page.getByRole('button', { name: /^Remove note/ }).press('Enter')
    await expect(page.getByRole('button', { name: /^Remove note/ })).toHaveCount(0)
    await expect.poll(focused).not.toBe('the page')
    const isInside = await page.evaluate(() => document.activeElement?.closest('section:has([data-composer])') !== null)
    expect(isInside).toBe(true)
  })

  await test.step('a control of the page has it after Undo in a notice', async () => {
    await screen.row(cid).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Archive/ }).click()
    await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(screen.row(cid)).toBeVisible()
    await expect.poll(focused).not.toBe('the page')
  })

  await test.step('what was written has it after the channel was frozen', async () => {
    await screen.openChannel(cid)
    await screen.composer(cid).fill('Half a thought')
    await screen.composer(cid).focus()
    await admin.change(cid, { frozen: true })
    await expect(page.getByText('This channel is frozen')).toBeVisible()
    await expect.poll(focused).not.toBe('the page')
  })
})

test(
  'the list of shortcuts, which scrolls with the arrow keys, shows that it has the focus',
  LONG,
  async ({ world }) => {
    const { screen } = await world.demo({ reducedMotion: 'reduce' })
    const { page } = screen
    await screen.openChannel(CID)
    await screen.composer(CID).focus()
    await page.keyboard.press('Control+/')
    const list = page.getByRole('dialog').locator('[tabindex="0"]').filter({ hasText: 'Ctrl' }).first()
    await list.focus()
    await page.keyboard.press('ArrowDown')
    expect(await drawn(page, 'focused')).not.toBe(await drawn(page, 'blurred'))
  },
)

/** Controls beside the window, and the page if it scrolls sideways. */
const outside = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrolls = (element: Element): boolean =>
      element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX)
    const beside = [...document.querySelectorAll('button, a[href], input, textarea, select')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      if (width < 4 || (left >= -1 && right <= innerWidth + 1)) return false
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
      for (let around = element.parentElement; around; around = around.parentElement) if (scrolls(around)) return false
      return true
    })
    const names = beside.map((element) => element.getAttribute('aria-label') ?? element.textContent)
    return document.documentElement.scrollWidth > innerWidth ? [...names, 'the page'] : names
  })

const PLACES = ['Control+1', 'Control+2', 'Control+Shift+A', 'Control+Shift+F', 'Control+,', 'Control+Shift+L']

test('at 200 % of a small screen, upright and across, every control is in the window', LONG, async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  for (const [width, height] of [
    [640, 360],
    [768, 1_024],
    [1_024, 768],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const keys of ['', ...PLACES]) {
      if (keys !== '') await page.keyboard.press(keys)
      await expect(page.locator('main').first()).toBeVisible()
      expect(await outside(page), `${keys} at ${width} by ${height}`).toEqual([])
    }
    await page.keyboard.press('Escape')
    await page.keyboard.press('Alt+ArrowLeft')
  }
})

/** What is drawn of the focused element and of those around it. */
const drawn = (page: Page, how: 'focused' | 'blurred'): Promise<string> =>
  page.evaluate((state) => {
    const focused = document.activeElement
    if (!(focused instanceof HTMLElement) || focused === document.body) return state
    if (state === 'blurred') focused.blur()
    const around: Element[] = []
    for (let each: Element | null = focused; each && around.length < 5; each = each.parentElement) around.push(each)
    const next = focused.nextElementSibling
    const looks = [...around, ...(next === null ? [] : [next])].flatMap((element) =>
      ['', '::before', '::after'].map((part) => {
        const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(element, part)
        return [outline, boxShadow, borderColor, backgroundColor].join()
      }),
    )
    if (state === 'blurred') focused.focus({ preventScroll: true })
    return looks.join(' ')
  }, how)

test(
  'what has the focus can be seen in every theme, and nothing opens or moves away because it has it',
  LONG,
  async ({ world }) => {
    const { screen } = await world.demo({ reducedMotion: 'reduce' })
    const { page } = screen
    await screen.openChannel(CID)
    for (const theme of ['light', 'dark', 'hc-light', 'hc-dark']) {
      await page.evaluate((name) => void (document.documentElement.dataset['theme'] = name), theme)
      await screen.composer(CID).focus()
      for (let press = 0; press < 45; press += 1) {
        await page.keyboard.press('Tab')
        const name = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 160))
        const focused = await drawn(page, 'focused')
        expect(focused, `${theme}: ${name}`).not.toBe(await drawn(page, 'blurred'))
        await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toHaveCount(0)
      }
      await expect(page.locator(`[data-message-list="${CID}"]`)).toBeVisible()
    }
  },
)

test('a press that is moved away before it ends does nothing', async ({ world }) => {
  const { screen } = await world.demo({ reducedMotion: 'reduce' })
  const { page } = screen
  await screen.openChannel(CID)
  const takeBack = async (target: Locator): Promise<void> => {
    await target.hover()
    await page.mouse.down()
    await page.mouse.move(700, 4, { steps: 4 })
    await page.mouse.up()
  }
  await takeBack(screen.row('messaging:leads'))
  await takeBack(page.getByRole('button', { name: 'Details', exact: true }))
  await takeBack(page.locator('[data-message-id] button[aria-pressed]').last())
  await expect(page.locator(`[data-message-list="${CID}"]`)).toBeVisible()
  await expect(page.getByRole('complementary')).toHaveCount(0)

  const field = screen.composer(CID)
  await field.pressSequentially('@jo')
  await takeBack(page.getByRole('option').first())
  await expect(field).toHaveValue('@jo')
  await field.fill('')

  await page.getByRole('button', { name: 'Channel actions' }).click()
  await takeBack(page.getByRole('menuitem').first())
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'New channel' }).click()
  const dialog = page.getByRole('dialog')
  await takeBack(dialog.getByRole('button', { name: 'Close' }))
  await page.mouse.move(4, 500)
  await page.mouse.down()
  await page.mouse.move(720, 450, { steps: 4 })
  await page.mouse.up()
  await expect(dialog).toBeVisible()
})
