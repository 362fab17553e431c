/**
 * An `electron` module on top of a plain Chromium: runs our unmodified main and preload bundles, also under Playwright's
 * `_electron.launch`. It proves our wiring (options, channels, handlers, order, shutdown), not Electron itself: there is
 * no sandbox here, no real scheme, no tray, no fuse. Loaded with `node -r` before the app.
 */
import Module from 'node:module'
import { app } from './app.ts'
import { recorders } from './recorders.ts'
import { sessionModule, protocol } from './session.ts'
import { BrowserWindow, ipcMain, webContents } from './windows.ts'
import { utilityProcess } from './utility-process.ts'

const api: Record<string, unknown> = {
  app,
  BrowserWindow,
  ipcMain,
  webContents,
  session: sessionModule,
  protocol,
  utilityProcess,
  ...recorders,
}

Object.assign(globalThis, { __standinElectron: api })
provideModule()
process.argv = electronArguments()

/** Both ways must be caught: Playwright's loader requires, our bundles import. */
function provideModule(): void {
  const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown }
  const load = loader._load
  loader._load = (request, ...rest) => (request === 'electron' ? api : load.call(loader, request, ...rest))
  const names = Object.keys(api)
  const source = `const e = globalThis.__standinElectron; export default e;${names.map((name) => `export const ${name} = e.${name};`).join('')}`
  Module.registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron'
        ? { url: 'standin:electron', format: 'module', shortCircuit: true }
        : next(specifier, context),
    load: (url, context, next) =>
      url === 'standin:electron' ? { format: 'module', shortCircuit: true, source } : next(url, context),
  })
}

/** What the app finds in `process.argv`; Playwright's loader cuts everything up to its own flag. */
function electronArguments(): string[] {
  const [, , ...appArguments] = process.argv
  const own = process.env['STANDIN_UNDER_PLAYWRIGHT'] ? ['-', '--remote-debugging-port=0'] : []
  return [process.execPath, ...own, ...appArguments]
}
