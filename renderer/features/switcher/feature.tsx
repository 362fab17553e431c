import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'
import { dialogClosed, dialogOpened } from '../../store/window/ui.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { useSwitcherActions } from '../../app/keys/shortcuts.tsx'
import { HostSuspense } from '../connection/index.ts'
import { Waiting } from './Waiting.tsx'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    switcher: NoProps
  }
  interface Actions {
    switcher: void
  }
}

const Switcher = part(async () => (await import('./Switcher.tsx')).Switcher)

/** Letters typed while the code is loading are not lost. */
function SwitcherDialog() {
  const dispatch = useAppDispatch()
  return (
    <HostSuspense onClose={() => void dispatch(dialogClosed())} meanwhile={<Waiting />}>
      <Switcher actions={useSwitcherActions()} />
    </HostSuspense>
  )
}

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
  warm: Switcher.warm,
})
