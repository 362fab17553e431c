import { memo, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import type { Size, View } from '../view.ts'
import type { Hit } from './find.ts'
import type { Paper } from './port.ts'
import { useMarks } from './use-marks.ts'
import styles from './Pdf.module.css'

type Props = {
  readonly paper: Paper
  readonly page: number
  readonly top: number
  readonly size: Size
  readonly scale: number
  readonly turn: View['turn']
  readonly onSize: (page: number, size: Size) => void
  readonly hits: readonly Hit[]
  readonly current: Hit | undefined
}

/** One page: its picture, and its words over it to select, copy and read aloud. */
export const Sheet = memo(function Sheet({ paper, page, top, size, scale, turn, onSize, hits, current }: Props) {
  const t = useTexts('messages')
  const canvas = useRef<HTMLCanvasElement>(null)
  const words = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<readonly HTMLElement[]>()
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    paper.size(page).then(
      (own) => onSize(page, own),
      () => setBroken(true),
    )
  }, [paper, page, onSize])
  useEffect(() => {
    if (canvas.current === null || words.current === null) return undefined
    let live = true
    const drawing = paper.draw(page, { canvas: canvas.current, words: words.current }, { scale, turn })
    drawing.done.then(
      (elements) => live && setDrawn(elements),
      () => live && setBroken(true),
    )
    return () => {
      live = false
      drawing.cancel()
    }
  }, [paper, page, scale, turn])
  useMarks(drawn, page, hits, current)
  const silent = drawn !== undefined && drawn.length === 0
  return (
    <section
      className={styles['sheet']}
      aria-label={t('pdf.page', { page, total: paper.pages })}
      style={{ top, width: size.width, height: size.height }}
    >
      <canvas ref={canvas} className={styles['canvas']} aria-hidden="true" />
      <div ref={words} className={styles['words']} dir="ltr" />
      {broken ? <p className={styles['broken']}>{t('pdf.pageBroken')}</p> : null}
      {silent ? <p className="sr-only">{t('pdf.noWords')}</p> : null}
    </section>
  )
})
