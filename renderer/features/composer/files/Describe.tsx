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

/** Edits a file's name, and a picture's description. Escape discards the changes. */
export function Describe({ place, upload, onDone }: Props) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const { id, alt = '' } = upload
  const [name, setName] = useState(() => suggestedName(upload))
  const [text, setText] = useState(alt)
  const pictured = upload.kind === 'image' && upload.state !== 'blocked' && upload.state !== 'failed'
  const missing = isBlank(name)
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (missing) return
        void dispatch(changeFile(place, { id, name: name.trim(), alt: pictured ? text : undefined }))
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

/** The current name; for a file refused for its extension, with an allowed extension of the same type. */
function suggestedName({ name, mimeType, reason, listed = [] }: Upload): string {
  if (reason !== 'allowed_file_extensions') return name
  const kind = mimeType.split('/')[1]?.toLowerCase() ?? ''
  const allowed = listed.find((ending) => ending.replace('.', '').replace('jpg', 'jpeg') === kind)
  return allowed === undefined ? name : `${name.replace(/\.[^.]*$/, '')}${allowed}`
}
