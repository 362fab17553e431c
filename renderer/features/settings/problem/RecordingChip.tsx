import { useSyncExternalStore } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useObject } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { RECORDING } from './recording.ts'

/** In the title strip while a problem is recorded: says so, and stops it. Its own clicks are not recorded. */
export function RecordingChip() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const recording = useObject(RECORDING)
  const isRunning = useSyncExternalStore(recording.subscribe, recording.isRunning)
  if (!isRunning) return null
  const stop = (): void => {
    recording.stop()
    announce(t('problem.stopped'))
    dispatch(dialogOpened({ kind: 'problem' }))
  }
  return (
    <span data-recording="">
      <Button size="small" variant="risky" icon="stop" onClick={stop}>
        {t('problem.stop')}
      </Button>
    </span>
  )
}
