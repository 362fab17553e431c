import { CID, expect, Parlor, startAlone, test } from './kit/parlor.ts'

const [CRIT, MAP] = ['team:design-crit', 'team:map-data']
const link = (cid: string): string => `parlor://open/demo/channel/${cid}`

test('a second start and a link lead to the running Parlor; a link also starts it; a channel’s own window comes back', async ({
  desktop,
}) => {
  // The profile of a start without switches: a link starts Parlor without any.
  const first = await Parlor.start(desktop)
  const visible = () =>
    first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()))

  await test.step('a second start ends, and the first shows its window', async () => {
    await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
    expect(await visible()).toEqual([false])
    const second = await startAlone(desktop, [])
    expect(second.output).toContain('already open in another Parlor')
    expect(second.code).toBe(1)
    await expect.poll(visible).toEqual([true])
  })

  await test.step('a link leads to its channel, one to another workspace asks', async () => {
    await startAlone(desktop, [link(CRIT)])
    await expect(first.screen.list(CRIT)).toBeVisible()
    await startAlone(desktop, ['parlor://open/chat.example.com/channel/team:design-crit'])
    const dialog = first.page.getByRole('dialog', { name: 'This link opens another workspace' })
    await expect(dialog).toBeVisible()
    await first.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  await test.step('an invalid link, and switches next to a link, are ignored', async () => {
    await startAlone(desktop, ['parlor://open/demo/../../etc', '--data', `${desktop.home}/elsewhere`])
    await first.screen.openChannel(CID)
    expect(await visible()).toEqual([true])
  })

  await test.step('a channel opens in its own window', async () => {
    const opening = first.app.nextWindow()
    await first.screen.row(MAP).click({ modifiers: ['ControlOrMeta'] })
    await expect((await opening).getByRole('main', { name: 'map-data' })).toBeVisible()
    await first.app.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows()) {
        const isOwn = window.webContents.getURL().includes('?channel=')
        window.setBounds(
          isOwn ? { x: 90, y: 70, width: 700, height: 640 } : { x: 60, y: 40, width: 1_100, height: 760 },
        )
      }
    })
    expect(first.app.windows()).toHaveLength(2)
  })

  await first.quit()
  const second = await Parlor.start(desktop, undefined, [link(CRIT)])
  await test.step('a link starts Parlor in its channel, with the windows as they were', async () => {
    await expect(second.screen.list(CRIT)).toBeVisible()
    const sizes = () =>
      second.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => {
          const { width, height } = window.getNormalBounds()
          return `${window.webContents.getURL().replace(/^.*index.html/, '')} ${width} ${height}`
        }),
      )
    await expect.poll(async () => (await sizes()).toSorted()).toEqual([' 1100 760', '?channel=team%3Amap-data 700 640'])
  })
  await second.quit()
  expect([...first.screen.complaints, ...second.screen.complaints]).toEqual([])
})
