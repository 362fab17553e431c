import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, expect } from '@playwright/test'
import { defaultDataFolder } from '#main/hosts/node/profile.ts'
import { Screen } from '../../e2e/kit/screen.ts'
import type { Desktop } from '../../electron/kit/desktop.ts'

/** Where Chromium writes the port of its debugger. */
const portFile = ({ home }: Desktop): string =>
  join(defaultDataFolder('linux', {}, home), 'electron/DevToolsActivePort')

/** A Parlor that restarted itself: not a child of the test, and its output is not visible. */
export class Restarted {
  readonly screen: Screen
  readonly #desktop: Desktop
  readonly #disconnect: () => Promise<void>

  private constructor(screen: Screen, desktop: Desktop, disconnect: () => Promise<void>) {
    this.screen = screen
    this.#desktop = desktop
    this.#disconnect = disconnect
  }

  /** Call before it ends, so that what it leaves is not mistaken for the next start. */
  static expect(desktop: Desktop): () => Promise<Restarted> {
    rmSync(portFile(desktop), { force: true })
    return async () => {
      const port = await expectPort(desktop)
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true })
      const context = browser.contexts()[0]
      if (!context) throw new Error('Parlor has no window.')
      const page = context.pages()[0] ?? (await context.waitForEvent('page'))
      return new Restarted(new Screen(page), desktop, () => browser.close())
    }
  }

  /** Ends as the system ends programs when its user signs out. */
  async quit(): Promise<void> {
    expect(this.screen.complaints).toEqual([])
    await this.#disconnect()
    const [pid] = programsOf(this.#desktop)
    if (pid === undefined) throw new Error('Parlor does not run.')
    process.kill(pid, 'SIGTERM')
    await expectEnded(this.#desktop)
  }
}

async function expectPort(desktop: Desktop): Promise<string> {
  let port: string | undefined
  await expect(() => {
    port = readFileSync(portFile(desktop), 'utf8').split('\n')[0]
    expect(port).toMatch(/^\d+$/)
  }).toPass()
  return port ?? ''
}

/** No Parlor runs on the desktop. */
export const expectEnded = (desktop: Desktop): Promise<void> => expect.poll(() => programsOf(desktop)).toEqual([])

/** Where packages are installed, and where the runtime of an AppImage unpacks it. */
const PLACES = /^\/(opt\/Parlor|tmp\/parlor-app-image-\w+)\//

/** Parlors that have a file of this desktop's user open; not their children, which have a type. */
export function programsOf({ home }: Desktop): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const of = `/proc/${name}`
      try {
        if (!PLACES.test(readlinkSync(`${of}/exe`))) return false
        if (readFileSync(`${of}/cmdline`, 'utf8').includes('--type=')) return false
        return readdirSync(`${of}/fd`).some((fd) => readlinkSync(`${of}/fd/${fd}`).startsWith(home))
      } catch {
        // It has ended, or has closed a file.
        return false
      }
    })
    .map(Number)
}
