import type { DeepLink } from '#shared/domain/desktop/deep-link.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useSession } from '../../store/hooks.ts'
import { addAccountOpened, dialogClosed } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'

/** For a link to a workspace without an account here. A link never connects to a server: the user must add the account. */
export function ElsewhereDialog({ link }: { readonly link: DeepLink }) {
  const t = useTexts('session')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  const close = (): void => void dispatch(dialogClosed())
  const name = 'workspace' in link ? link.workspace : ''
  return (
    <Dialog
      width={440}
      title={t('elsewhere.title')}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button variant="primary" onClick={() => dispatch(addAccountOpened())}>
            {t('elsewhere.add')}
          </Button>
        </>
      }
    >
      <DialogText>
        {t(link.route === 'invite' ? 'elsewhere.invite' : 'elsewhere.text', {
          name,
          here: workspace?.name ?? '',
        })}
      </DialogText>
      <DialogText muted>{t('elsewhere.how')}</DialogText>
    </Dialog>
  )
}
