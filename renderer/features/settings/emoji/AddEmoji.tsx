import { useEffect, useRef, useState } from 'react'
import type { EmojiTerms } from '#shared/domain/emoji.ts'
import { asEmojiName, emojiCode } from '#shared/rules/messages/emoji.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { addEmoji } from './commands.ts'
import { NameFields, useNamesForm } from './NameFields.tsx'
import { PictureDrop, drawInto, type EmojiPicture, type PictureFault, readPicture } from './PictureDrop.tsx'
import styles from './Emoji.module.css'

type Props = { readonly terms: EmojiTerms; readonly onAdded: () => void }

/** Form for a new emoji: picture, preview and names. Stays filled in until the emoji is added. */
export function AddEmoji({ terms, onAdded }: Props) {
  const t = useTexts('emoji')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const form = useNamesForm({ name: '', aliases: [] })
  const [picture, setPicture] = useState<EmojiPicture>()
  const [fault, setFault] = useState<PictureFault | 'missing'>()
  const [working, setWorking] = useState(false)
  const chosen = useRef(0)
  const choose = async (file: File): Promise<void> => {
    const mine = (chosen.current += 1)
    const read = await readPicture(file, terms)
    // Another file was chosen in the meantime.
    if (mine !== chosen.current) return
    if ('fault' in read) return setFault(read.fault)
    setFault(undefined)
    setPicture(read)
    if (form.name === '') form.setName(asEmojiName(file.name))
  }
  const submit = async (): Promise<void> => {
    const names = form.take()
    if (picture === undefined) setFault('missing')
    if (names === undefined || picture === undefined) return
    setWorking(true)
    const added = await dispatch(addEmoji({ ...names, base64: picture.base64, mimeType: picture.mimeType }))
    setWorking(false)
    if (!added.ok) return form.refuse(added.error)
    announce(t('page.added', { code: emojiCode(names.name) }))
    onAdded()
  }
  const limits = { size: formats.bytes(terms.maxBytes), side: terms.maxSide }
  return (
    <form
      className={styles['form']}
      aria-label={t('page.add')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!working) void submit()
      }}
    >
      <PictureDrop again={picture !== undefined} onFile={(file) => void choose(file)} />
      {fault === undefined ? (
        <p className={styles['note']}>{t('page.pictureHint', limits)}</p>
      ) : (
        <p role="alert" className={styles['error']}>
          {t(`page.picture.${fault}`, limits)}
        </p>
      )}
      {picture === undefined ? null : <EmojiPreview bitmap={picture.bitmap} />}
      <NameFields form={form} nameHint={t('page.nameHint')} />
      <div className={styles['buttons']}>
        <Button type="submit" variant="primary" working={working}>
          {t('page.addNow')}
        </Button>
      </div>
    </form>
  )
}

/** Preview of the emoji inline and alone, on light and dark. */
function EmojiPreview({ bitmap }: { readonly bitmap: ImageBitmap }) {
  const t = useTexts('emoji')
  return (
    <div role="img" aria-label={t('page.preview')} className={styles['previews']}>
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme} data-theme={theme} className={styles['preview']} aria-hidden="true">
          <p>
            {t('page.sampleBefore')} <Drawn bitmap={bitmap} side={21} /> {t('page.sampleAfter')}
          </p>
          <p>
            <Drawn bitmap={bitmap} side={42} />
          </p>
        </div>
      ))}
    </div>
  )
}

/** Canvas pixels per CSS pixel, so that it is sharp on high-density screens. */
const DENSITY = 2

function Drawn({ bitmap, side }: { readonly bitmap: ImageBitmap; readonly side: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current !== null) drawInto(canvas.current, bitmap, side * DENSITY)
  }, [bitmap, side])
  return <canvas ref={canvas} className={styles['drawn']} style={{ height: side }} />
}
