import { useEffect } from 'react'
import { command } from '../../store/command.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { selectLock } from '../../store/window/host.ts'

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
const reportActivity = command('lock/touched', (_input: undefined, engine) => engine.lock.touched(), {
  quiet: true,
})

const INPUT_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
/** Main checks every 15 s, so more frequent reports are useless. */
const AT_MOST_EVERY_MS = 15_000

/** Reports input in this window to main, which prevents the automatic lock. */
export function useActivityReport(): void {
  const dispatch = useAppDispatch()
  const wanted = useAppSelector((state) => selectLock(state).on && !selectLock(state).locked)
  useEffect(() => {
    if (!wanted) return undefined
    let shown = -Infinity
    const onInput = (): void => {
      const now = performance.now()
      if (now - shown < AT_MOST_EVERY_MS) return
      shown = now
      void dispatch(reportActivity(undefined))
    }
    for (const name of INPUT_EVENTS) window.addEventListener(name, onInput, { capture: true, passive: true })
    return () => {
      for (const name of INPUT_EVENTS) window.removeEventListener(name, onInput, true)
    }
  }, [dispatch, wanted])
}
