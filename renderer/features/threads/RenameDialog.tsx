import { useState } from 'react'
import { useRemark, useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { selectMessage } from '../../store/selectors.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Dialog } from '../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { renameThread, type ThreadPlace } from './commands.ts'

/** Longest title. See docs/wire.md 3.5. */
const MAX_TITLE = 255

type Props = ThreadPlace & { readonly onClose: () => void }

/** Sets a title for everyone; empty removes it. The typed text stays until the server accepts it. */
export function RenameDialog({ cid, parentId, onClose }: Props) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const before = useAppSelector((state) => selectMessage(state, parentId)?.thread?.title ?? '')
  const [title, setTitle] = useState(before)
  const formMessage = useRemark()
  const [working, setWorking] = useState(false)
  const isLong = title.trim().length > MAX_TITLE
  const save = async (): Promise<void> => {
    if (working || isLong) return
    if (title.trim() === before) return onClose()
    setWorking(true)
    const done = await dispatch(renameThread({ cid, parentId, title: title.trim() }))
    setWorking(false)
    if (done.ok) onClose()
    else formMessage.refuse(done.error)
  }
  return (
    <Dialog
      title={t('rename.title')}
      width={400}
      onSubmit={() => void save()}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('rename.cancel')}</Button>
          <Button variant="primary" type="submit" working={working}>
            {t('rename.save')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('rename.field')}
        value={title}
        error={isLong ? t('rename.long') : formMessage.text}
        hint={t('rename.hint')}
        onChange={(value) => {
          formMessage.clear()
          setTitle(value)
        }}
      />
    </Dialog>
  )
}
