import { useSyncExternalStore, type KeyboardEvent } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { useKeycaps } from '../list/PaneOverlays.tsx'
import { ACTIONS, BULK_ACTIONS } from './actions.ts'
import type { Selection, BulkAction } from './selection.ts'
import styles from './SelectionBar.module.css'

type Props = {
  readonly selection: Selection
  readonly mayDelete: () => number
  readonly run: (action: BulkAction) => void
  readonly onClear: () => void
}

/** Actions on the selected messages; shown while any is selected. */
export function SelectionBar({ selection, mayDelete, run, onClear }: Props) {
  const t = useTexts('messages')
  const keycapsOf = useKeycaps()
  const picked = useSyncExternalStore(selection.subscribe, selection.ids)
  if (picked.size === 0) return null
  const nothingToDelete = mayDelete() === 0
  return (
    <div
      className={styles['bar']}
      role="toolbar"
      tabIndex={-1}
      aria-label={t('select.label')}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClear()
      }}
    >
      <span className={styles['count']}>{t('select.count', { count: picked.size })}</span>
      {BULK_ACTIONS.map((action) => (
        <IconButton
          key={action}
          icon={ACTIONS[action].icon}
          label={action === 'delete' && nothingToDelete ? t('select.noDelete') : t(`actions.${action}`)}
          keys={keycapsOf(action)}
          tooltipSide="above"
          aria-disabled={(action === 'delete' && nothingToDelete) || undefined}
          onClick={() => run(action)}
        />
      ))}
      <IconButton icon="file-text" label={t('select.export')} tooltipSide="above" onClick={() => run('export')} />
      <IconButton icon="x" label={t('select.clear')} keys={['Esc']} tooltipSide="above" onClick={onClear} />
    </div>
  )
}
