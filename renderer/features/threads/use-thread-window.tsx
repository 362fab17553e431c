import { useState, type ReactNode } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { showPage } from '../../lib/show-page.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog.tsx'
import { openThreadWindow, type ThreadPlace } from './commands.ts'

/** As Electron opens one. */
const SIZE = { width: 560, height: 760 }

/** Opens the thread in a window of its own; where the browser forbids that, a press of the user's does it. */
export function useThreadWindowOpener(place: ThreadPlace): { readonly open: () => void; readonly element: ReactNode } {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const [blocked, setBlocked] = useState<string>()
  const close = (): void => setBlocked(undefined)
  const open = async (): Promise<void> => {
    const opened = await dispatch(openThreadWindow(place))
    const url = opened.ok ? opened.value.url : undefined
    if (url !== undefined && !showPage(url, SIZE)) setBlocked(url)
  }
  return {
    open: () => void open(),
    element:
      blocked === undefined ? null : (
        <Dialog
          title={t('window.blocked')}
          width={400}
          onClose={close}
          actions={
            <Button variant="primary" onClick={() => showPage(blocked, SIZE) && close()}>
              {t('window.open')}
            </Button>
          }
        >
          <DialogText muted>{t('window.blockedText')}</DialogText>
        </Dialog>
      ),
  }
}
