import { expect, test as base } from '@playwright/test'
import { Screen } from '../../e2e/kit/screen.ts'
import { Desktop } from '../../electron/kit/desktop.ts'
import { ElectronProcess } from '../../electron/kit/electron-process.ts'
import { CleanRoot } from './clean-root.ts'
import type { Packages } from './packages.ts'

export { expect }

/** The channel that the demo opens with. */
export const CID = 'team:release-4-2'

export const packages = JSON.parse(process.env['PARLOR_PACKAGES'] ?? '{}') as Packages

/** Each test has a separate desktop, and a machine on which Parlor was never installed. */
export const test = base.extend<{ desktop: Desktop; machine: CleanRoot }>({
  desktop: async ({ headless: _headless }, use) => {
    const desktop = await Desktop.start()
    await use(desktop)
    desktop.stop()
  },
  machine: async ({ headless: _headless }, use) => {
    const machine = new CleanRoot()
    await use(machine)
    machine.remove()
  },
})

/** The command of the installed desktop entry, without its field codes. */
export async function commandOfEntry(machine: CleanRoot): Promise<string> {
  const entry = await machine.done('cat', '/usr/share/applications/chat.parlor.desktop.desktop')
  const exec = /^Exec=(.*)$/m.exec(entry)?.[1]
  if (exec === undefined) throw new Error('The entry has no command.')
  return exec.replace(/ %\w/g, '')
}

/** The wallet of the test's desktop. Chromium chooses one by the name of the desktop, but not for every version of it. */
const WALLET = '--password-store=kwallet5'

/** The output and the exit of a start that opens no window. */
export async function printedBy(
  program: string,
  desktop: Desktop,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const process = new ElectronProcess(program, [WALLET, ...args], desktop.env)
  const code = await process.exited
  return { code, output: process.output.join('\n') }
}

/** The installed program, started as an ordinary user. Its fuses allow no debugger in main: tests use its page. */
export class Started {
  readonly #process: ElectronProcess
  readonly screen: Screen

  private constructor(process: ElectronProcess, screen: Screen) {
    this.#process = process
    this.screen = screen
  }

  static async start(program: string, desktop: Desktop): Promise<Started> {
    const switches = [WALLET, '--remote-debugging-port=0', '--inspect=0']
    const process = new ElectronProcess(program, switches, desktop.env)
    await process.reconnect()
    const page = await process.firstWindow()
    const started = new Started(process, new Screen(page))
    const channel = page.locator('[data-channel-item]').first()
    const demo = page.getByRole('button', { name: 'Try the demo' })
    await expect(channel.or(demo)).toBeVisible()
    // A first start asks who one is and how to begin.
    if (await demo.isVisible()) {
      await page.getByRole('textbox', { name: 'Your name' }).fill('Lena Hoffmann')
      await demo.click()
    }
    await expect(channel).toBeVisible()
    await expect(started.screen.list(CID)).toHaveAttribute('data-settled', '1')
    return started
  }

  get output(): string {
    return this.#process.output.join('\n')
  }

  /** Ends as the system ends programs when its user signs out. */
  async quit(): Promise<void> {
    // Before it ends: images that a page requests after the signal are refused.
    expect(this.screen.complaints).toEqual([])
    this.#process.child.kill('SIGTERM')
    expect(await this.#process.ended()).toBe(0)
  }
}
