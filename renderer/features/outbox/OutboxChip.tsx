import { useEffect, useRef } from 'react'
import type { OutboxItem } from '#shared/domain/intent.ts'
import { cx } from '../../lib/cx.ts'
import { useTexts, useErrorText } from '../../i18n/index.ts'
import { useDelayed } from '../../lib/time/clocks.ts'
import { selectOutboxCount, selectParked } from '../../store/composers/unsent.ts'
import { useAppDispatch, useAppSelector, useConnection } from '../../store/hooks.ts'
import { useShortcut } from '../../app/keys/shortcuts.tsx'
import { panelOpened } from '../../store/window/ui.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Tooltip } from '../../ui/Popover/Popover.tsx'
import { announce } from '../../lib/page/announce.ts'
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

/** Withdrawn by the user, who wants to change it. */
const WITHDRAWN = 'outbox/taken-back'

/**
 * Announces messages that could not be sent, at once, wherever the user is: the row that says so may not be on screen.
 * Failures of other kinds raise a notice.
 */
export function FailedSends() {
  const t = useTexts('outbox')
  const errorText = useErrorText()
  const rows = useAppSelector(({ entities }) => entities.outbox)
  const before = useRef(rows)
  useEffect(() => {
    const known = before.current
    before.current = rows
    for (const item of Object.values(rows)) {
      const old = known[item.id]
      // What had failed when the window opened is no news.
      if (old === undefined || old.state === 'parked' || !hasFailed(item)) continue
      const { summary, reason } = item
      announce(t('notSent', { text: summary, reason: reason === undefined ? '' : errorText(reason) }), {
        assertive: true,
      })
    }
  }, [rows, t, errorText])
  return null
}

const hasFailed = ({ kind, state, content, reason }: OutboxItem): boolean =>
  kind === 'send-message' && state === 'parked' && content === undefined && reason?.code !== WITHDRAWN
