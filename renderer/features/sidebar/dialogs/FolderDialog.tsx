import { useRef, useState } from 'react'
import { nanoid } from '@reduxjs/toolkit'
import type { Cid } from '#shared/lib/brand.ts'
import { folderSection, withFolder, withMoved } from '#shared/rules/channels/sidebar.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { arrange, deleteFolder } from '../arranging.ts'
import { selectPlan } from '../selectors.ts'

type Props = {
  /** The section to rename; undefined creates one. */
  readonly id?: string
  /** A conversation to move into the new section. */
  readonly cid?: Cid
}

/** Creates or renames a custom section. */
export function FolderDialog({ id, cid }: Props) {
  const t = useTexts('sidebar')
  const common = useTexts('common')
  const dispatch = useAppDispatch()
  const before = useAppSelector(selectPlan).folders.find((folder) => folder.id === id)
  const [name, setName] = useState(before?.name ?? '')
  const [missing, setMissing] = useState(false)
  const close = (): void => void dispatch(dialogClosed())
  const keep = (): void => {
    const trimmed = name.trim()
    setMissing(trimmed === '')
    if (trimmed === '') return
    const folder = { id: id ?? nanoid(10), name: trimmed }
    void dispatch(
      arrange((plan) => {
        const made = withFolder(plan, folder)
        return cid === undefined ? made : withMoved(made, { cid, to: folderSection(folder.id), shown: [] })
      }),
    )
    close()
  }
  return (
    <Dialog
      title={t(id === undefined ? 'folder.new' : 'folder.rename')}
      width={400}
      onClose={close}
      onSubmit={keep}
      actions={
        <>
          <Button onClick={close}>{common('cancel')}</Button>
          <Button type="submit" variant="primary">
            {t(id === undefined ? 'folder.make' : 'folder.save')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('folder.name')}
        value={name}
        maxLength={100}
        autoComplete="off"
        error={missing ? t('folder.nameMissing') : undefined}
        onChange={setName}
      />
    </Dialog>
  )
}

/** Confirms deleting a section. Its conversations stay. */
export function DeleteFolderDialog({ id }: { readonly id: string }) {
  const t = useTexts('sidebar')
  const dispatch = useAppDispatch()
  const folder = useAppSelector(selectPlan).folders.find((each) => each.id === id)
  const keep = useRef<HTMLButtonElement>(null)
  const close = (): void => void dispatch(dialogClosed())
  return (
    <Dialog
      alert
      initialFocus={keep}
      title={t('folder.deleteTitle')}
      width={400}
      onClose={close}
      actions={
        <>
          <Button ref={keep} onClick={close}>
            {t('folder.cancel')}
          </Button>
          <Button
            variant="danger"
            onClick={() => {
              void dispatch(deleteFolder(id))
              close()
            }}
          >
            {t('folder.delete')}
          </Button>
        </>
      }
    >
      <DialogText>{t('folder.deleteText', { name: folder?.name ?? '' })}</DialogText>
    </Dialog>
  )
}
