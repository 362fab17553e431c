import { useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { FindList, type Found } from '../FindList.tsx'
import { Portrait } from '../../people/index.ts'
import { findAudience } from './commands.ts'

type Props = { readonly onClose: () => void; readonly onChoose: (id: string) => void }

/** Anyone of the workspace can be the sender. */
export function SenderDialog({ onClose, onChoose }: Props) {
  const t = useTexts('campaigns')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const [find] = useState(() => async (text: string): Promise<readonly Found[]> => {
    const found = await dispatch(findAudience(text))
    return found.ok ? found.value.people : []
  })
  return (
    <Dialog
      width={420}
      title={t('sender.title')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{common('cancel')}</Button>}
    >
      <FindList
        label={t('sender.find')}
        find={find}
        renderSign={(id) => <Portrait userId={id} size={22} />}
        searching={t('searching')}
        nothing={t('nothingFound')}
        onChoose={({ id }) => onChoose(id)}
      />
    </Dialog>
  )
}
