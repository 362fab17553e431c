import { CHROMIUM_FLAGS, findChromium } from '../../.ci/chromium.ts'
import { expect, test } from './kit/world.ts'
import { LONG } from '#kit/parts.ts'

const executablePath = findChromium()

/** Chromium's fake microphone, which beeps; pressing the button is the user's consent, so the browser does not ask. */
test.use({
  launchOptions: {
    args: [...CHROMIUM_FLAGS, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    executablePath: executablePath || undefined,
  },
})

test(
  'a voice message is recorded, trimmed, sent without the mouse, and played by the other user',
  LONG,
  async ({ world }) => {
    const { url, cid } = await world.team('alice', 'bob')
    const { screen: alice } = await world.client(url, 'alice')
    const { screen: bob } = await world.client(url, 'bob')
    await alice.openChannel(cid)
    await bob.openChannel(cid)
    const { page } = alice
    await page.getByRole('button', { name: 'Record a voice message' }).press('Enter')
    const bar = page.getByRole('group', { name: 'Voice message' })
    await expect(bar.getByRole('timer')).toHaveText('0:02')
    await page.keyboard.press('Escape')
    await bar.getByRole('slider', { name: 'Start' }).press('ArrowRight')
    await bar.getByRole('button', { name: 'Send' }).press('Enter')
    await expect(bar).toBeHidden()
    for (const screen of [alice, bob]) {
      const card = screen.page.getByRole('log').getByRole('group', { name: /^Voice message/ })
      const player = card.locator('audio')
      const known = (fact: 'duration' | 'played'): Promise<number> =>
        player.evaluate(
          (audio: HTMLAudioElement, what) => (what === 'duration' ? audio.duration : audio.played.length),
          fact,
        )
      await expect.poll(async () => Math.round(await known('duration'))).toBe(2)
      await card.getByRole('button', { name: 'Play Voice message' }).click()
      await expect.poll(() => known('played')).toBe(1)
    }
  },
)
