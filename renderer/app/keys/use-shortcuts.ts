import { useTexts } from '../../i18n/index.ts'
import { keysOf, pressOf } from '../../lib/text/chords.ts'
import { useRegistry, type RegisteredAction } from '../../registry/registry.ts'
import type { ActionId } from '../../store/window/kinds.ts'
import { useAppStore, useHost, useSetting, useAppServices } from '../../store/hooks.ts'
import type { ShortcutGroup } from '../../features/settings/index.ts'
import type { SwitcherAction } from '../../features/switcher/index.ts'
import { chordsNow, isMovable } from './shortcuts.tsx'

const GROUPS = ['navigation', 'window', 'messages', 'composer'] as const

/** The actions for the shortcut sheet. */
export function useShortcutGroups(): readonly ShortcutGroup[] {
  const t = useTexts('settings')
  const { os } = useHost()
  const keys = useSetting('keys')
  const { actions } = useRegistry()
  return GROUPS.map((group) => ({
    id: group,
    title: t(`keyboard.groups.${group}`),
    shortcuts: actions
      .filter((action) => action.group === group)
      .map((action) => ({
        id: action.id,
        label: t(`keyboard.actions.${action.id}`),
        chords: chordsNow(action, os, keys),
        place: action.run === undefined ? (action.group === 'composer' ? 'composer' : 'messages') : 'window',
        movable: isMovable(action, os),
        changed: isMovable(action, os) && keys[action.id] !== undefined,
      })),
  }))
}

/** The actions for the quick switcher, without the switcher itself. */
export function useSwitcherActions(): readonly SwitcherAction[] {
  const t = useTexts('settings')
  const store = useAppStore()
  const { engine, bridge } = useAppServices()
  const { os } = bridge.host
  const keys = useSetting('keys')
  const { actions } = useRegistry()
  // Actions of list rows are left out: from the switcher there is no row to act on.
  const isOffered = ({ id, run, group, allowed, offered }: RegisteredAction): boolean =>
    id !== 'switcher' &&
    (run ?? PLACES[group]) !== undefined &&
    allowed?.(store.getState()) !== false &&
    offered?.(store.getState()) !== false
  return actions.filter(isOffered).map(({ run, ...action }) => {
    const chord = chordsNow({ ...action, run }, os, keys)[0]
    const place = PLACES[action.group]
    return {
      id: action.id,
      label: t(`keyboard.actions.${action.id}`),
      keys: chord === undefined ? [] : keysOf(chord, os),
      run:
        run === undefined
          ? undefined
          : () => run({ dispatch: store.dispatch, getState: () => store.getState(), engine }),
      press: run !== undefined || chord === undefined || TYPED.has(action.id) ? undefined : pressOf(chord, os),
      place,
    }
  })
}

/** Groups whose key is handled by a message or a field: the switcher dispatches the key press there. */
const PLACES: Readonly<Partial<Record<RegisteredAction['group'], 'message' | 'composer'>>> = {
  messages: 'message',
  composer: 'composer',
}
/** Handled by the browser's field, which ignores synthetic key presses. */
const TYPED: ReadonlySet<ActionId> = new Set(['newLine'])
