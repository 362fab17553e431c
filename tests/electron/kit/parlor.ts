import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test as base, type Page } from '@playwright/test'
import { DEFAULT_DESKTOP, type DesktopChoices } from '#shared/domain/desktop/desktop.ts'
import { defaultDataFolder } from '#main/hosts/node/profile.ts'
import { Screen } from '../../e2e/kit/screen.ts'
import { Desktop } from './desktop.ts'
import { ElectronProcess } from './electron-process.ts'
import type { Installation } from './installation.ts'

/** The channel that the demo opens with. */
export const CID = 'team:release-4-2'

/** Each worker has a separate desktop. All share one installation, made by `setup.ts`. */
export const test = base.extend<object, { desktop: Desktop }>({
  desktop: [
    async ({ headless: _headless }, use) => {
      const desktop = await Desktop.start()
      await use(desktop)
      desktop.stop()
    },
    { scope: 'worker' },
  ],
})
export { expect }

export function installation(): Installation {
  const stored = process.env['PARLOR_ELECTRON_INSTALLATION']
  if (stored === undefined) throw new Error('Start these tests with tests/electron/playwright.config.ts.')
  return JSON.parse(stored) as Installation
}

/** The wallet of the test's desktop. Chromium chooses one by the name of the desktop, but not for every version of it. */
const switches = ['--password-store=kwallet5']

/** The app, running on a desktop as an ordinary user. */
export class Parlor {
  readonly app: ElectronProcess
  /** The first window; later ones are in `app.windows()`. */
  readonly page: Page
  readonly screen: Screen
  readonly data: string
  #chosen: DesktopChoices = DEFAULT_DESKTOP

  private constructor(app: ElectronProcess, page: Page, data: string) {
    this.app = app
    this.page = page
    this.screen = new Screen(page)
    this.data = data
  }

  /**
   * Without a profile, in the folder that a start without `--data` takes. The first start of a folder opens the demo.
   */
  static async start(
    desktop: Desktop,
    profile?: string,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Parlor> {
    const data = profile === undefined ? defaultDataFolder('linux', {}, desktop.home) : join(desktop.home, profile)
    const isFirst = !existsSync(join(data, 'settings.json')) && !args.includes('--connect')
    const app = await ElectronProcess.launch(
      installation().program,
      [...switches, ...(profile === undefined ? [] : ['--data', data]), ...(isFirst ? ['--demo'] : []), ...args],
      { ...desktop.env, ...env },
    )
    const parlor = new Parlor(app, await app.firstWindow(), data)
    await expect(parlor.page.locator('[data-channel-item]').first()).toBeVisible()
    // A story sees only what it does; no one has written anything yet.
    if (isFirst) await parlor.call('settings.update', { activePeople: false })
    return parlor
  }

  /** Calls main as the page does. */
  async call<T = unknown>(name: string, input: unknown, page: Page = this.page): Promise<T> {
    type Answer = { readonly ok: boolean; readonly value: T; readonly error?: unknown }
    const answer = await page.evaluate(
      ([callName, given]) =>
        (window as unknown as { parlor: { call(name: string, input: unknown): Promise<Answer> } }).parlor.call(
          callName,
          given,
        ),
      [name, input] as const,
    )
    if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
    return answer.value
  }

  /** Changes some of the desktop settings. */
  async chooseDesktop(changes: Partial<DesktopChoices>): Promise<void> {
    this.#chosen = { ...this.#chosen, ...changes }
    await this.call('settings.update', { desktop: this.#chosen })
  }

  /** Lines of its log file about one kind of event, oldest first. */
  logged(area: string, event: string): readonly Readonly<Record<string, unknown>>[] {
    return readFileSync(join(this.data, 'logs/parlor.log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['area'] === area && line['event'] === event)
  }

  /** The window of another person of the demo. */
  async openAs(userId: string): Promise<Page> {
    const opening = this.app.nextWindow()
    await this.call('app.openWindowAs', { userId })
    const page = await opening
    await expect(page.locator('[data-channel-item]').first()).toBeVisible()
    return page
  }

  /** Quits as the menu does, and waits for the end of the process. */
  async quit(): Promise<void> {
    // Pictures may still be on their way to the window.
    this.screen.closing()
    expect(await this.app.quit()).toBe(0)
  }
}

/** A start of the program that no one drives: its exit code and what it printed. */
export async function startAlone(
  desktop: Desktop,
  args: readonly string[],
  program: string = installation().program,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const alone = new ElectronProcess(program, [...switches, ...args], desktop.env)
  // It does its work before it ends, for as long as that takes: the limit of the test is the limit.
  return { code: await alone.exited, output: alone.output.join('\n') }
}
