import { useRef, useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { dialogOpened } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { clearCache, showFolder } from './commands.ts'

/** Local data: open its folder, export messages, clear the cache. */
export function LocalData() {
  const t = useTexts('data')
  const dispatch = useAppDispatch()
  const [isClearing, setIsClearing] = useState(false)
  return (
    <>
      <SettingRow title={t('folder')} hint={t('folderHint')}>
        <Button onClick={() => void dispatch(showFolder('profile'))}>{t('openFolder')}</Button>
      </SettingRow>
      <SettingRow title={t('export')} hint={t('exportHint')}>
        <Button icon="download" onClick={() => dispatch(dialogOpened({ kind: 'export' }))}>
          {t('exportButton')}
        </Button>
      </SettingRow>
      <SettingRow title={t('clear')} hint={t('clearHint')}>
        <Button variant="risky" onClick={() => setIsClearing(true)}>
          {t('clearButton')}
        </Button>
      </SettingRow>
      {isClearing ? <ClearDialog onClose={() => setIsClearing(false)} /> : null}
    </>
  )
}

function ClearDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('data')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const cancel = useRef<HTMLButtonElement>(null)
  const clear = (): void => {
    onClose()
    void dispatch(clearCache())
  }
  return (
    <Dialog
      alert
      width={400}
      title={t('clearTitle')}
      initialFocus={cancel}
      onClose={onClose}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="danger" onClick={clear}>
            {t('clearNow')}
          </Button>
        </>
      }
    >
      <p>{t('clearText')}</p>
      {offline ? <p>{t('clearOffline')}</p> : null}
    </Dialog>
  )
}
