import { command } from '../../store/command.ts'

/** Quiet: the form shows the error. */
export const unlock = command('lock/unlocked', (input: { pin: string }, engine) => engine.lock.unlock(input), {
  quiet: true,
})
export const setPin = command(
  'lock/pinSet',
  (input: { pin: string; current?: string }, engine) => engine.lock.set(input),
  { quiet: true },
)
export const removePin = command('lock/pinRemoved', (input: { pin: string }, engine) => engine.lock.remove(input), {
  quiet: true,
})
export const forgetPin = command('lock/pinForgotten', (_input: undefined, engine) => engine.lock.forget(), {
  quiet: true,
})

export const lockNow = command('lock/asked', (_input: undefined, engine) => engine.lock.now())

/** Quiet: a failure needs no notice. */
export const reportActivity = command('lock/touched', (_input: undefined, engine) => engine.lock.touched(), {
  quiet: true,
})
