import { useEffect, useRef } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { drawInto } from './picture.ts'
import styles from './Emoji.module.css'

/** Preview of the emoji inline and alone, on light and dark. */
export function EmojiPreview({ bitmap }: { readonly bitmap: ImageBitmap }) {
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
