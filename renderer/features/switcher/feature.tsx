import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { useSwitcherActions } from '../../app/keys/shortcuts.tsx'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    switcher: NoProps
  }
  interface Actions {
    switcher: void
  }
}

const Switcher = part(async () => (await import('./Switcher.tsx')).Switcher)

const SwitcherDialog = () => <Switcher actions={useSwitcherActions()} />

export const switcherFeature = defineFeature({
  dialogs: { switcher: SwitcherDialog },
  actions: {
    switcher: {
      chords: ['Mod+K'],
      group: 'navigation',
      order: 10,
      run: ({ dispatch }) => void dispatch(dialogOpened({ kind: 'switcher' })),
    },
  },
  warmFirst: Switcher.warm,
})
