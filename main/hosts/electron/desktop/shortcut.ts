import { globalShortcut } from 'electron'
import type { ShortcutCapability } from '../../host.ts'

/** One combination per action, registered until the program ends. */
export function electronShortcut(): ShortcutCapability {
  const held = new Map<string, string>()
  return {
    register(what, accelerator, run) {
      const before = held.get(what)
      if (before !== undefined) globalShortcut.unregister(before)
      held.delete(what)
      if (accelerator === undefined) return 'none'
      // Electron would move a combination of ours to the last caller.
      if ([...held.values()].includes(accelerator) || !globalShortcut.register(accelerator, run)) return 'taken'
      held.set(what, accelerator)
      return 'held'
    },
  }
}
