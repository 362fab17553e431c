import { globalShortcut } from 'electron'
import type { ShortcutCapability } from '../../host.ts'

/** One combination for each thing, held until the program ends. */
export function electronShortcut(): ShortcutCapability {
  const held = new Map<string, string>()
  return {
    use(what, accelerator, run) {
      const before = held.get(what)
      if (before !== undefined) globalShortcut.unregister(before)
      held.delete(what)
      if (accelerator === undefined) return 'none'
      // Electron would hand one's own keys over to anyone who asks last.
      if ([...held.values()].includes(accelerator) || !globalShortcut.register(accelerator, run)) return 'taken'
      held.set(what, accelerator)
      return 'held'
    },
  }
}
