import { useEffect, useRef, useState } from 'react'
import type { Upload } from '#shared/domain/attachment.ts'
import { useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { describeFile } from './staging.ts'
import styles from './Tray.module.css'

/** What a picture shows, in words. Escape leaves it as it was. */
export function Describe({
  upload: { id, alt = '' },
  onDone,
}: {
  readonly upload: Upload
  readonly onDone: () => void
}) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const [words, setWords] = useState(alt)
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void dispatch(describeFile({ id, alt: words }))
        onDone()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onDone()
      }}
    >
      <TextField
        label={t('uploads.alt')}
        hint={t('uploads.altHint')}
        value={words}
        maxLength={500}
        ref={field}
        onChange={setWords}
      />
      <Button type="submit">{t('uploads.altKeep')}</Button>
    </form>
  )
}
