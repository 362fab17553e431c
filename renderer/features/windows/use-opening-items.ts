import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppStore, useAppServices } from '../../store/hooks.ts'
import { selectRouteCid } from '../../store/selectors.ts'
import type { MenuItem } from '../../ui/Menu/Menu.tsx'
import { openBeside, openWindow } from './commands.ts'

/** Menu items to open a channel elsewhere, evaluated when the menu opens. */
export function useOpeningItems(cid: Cid): () => readonly MenuItem[] {
  const t = useTexts('windows')
  const store = useAppStore()
  const dispatch = useAppDispatch()
  const { bridge, own } = useAppServices()
  return () => {
    const state = store.getState()
    const isShown = selectRouteCid(state) === cid || state.ui.split === cid
    const isOwn = own !== undefined && own.cid === cid && own.parentId === undefined
    return [
      ...(own !== undefined || isShown
        ? []
        : [
            {
              id: 'beside',
              label: t('beside'),
              icon: 'panel-right',
              onSelect: () => dispatch(openBeside({ cid })),
            } as const,
          ]),
      ...(isOwn || !bridge.host.capabilities.severalWindows
        ? []
        : [
            {
              id: 'window',
              label: t('window'),
              icon: 'external-link',
              onSelect: () => dispatch(openWindow({ cid })),
            } as const,
          ]),
    ]
  }
}
