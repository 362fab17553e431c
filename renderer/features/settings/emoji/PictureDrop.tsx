import { useEffect, useRef, useState, type DragEvent } from 'react'
import { EMOJI_TYPES } from '#shared/domain/emoji.ts'
import { useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { filesOf, hasFiles } from '../../../lib/files/dropped-files.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import styles from './Emoji.module.css'

type Props = { readonly again: boolean; readonly onFile: (file: File) => void }

/** Takes a picture by file picker, drop, or paste anywhere on the page. */
export function PictureDrop({ again, onFile }: Props) {
  const t = useTexts('emoji')
  const field = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setDraggedOver] = useState(false)
  usePastedPicture(onFile)
  const over = (event: DragEvent): void => {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    setDraggedOver(true)
  }
  const drop = (event: DragEvent): void => {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    setDraggedOver(false)
    void filesOf(event.dataTransfer).then(({ files }) => files[0] && onFile(files[0]))
  }
  return (
    <div
      role="presentation"
      className={cx(styles['drop'], isDraggedOver && styles['draggedOver'])}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={drop}
    >
      <Button icon="image" onClick={() => field.current?.click()}>
        {t(again ? 'page.chooseAgain' : 'page.choose')}
      </Button>
      <span className={styles['dropHint']}>{t('page.dropHint')}</span>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={t('page.choose')}
        accept={EMOJI_TYPES.join(',')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
    </div>
  )
}

/** Pasted text is left to the focused field. */
function usePastedPicture(onFile: (file: File) => void): void {
  const latest = useRef(onFile)
  useEffect(() => {
    latest.current = onFile
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (file === undefined || event.defaultPrevented) return
      event.preventDefault()
      latest.current(file)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}
