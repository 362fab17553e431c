import type { WindowPlace } from '#shared/bridge/window-place.ts'
import { useTexts } from '../../i18n/index.ts'
import { openBrowserWindow } from '../../lib/page/environment.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { dialogClosed } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import { sizeOf } from './commands.ts'

/** The browser requires a user gesture for each window: the button is one. */
export function BlockedWindowDialog({ url, place }: { readonly url: string; readonly place: WindowPlace }) {
  const t = useTexts('windows')
  const dispatch = useAppDispatch()
  const close = (): void => void dispatch(dialogClosed())
  return (
    <Dialog
      title={t('blocked.title')}
      width={400}
      onClose={close}
      actions={
        <Button variant="primary" onClick={() => openBrowserWindow(url, sizeOf(place)) && close()}>
          {t('blocked.open')}
        </Button>
      }
    >
      <DialogText muted>{t('blocked.text')}</DialogText>
    </Dialog>
  )
}
