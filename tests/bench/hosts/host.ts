import type { Page } from 'playwright'
import type { Running, ServerOptions } from '../processes.ts'

export type ServerHost = {
  /** The built local server on a seeded folder. */
  startServer(folder: string, options?: ServerOptions): Promise<Running>
}

/** What the measured programs run in. */
export type Host = ServerHost & {
  /** The built app, signed in as the viewer of a server that may be down. */
  startApp(folder: string, serverUrl: string): Promise<App>
  /** The built app on its demo workspace, without its people's own activity: every run measures the same. */
  startDemo(folder: string): Promise<App>
  /** Ends and removes what the starts shared. */
  stop(): Promise<void>
}

/** What a group is given. `runs`: how many samples. */
export type Runs<H = Host> = { readonly runs: number; readonly log: (text: string) => void; readonly host: H }

/** The app with one window, which is empty or still loading until {@link App.show}. */
export type App = {
  /** In the page: `window.parlorProbe`, once it was shown. */
  readonly page: Page
  /** Of the app in that page. */
  readonly url: string
  /** From the start of the process until a window can load its page, in milliseconds. */
  readonly readyMs: number
  /** Once, right after the start: resolves with the milliseconds from the start of the process to the newest rows painted. */
  show(): Promise<number>
  /** Undefined where the system does not tell. */
  memory(): Memory | undefined
  stop(): Promise<void>
}

/** Proportional set sizes in MiB: of the app's own process, and of all those that draw its windows. */
export type Memory = { readonly app: number; readonly windows: number }
