import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useHost, useSession } from '../../store/hooks.ts'
import { dialogOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'

/** A button to add people to an empty local workspace. */
export function AddPeopleButton() {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  const { capabilities } = useHost()
  if (workspace?.kind !== 'local' || !capabilities.severalWindows) return null
  return (
    <Button icon="user-plus" onClick={() => dispatch(dialogOpened({ kind: 'open-as', adding: true }))}>
      {t('menu.addPerson')}
    </Button>
  )
}
