import { useCallback, type KeyboardEvent, type MouseEvent } from 'react'
import type { Cid } from '#shared/lib/brand.ts'
import { openTargetOf, type OpenTarget } from '../../lib/open-target.ts'
import { useHost, useAppDispatch, useAppStore, useAppServices } from '../../store/hooks.ts'
import { useTexts } from '../../i18n/index.ts'
import { selectRouteCid } from '../../store/selectors.ts'
import type { MenuItem } from '../../ui/Menu/Menu.tsx'
import { openBeside, openWindow } from './commands.ts'

type Opening = {
  readonly onClick: (event: MouseEvent) => void
  readonly onMouseDown: (event: MouseEvent) => void
  readonly onMouseUp: (event: MouseEvent) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/**
 * Handlers for a row that opens a channel or message here or elsewhere. Electron fires no `auxclick` (it is disabled, so
 * that links cannot be opened by middle click): the button is handled instead.
 */
export function useOpening(): (open: (target: OpenTarget) => void) => Opening {
  const { os } = useHost()
  return useCallback(
    (open) => ({
      onClick: (event) => open(openTargetOf(event, os)),
      // Prevents the autoscroll of the middle button.
      onMouseDown: (event) => event.button === 1 && event.preventDefault(),
      onMouseUp: (event) => event.button === 1 && open('window'),
      onKeyDown: (event) => {
        const target = event.key === 'Enter' && event.target === event.currentTarget ? openTargetOf(event, os) : 'here'
        if (target === 'here' || event.nativeEvent.isComposing) return
        event.preventDefault()
        open(target)
      },
    }),
    [os],
  )
}

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
