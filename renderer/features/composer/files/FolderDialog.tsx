import { useRef, useState } from 'react'
import { MAX_FILES_PER_MESSAGE, UPLOAD_LIMIT_BYTES } from '#shared/constants.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { archiveOf, type DroppedFolder } from '../../../lib/files/dropped-files.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { warnOfFolders } from '../send/commands.ts'

type Props = {
  readonly folder: DroppedFolder
  /** With the files to attach: those of the folder, its archive, or none. */
  readonly onAnswer: (files: readonly File[]) => void
}

/** Asks whether the files of a dropped folder are attached one by one, as an archive, or not at all. */
export function FolderDialog({ folder, onAnswer }: Props) {
  const t = useTexts('composer')
  const { bytes } = useFormats()
  const dispatch = useAppDispatch()
  const cancel = useRef<HTMLButtonElement>(null)
  const [isPacking, setPacking] = useState(false)
  const { name, files, hidden } = folder
  const isAnswered = useRef(false)
  // The archive of a folder that was canceled meanwhile is not attached.
  const answer = (chosen: readonly File[]): void => {
    if (isAnswered.current) return
    isAnswered.current = true
    onAnswer(chosen)
  }
  const fits = files.length <= MAX_FILES_PER_MESSAGE
  const pack = async (): Promise<void> => {
    setPacking(true)
    try {
      answer([await archiveOf(folder)])
    } catch (reason) {
      console.debug('folder not packed', reason)
      if (!isAnswered.current) dispatch(warnOfFolders([name], false))
      answer([])
    }
  }
  return (
    <Dialog
      alert
      width={520}
      title={t('folder.title', { name })}
      initialFocus={cancel}
      onClose={() => answer([])}
      actions={
        <>
          <Button ref={cancel} onClick={() => answer([])}>
            {t('cancel')}
          </Button>
          <Button variant={fits ? 'secondary' : 'primary'} working={isPacking} onClick={() => void pack()}>
            {t('folder.archive')}
          </Button>
          {fits ? (
            <Button variant="primary" onClick={() => answer(files.map(({ file }) => file))}>
              {t('folder.attach', { count: files.length })}
            </Button>
          ) : null}
        </>
      }
    >
      <DialogText>{t('folder.text', { count: files.length, size: bytes(folder.bytes) })}</DialogText>
      {hidden === 0 ? null : <DialogText muted>{t('folder.hidden', { count: hidden })}</DialogText>}
      {fits ? null : <DialogText>{t('folder.many', { max: MAX_FILES_PER_MESSAGE })}</DialogText>}
      {folder.bytes <= UPLOAD_LIMIT_BYTES ? null : (
        <DialogText>{t('folder.large', { limit: bytes(UPLOAD_LIMIT_BYTES) })}</DialogText>
      )}
    </Dialog>
  )
}
