import { cx } from '../../lib/cx.ts'
import { useTexts } from '../../i18n/index.ts'
import { useDelayed } from '../../lib/time/clocks.ts'
import { selectOutboxCount, selectParked } from '../../store/composers/unsent.ts'
import { useAppDispatch, useAppSelector, useConnection } from '../../store/hooks.ts'
import { useShortcut } from '../../store/window/shortcuts.ts'
import { panelOpened } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../ui/Popover/Tooltip.tsx'
import styles from './Outbox.module.css'

/** Longer than anything that can be undone waits before it is sent: until then it is on its way, not left behind. */
const ON_ITS_WAY_MS = 12_000

/**
 * In the title strip: what is not sent yet, as soon as it cannot be sent or needs the user. Its place is kept when it is
 * empty, so that nothing moves when it comes and goes.
 */
export function OutboxChip() {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const count = useAppSelector(selectOutboxCount)
  const failed = useAppSelector(selectParked).length > 0
  const { offline } = useConnection()
  const keys = useShortcut('outbox')
  const late = useDelayed(count > 0, ON_ITS_WAY_MS)
  const isShown = count > 0 && (offline || failed || late)
  const label = t('outbox.label', { count })
  return (
    <span className={styles['slot']} data-outbox-slot>
      {isShown ? (
        <Tooltip text={label} keys={keys}>
          <button
            type="button"
            className={cx(styles['chip'], failed && styles['failed'])}
            aria-label={label}
            onClick={() => dispatch(panelOpened({ kind: 'outbox' }))}
          >
            <Icon name={failed ? 'alert-circle' : 'outbox'} size={14} />
            <span className={styles['chipTitle']}>{t('outbox.title')}</span>
            {count}
          </button>
        </Tooltip>
      ) : null}
    </span>
  )
}
