import { useState } from 'react'
import { loadTexts, resolveLanguage, useLanguage, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useAppServices, useAppStore, useObject } from '../../../store/hooks.ts'
import { viewLeft } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { RECORDING } from './RecordingChip.tsx'
import { recordProblem } from './recorder.ts'

/** Begins to record a problem, and leaves the settings so that it can be done again. */
export function ProblemRow() {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const language = resolveLanguage(useLanguage(), [])
  const { bridge, own } = useAppServices()
  const recording = useObject(RECORDING)
  const [isStarting, setStarting] = useState(false)
  const record = async (): Promise<void> => {
    setStarting(true)
    const texts = textsIn(await loadTexts(language))
    dispatch(viewLeft())
    recording.begin(recordProblem({ bridge, store, language, texts }))
    announce(t('problem.started'))
  }
  // A window of one conversation has no title strip, where the recording is stopped.
  if (own !== undefined) return null
  return (
    <SettingRow title={t('problem.title')} hint={t('problem.hint')}>
      <Button icon="bug" working={isStarting} onClick={() => void record()}>
        {t('problem.record')}
      </Button>
    </SettingRow>
  )
}

/** All texts, at any depth, without the tags inside them. */
function textsIn(texts: object): string[] {
  return Object.values(texts).flatMap((value: unknown) => {
    if (typeof value === 'string') return [value.replaceAll(/<\/?\w+>/g, '')]
    return typeof value === 'object' && value !== null ? textsIn(value) : []
  })
}
