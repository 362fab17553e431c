/**
 * The main module of the app that `electron.ts` installs: the app itself with a probe in its windows, or in its place a
 * group of `in-process.ts`, in the process where the app runs its engine.
 */
import { join } from 'node:path'
import { app } from 'electron'

/** What runs instead of the app, and a number: `events 15`. See `electron-group.ts`. */
const group = process.env['PARLOR_BENCH_GROUP']

if (group === undefined) {
  app.on('session-created', (session) => session.setPreloads([join(import.meta.dirname, 'probe.cjs')]))
  await import(/* @vite-ignore */ join(import.meta.dirname, '../../bridge.mjs'))
} else {
  // Children inherit the environment; they are servers.
  delete process.env['PARLOR_BENCH_GROUP']
  const [name = '', count = ''] = group.split(' ')
  const { measureHere } = await import('./electron-group.ts')
  // Electron is ready once this module is.
  void measureHere(name, Number(count)).then((code) => app.exit(code))
}
