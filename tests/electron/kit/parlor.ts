import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { _electron, expect, test as base, type ElectronApplication, type Page } from '@playwright/test'
import { DEFAULT_DESKTOP, type DesktopChoices } from '#shared/domain/desktop/desktop.ts'
import { Screen } from '../../e2e/kit/screen.ts'
import { Desktop } from './desktop.ts'
import type { Installation } from './installation.ts'

/** The channel that the demo opens with. */
export const CID = 'team:release-4-2'

/** Each worker has a desktop of its own. All share one installation, made by `setup.ts`. */
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
/** For a program that should end but does not: a test must not wait for it for ever. */
const ENDS_WITHIN_MS = 20_000

/** The app, running on a desktop as an ordinary user. */
export class Parlor {
  readonly app: ElectronApplication
  /** The first window; later ones are in `app.windows()`. */
  readonly page: Page
  readonly screen: Screen
  readonly data: string
  /** What it printed on both streams. */
  readonly output: string[]
  #chosen: DesktopChoices = DEFAULT_DESKTOP

  private constructor(app: ElectronApplication, page: Page, data: string, output: string[]) {
    this.app = app
    this.page = page
    this.screen = new Screen(page)
    this.data = data
    this.output = output
  }

  static async start(desktop: Desktop, profile: string, args: readonly string[] = []): Promise<Parlor> {
    const data = join(desktop.home, profile)
    const app = await _electron.launch({
      executablePath: installation().program,
      chromiumSandbox: true,
      args: [...switches, '--data', data, ...args],
      env: { ...desktop.env },
      timeout: 60_000,
    })
    const output: string[] = []
    for (const stream of [app.process().stdout, app.process().stderr]) {
      stream?.on('data', (chunk: Buffer) => void output.push(chunk.toString()))
    }
    const parlor = new Parlor(app, await app.firstWindow(), data, output)
    await expect(parlor.page.locator('[data-channel-item]').first()).toBeVisible()
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

  /** The window of another person of the demo. */
  async openAs(userId: string): Promise<Page> {
    const opening = this.app.waitForEvent('window')
    await this.call('app.openWindowAs', { userId })
    const page = await opening
    await expect(page.locator('[data-channel-item]').first()).toBeVisible()
    return page
  }

  /** Quits as the menu does, and waits for the end of the process. */
  async quit(): Promise<void> {
    await this.app.close()
  }
}

/** A start of the program that no one drives: its exit code and what it printed. */
export async function startAlone(
  desktop: Desktop,
  args: readonly string[],
  program: string = installation().program,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child: ChildProcess = spawn(program, [...switches, ...args], {
    env: { ...desktop.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const stop = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(stop)
  return { code, output }
}
