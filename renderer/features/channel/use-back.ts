import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { panelOpened } from '../../store/window/ui.ts'

/** Back button of a details page. */
export function useBackToDetails(cid: Cid): { readonly label: string; readonly onClick: () => void } {
  const t = useTexts('details')
  const dispatch = useAppDispatch()
  return { label: t('back'), onClick: () => dispatch(panelOpened({ kind: 'info', cid })) }
}
