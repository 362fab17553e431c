import { useEffect } from 'react'
import { useFormats, useTexts } from '../../i18n/index.ts'
import { useLiveClock } from '../../lib/time/use-live-clock.ts'
import { announce } from '../../lib/page/announce.ts'
import { sendCommand, useCommand } from '../../store/commands.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { useShortcut } from '../../store/window/shortcuts.ts'
import { Tooltip } from '../../ui/Popover/Tooltip.tsx'
import { moveLocation, stopAllLocations } from './commands.ts'
import { minutesLeft } from '#shared/rules/locations/locations.ts'
import { useLiveShares } from './live.ts'
import { watchPosition } from './position.ts'
import styles from './Location.module.css'

/** In the title strip while the viewer's location is shared live: until when, and a click or a key that stops it. */
export function LiveChip() {
  const t = useTexts('locations')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const keys = useShortcut('stopSharing')
  const shares = useLiveShares()
  const running = shares.length > 0
  useEffect(() => {
    if (!running) return undefined
    return watchPosition((to) => void dispatch(moveLocation(to)))
  }, [dispatch, running])
  useCommand(
    'stopSharing',
    () => void dispatch(stopAllLocations(shares)).then((stopped) => stopped.ok && announce(t('stopped'))),
    running,
  )
  const now = useLiveClock(shares.map(({ endAt }) => endAt))
  const last = shares.at(-1)
  if (last === undefined) return null
  return (
    <Tooltip text={t('stop')} keys={keys}>
      <button type="button" className={styles['chip']} onClick={() => dispatch(sendCommand('stopSharing'))}>
        <span className={styles['live']} aria-hidden="true" />
        {t('chip', { time: formats.time(last.endAt) })}
        <span className={styles['left']}>{t('left', { count: minutesLeft(last.endAt, now) })}</span>
        <span className="sr-only">. {t('stop')}</span>
      </button>
    </Tooltip>
  )
}
