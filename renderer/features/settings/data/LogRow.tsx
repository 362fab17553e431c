import { useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { askLog } from './commands.ts'
import styles from './LogRow.module.css'

/** The newest lines of the log, loaded on request. */
export function LogRow() {
  const t = useTexts('data')
  const dispatch = useAppDispatch()
  const [text, setText] = useState<string>()
  const [status, setStatus] = useState<'logCopied' | 'logNotCopied'>()
  const ask = async (): Promise<void> => {
    const answer = await dispatch(askLog())
    if (answer.ok) setText(answer.value.text)
  }
  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setStatus('logCopied')
    } catch {
      setStatus('logNotCopied')
    }
  }
  return (
    <>
      <SettingRow title={t('log')} hint={t('logHint')}>
        <span role="status">{status === undefined ? null : t(status)}</span>
        {text === undefined || text === '' ? null : (
          <Button icon="copy" onClick={() => void copy(text)}>
            {t('logCopy')}
          </Button>
        )}
        <Button onClick={() => void ask()}>{t(text === undefined ? 'logShow' : 'logAgain')}</Button>
      </SettingRow>
      {text === undefined ? null : text === '' ? (
        <p role="status">{t('logEmpty')}</p>
      ) : (
        // Focusable, so that it can be scrolled by keyboard; starts at the newest line.
        <pre ref={toEnd} className={styles['log']} role="group" aria-label={t('log')} tabIndex={0} dir="ltr">
          {text}
        </pre>
      )}
    </>
  )
}

function toEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight
}
