import { globalShortcut } from 'electron'
import type { ShortcutCapability } from '../host.ts'

/** One combination at a time, held until the program ends. */
export function electronShortcut(): ShortcutCapability {
  let held: string | undefined
  return {
    use(accelerator, run) {
      if (held !== undefined) globalShortcut.unregister(held)
      held = undefined
      if (accelerator === undefined) return 'none'
      if (!globalShortcut.register(accelerator, run)) return 'taken'
      held = accelerator
      return 'held'
    },
  }
}
