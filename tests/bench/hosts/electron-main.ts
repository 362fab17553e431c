/**
 * The main module of the app that `electron.ts` installs: the app itself with a probe in its windows, or in its place a
 * group of `in-process.ts`, in the process where the app runs its engine.
 */
import { join } from 'node:path'
import { app } from 'electron'

/** The group that runs instead of the app, and its samples: `events 15`. */
const group = process.env['PARLOR_BENCH_GROUP']

if (group === undefined) {
  app.on('session-created', (session) => session.setPreloads([join(import.meta.dirname, 'probe.cjs')]))
  await import(/* @vite-ignore */ join(import.meta.dirname, '../../bridge.mjs'))
} else {
  // Children inherit the environment; they are servers.
  delete process.env['PARLOR_BENCH_GROUP']
  const [name = '', runs = ''] = group.split(' ')
  const { measureHere } = await import('./electron-group.ts')
  // Electron is ready once this module is.
  void measureHere(name, Number(runs)).then((code) => app.exit(code))
}
