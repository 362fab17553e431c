import { useState } from 'react'
import type { ExportFormat, SavedFile } from '#shared/domain/export.ts'
import type { Cid } from '#shared/lib/brand.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { selectChannel } from '../../../store/selectors.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Segments } from '../../../ui/Choice/Segments.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { exportMessages, showFolder } from './commands.ts'

const FORMATS = ['json', 'text'] as const satisfies readonly ExportFormat[]

/** Exports the messages of a channel, or all, to a file, and shows where it was saved. */
export function ExportDialog({ cid }: { readonly cid?: Cid }) {
  const t = useTexts('data')
  const dispatch = useAppDispatch()
  const channel = useAppSelector((state) => (cid === undefined ? undefined : selectChannel(state, cid)))
  const [format, setFormat] = useState<ExportFormat>('json')
  const { saved, working, fault, start } = useExport(cid, format)
  const close = (): void => void dispatch(dialogClosed())
  return (
    <Dialog
      title={cid === undefined ? t('export') : t('exportOf', { name: channel?.name ?? cid })}
      width={440}
      onClose={close}
      onSubmit={start}
      actions={
        <>
          <Button onClick={close}>{t(saved === undefined ? 'cancel' : 'close')}</Button>
          <Button variant="primary" type="submit" disabled={working}>
            {t('start')}
          </Button>
        </>
      }
    >
      <p>{t('exportHint')}</p>
      <SettingRow title={t('format')} hint={t(`formatHints.${format}`)}>
        <Segments
          label={t('format')}
          value={format}
          onChange={setFormat}
          choices={FORMATS.map((value) => ({ value, label: t(`formats.${value}`) }))}
        />
      </SettingRow>
      <p role="status">{working ? t('working') : <Where saved={saved} />}</p>
      <Refusal text={fault} />
      {saved === undefined ? null : <Button onClick={() => void dispatch(showFolder('exported'))}>{t('show')}</Button>}
    </Dialog>
  )
}

function Where({ saved }: { readonly saved: SavedFile | undefined }) {
  const t = useTexts('data')
  if (saved === undefined) return null
  return t('saved', { count: saved.messages, file: saved.fileName, folder: saved.folderName })
}

function useExport(cid: Cid | undefined, format: ExportFormat) {
  const dispatch = useAppDispatch()
  const [working, setWorking] = useState(false)
  const [saved, setSaved] = useState<SavedFile>()
  const formMessage = useRemark()
  const write = async (): Promise<void> => {
    setWorking(true)
    formMessage.clear()
    const answer = await dispatch(exportMessages({ cid, format }))
    setWorking(false)
    if (!answer.ok) return formMessage.refuse(answer.error)
    setSaved(answer.value.saved)
  }
  return { saved, working, fault: formMessage.text, start: (): void => void write() }
}
