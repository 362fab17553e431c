import { useTexts } from '../i18n/index.ts'
import { keysOf } from '../lib/chords.ts'
import { useAppStore, useHost, useSurroundings } from '../store/hooks.ts'
import type { ShortcutGroup } from '../features/settings/index.ts'
import { ACTIONS, chordsOf } from './actions.ts'

const GROUPS = ['navigation', 'window', 'messages', 'composer'] as const

/** The registry as the shortcut sheet shows it. */
export function useShortcutGroups(): readonly ShortcutGroup[] {
  const t = useTexts('settings')
  const { os } = useHost()
  return GROUPS.map((group) => ({
    id: group,
    title: t(`keyboard.groups.${group}`),
    shortcuts: ACTIONS.filter((action) => action.group === group && chordsOf(action, os).length > 0).map((action) => ({
      id: action.id,
      label: t(`keyboard.actions.${action.id}`),
      chords: chordsOf(action, os),
    })),
  }))
}

/** The registry as the quick switcher offers it. */
export function useSwitcherActions() {
  const t = useTexts('settings')
  const store = useAppStore()
  const { engine, bridge } = useSurroundings()
  const { os } = bridge.host
  return ACTIONS.filter((action) => action.inSwitcher === true).map((action) => ({
    id: action.id,
    label: t(`keyboard.actions.${action.id}`),
    keys: chordsOf(action, os)
      .slice(0, 1)
      .flatMap((chord) => keysOf(chord, os)),
    run: () => action.run?.({ dispatch: store.dispatch, getState: () => store.getState(), engine }),
  }))
}
