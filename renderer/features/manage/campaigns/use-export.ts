import { useState } from 'react'
import type { SavedFile } from '#shared/domain/export.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'

/** Saves a table: says where it is, or why it is not. */
export function useExport(write: () => Promise<Result<{ readonly saved?: SavedFile }, ErrorBody>>) {
  const t = useTexts('campaigns')
  const [working, setWorking] = useState(false)
  const formMessage = useRemark()
  const save = async (): Promise<void> => {
    setWorking(true)
    const done = await write()
    setWorking(false)
    if (!done.ok) return formMessage.refuse(done.error)
    formMessage.clear()
    if (done.value.saved !== undefined) announce(t('exported', { file: done.value.saved.fileName }))
  }
  return { working, text: formMessage.text, save: () => void save() }
}
