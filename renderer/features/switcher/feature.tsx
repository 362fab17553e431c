import { part } from '../../lib/page/part.tsx'
import { defineFeature } from '../../registry/feature.ts'
import { dialogClosed, dialogOpened } from '../../store/window/ui.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { useSwitcherActions } from '../../app/keys/shortcuts.tsx'
import { UntilLoaded } from '../connection/index.ts'
import { EarlyField } from '../../ui/Modal/EarlyField.tsx'
import { useTexts } from '../../i18n/index.ts'

declare module '../../store/window/kinds.ts' {
  interface Dialogs {
    switcher: NoProps
  }
  interface Actions {
    switcher: void
  }
}

const Switcher = part(async () => (await import('./Switcher.tsx')).Switcher)

function SwitcherDialog() {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const close = (): void => void dispatch(dialogClosed())
  return (
    <UntilLoaded onClose={close} meanwhile={<EarlyField label={t('search')} onClose={close} />}>
      <Switcher actions={useSwitcherActions()} />
    </UntilLoaded>
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
  warmFirst: Switcher.warm,
})
