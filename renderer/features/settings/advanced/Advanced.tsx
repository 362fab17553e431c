import { useState } from 'react'
import type { Diagnostics } from '#shared/domain/desktop/diagnostics.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useRegistry } from '../../../registry/registry.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { panelOpened, viewLeft } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { LogRow } from '../data/LogRow.tsx'
import { Reset } from '../controls/Reset.tsx'
import { ManagedSettings } from '../managed/ManagedSettings.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { ConnectionCard } from './ConnectionCard.tsx'
import { SettingsFile } from './SettingsFile.tsx'
import { Changes, Failures, Speed } from './Tables.tsx'
import { useDiagnostics } from './use-diagnostics.ts'

/** Diagnostics for people who run the server or report a problem. Contains no message content. */
export function Advanced() {
  const t = useTexts('preferences')
  const figures = useDiagnostics()
  const fields = [...new Set(useRegistry().settings.flatMap((page) => page.fields ?? []))]
  return (
    <>
      <h2>{t('advanced.connection')}</h2>
      {figures === undefined ? null : (
        <>
          <ConnectionCard figures={figures} />
          <Queue figures={figures} />
          <Report figures={figures} />
        </>
      )}
      <LogRow />
      <ManagedSettings />
      <SettingsFile />
      <SettingRow title={t('advanced.resetAll')} hint={t('advanced.resetAllHint')}>
        <Reset label={t('reset.all')} fields={fields} />
      </SettingRow>
      {figures === undefined ? null : (
        <>
          <Speed figures={figures} />
          <Failures figures={figures} />
          <Changes figures={figures} />
        </>
      )}
    </>
  )
}

function Queue({ figures: { queue } }: { readonly figures: Diagnostics }) {
  const t = useTexts('preferences')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const count = Object.values(queue.byState).reduce((sum, some) => sum + some, 0)
  const { oldestAt } = queue
  const show = (): void => {
    dispatch(viewLeft())
    dispatch(panelOpened({ kind: 'outbox' }))
  }
  return (
    <SettingRow
      title={t('advanced.queue')}
      hint={
        oldestAt === undefined
          ? t('advanced.queueNothing')
          : t('advanced.queueOldest', { count, when: formats.dayAndTime(oldestAt) })
      }
    >
      {oldestAt === undefined ? null : <Button onClick={show}>{t('advanced.toOutbox')}</Button>}
    </SettingRow>
  )
}

function Report({ figures }: { readonly figures: Diagnostics }) {
  const t = useTexts('preferences')
  const [status, setStatus] = useState<'copied' | 'notCopied'>()
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(figures, undefined, 2))
      setStatus('copied')
    } catch {
      setStatus('notCopied')
    }
  }
  return (
    <SettingRow title={t('advanced.report')} hint={t('advanced.copyHint')}>
      <span role="status">{status === undefined ? null : t(`advanced.${status}`)}</span>
      <Button icon="copy" onClick={() => void copy()}>
        {t('advanced.copy')}
      </Button>
    </SettingRow>
  )
}
