import { isBlank } from '#shared/lib/clean-text.ts'
import { useEffect, useRef, useState } from 'react'
import type { Upload } from '#shared/domain/attachment.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import type { Place } from '../place.ts'
import { changeFile } from './staging.ts'
import styles from './Tray.module.css'

type Props = { readonly place: Place; readonly upload: Upload; readonly onDone: () => void }

/** What a file is called, and what a picture shows, in words. Escape leaves both as they were. */
export function Describe({ place, upload, onDone }: Props) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const { id, alt = '' } = upload
  const [name, setName] = useState(() => namedFor(upload))
  const [text, setText] = useState(alt)
  const pictured = upload.kind === 'image' && upload.state !== 'blocked' && upload.state !== 'failed'
  const missing = isBlank(name)
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (missing) return
        void dispatch(changeFile(place, { id, name: name.trim(), ...(pictured ? { alt: text } : {}) }))
        onDone()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onDone()
      }}
    >
      {pictured ? (
        <TextField
          label={t('uploads.alt')}
          hint={t('uploads.altHint')}
          value={text}
          maxLength={500}
          ref={field}
          onChange={setText}
        />
      ) : null}
      <TextField
        label={t('uploads.name')}
        error={missing ? t('uploads.noName') : undefined}
        value={name}
        maxLength={200}
        {...(pictured ? {} : { ref: field })}
        onChange={setName}
      />
      <Button type="submit" aria-disabled={missing || undefined}>
        {t('uploads.keep')}
      </Button>
    </form>
  )
}

/** The name as it is; one that is refused for its ending, with an allowed ending that says the same. */
function namedFor({ name, mimeType, reason, listed = [] }: Upload): string {
  if (reason !== 'allowed_file_extensions') return name
  const kind = mimeType.split('/')[1]?.toLowerCase() ?? ''
  const fits = listed.find((ending) => ending.replace('.', '').replace('jpg', 'jpeg') === kind)
  return fits === undefined ? name : `${name.replace(/\.[^.]*$/, '')}${fits}`
}
