import { useEffect, useRef } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { cx } from '../../../lib/cx.ts'
import { useAppDispatch, useAppSelector, useHost, useSession } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useSharing } from './commands.ts'
import styles from './Sharing.module.css'

/** In the title strip while the workspace is shared on the network: how many are connected, or who waits. */
export function SharingChip() {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  const isAllowed = useHost().managed?.values.AllowLanExposure !== false
  const { state } = useSharing(workspace?.kind === 'local' && !workspace.demo && isAllowed)
  const isOpen = useAppSelector((state) => state.ui.dialog?.kind === 'share')
  const told = useRef<ReadonlySet<string>>(new Set())
  const waiting = state?.waiting
  useEffect(() => {
    if (!waiting) return
    // While the dialog is closed, a toast says so.
    for (const { id, name } of waiting) if (isOpen && !told.current.has(id)) announce(t('share.asks', { name }))
    told.current = new Set(waiting.map(({ id }) => id))
  }, [isOpen, t, waiting])
  if (!state?.wanted) return null
  const isUrgent = state.waiting.length > 0 || !state.on
  return (
    <button
      type="button"
      className={cx(styles['chip'], isUrgent && styles['urgent'])}
      onClick={() => dispatch(dialogOpened({ kind: 'share' }))}
    >
      <Icon name={isUrgent ? 'user-plus' : 'users'} size={14} />
      {state.waiting.length > 0
        ? t('share.chipWaiting', { count: state.waiting.length })
        : state.on
          ? t('share.chip', { count: state.connected.length })
          : t('share.chipOff')}
    </button>
  )
}
