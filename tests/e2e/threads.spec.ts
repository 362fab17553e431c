import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

test('a reply is found in the inbox, read there, followed or left; later replies move nothing', async ({ world }) => {
  const { url, admin, cid } = await world.team('alice', 'bob')
  const path = `/channels/${cid.replace(':', '/')}/message`
  const send = (by: string, id: string, text: string, parent?: string) =>
    admin.call('POST', path, { message: { id, text, ...(parent === undefined ? {} : { parent_id: parent }) } }, by)
  await send('alice', 'root', 'Where shall we meet?')
  const { screen: alice } = await world.client(url, 'alice')
  const { page } = alice
  const threads = page.getByRole('main', { name: 'Threads' })
  const card = threads.locator('[data-thread="root"]')
  await alice.openChannel(cid)
  await send('bob', 'r1', 'At the lake', 'root')

  await test.step('the sidebar counts it, and the inbox shows the message and the reply', async () => {
    await page.getByRole('link', { name: 'Threads, 1 unread' }).click()
    await expect(card).toContainText('Where shall we meet?')
    await expect(card).toContainText('At the lake')
    await expect(card).toContainText('1 new')
  })

  await test.step('E marks it read, U unread again, while its row has the focus', async () => {
    await card.getByRole('button', { name: /^#plans: Where shall we meet/ }).focus()
    await page.keyboard.press('e')
    await expect(page.getByRole('link', { name: 'Threads', exact: true })).toBeVisible()
    await page.keyboard.press('u')
    await expect(page.getByRole('link', { name: 'Threads, 1 unread' })).toBeVisible()
  })

  await test.step('a thread that arrives meanwhile waits behind a pill, and the focus stays', async () => {
    await send('alice', 'second', 'Who brings tea?')
    await send('bob', 's1', 'I do', 'second')
    const pill = page.getByRole('button', { name: '1 new thread' })
    await expect(pill).toBeVisible()
    await expect(card.getByRole('button', { name: /^#plans: Where shall we meet/ })).toBeFocused()
    await pill.click()
    await expect(threads.locator('[data-thread="second"]')).toContainText('I do')
  })

  await test.step('Enter opens it beside the inbox, at the new reply; showing it marks it read', async () => {
    await card.getByRole('button', { name: /^#plans: Where shall we meet/ }).focus()
    await page.keyboard.press('Enter')
    const log = page.getByRole('log', { name: 'Thread replies' })
    await expect(log.getByRole('separator', { name: /1 new/ })).toBeVisible()
    await alice.composer(`${cid}/root`).fill('The lake it is')
    await alice.composer(`${cid}/root`).press('Enter')
    await expect(log).toContainText('The lake it is')
    await expect(card).toContainText('The lake it is')
    await expect(page.getByRole('link', { name: 'Threads, 1 unread' })).toBeVisible()
  })

  await test.step('left by hand it is never unread', async () => {
    const panel = page.locator('[data-region="panel"]')
    await panel.getByRole('button', { name: 'Unfollow thread' }).click()
    await panel.getByRole('button', { name: 'Close thread' }).click()
    await send('bob', 'r2', 'See you there', 'root')
    await page.getByRole('radio', { name: 'All' }).click()
    await expect(card).toContainText('See you there')
    await expect(card).not.toContainText('1 new')
    await expect(page.getByRole('link', { name: 'Threads, 1 unread' })).toBeVisible()
  })
})

test('a thread gets a name, is widened and narrowed, and is opened in a separate window', LONG, async ({ world }) => {
  const { app, screen: ola } = await world.demo()
  const { page } = ola
  const cid = 'team:release-4-2'
  await ola.openChannel(cid)
  await ola.send(cid, 'What is left for the release?')
  const own = ola.message(cid, 'What is left for the release?')
  await own.hover()
  await own.getByRole('button', { name: 'Reply in thread' }).click()
  const panel = page.locator('[data-region="panel"]')
  await panel.locator('[data-composer]').fill('The banner')
  await panel.locator('[data-composer]').press('Enter')
  await expect(panel.getByRole('log')).toContainText('The banner')

  const choose = async (item: string): Promise<void> => {
    await page.getByRole('button', { name: 'More actions' }).last().click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Rename thread…')
  await page.getByRole('textbox', { name: 'Thread name' }).fill('Release, open points')
  await page.getByRole('button', { name: 'Rename thread' }).click()
  await expect(panel.getByRole('heading', { name: 'Release, open points' })).toBeVisible()

  await choose('Open in full width')
  const wide = page.getByRole('main', { name: 'Release, open points' })
  await expect(wide.getByRole('log')).toContainText('The banner')
  await wide.getByRole('button', { name: 'Back' }).click()
  await expect(panel.getByRole('heading', { name: 'Release, open points' })).toBeVisible()

  const opened = page.waitForEvent('popup')
  await choose('Open in a new window')
  const alone = world.watch(await opened)
  await app.nextEvent('window')
  await expect(alone.page.getByRole('main', { name: 'Release, open points' }).getByRole('log')).toContainText(
    'The banner',
  )
  await expect(alone.page.getByRole('navigation')).toHaveCount(0)
  await alone.page.locator('[data-composer]').fill('And the notes')
  await alone.page.locator('[data-composer]').press('Enter')
  await expect(panel.getByRole('log')).toContainText('And the notes')
})
