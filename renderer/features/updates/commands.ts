import { command } from '../../store/command.ts'

/** Quiet: the settings page shows the error. */
export const lookForUpdates = command('updates/looked', (_input: undefined, engine) => engine.updates.check(), {
  quiet: true,
})
export const downloadUpdate = command('updates/downloaded', (_input: undefined, engine) => engine.updates.download(), {
  quiet: true,
})
export const installUpdate = command('updates/installed', (_input: undefined, engine) => engine.updates.install())
export const putOffUpdate = command('updates/putOff', (_input: undefined, engine) => engine.updates.later())
export const skipUpdate = command('updates/skipped', (_input: undefined, engine) => engine.updates.skip())
