import { memo, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import type { Size, View } from '../view.ts'
import { type Hit, rangeOf } from './find.ts'
import type { PdfDocument } from './port.ts'
import styles from './Pdf.module.css'

type Props = {
  readonly pdf: PdfDocument
  readonly page: number
  readonly top: number
  readonly size: Size
  readonly scale: number
  readonly turn: View['turn']
  readonly onSize: (page: number, size: Size) => void
  readonly hits: readonly Hit[]
  readonly current: Hit | undefined
}

/** One page: a canvas, and a text layer over it to select, copy and read out. */
export const Sheet = memo(function Sheet({ pdf, page, top, size, scale, turn, onSize, hits, current }: Props) {
  const t = useTexts('messages')
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<readonly HTMLElement[]>()
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    pdf.size(page).then(
      (own) => onSize(page, own),
      () => setBroken(true),
    )
  }, [pdf, page, onSize])
  useEffect(() => {
    if (canvas.current === null || text.current === null) return undefined
    let live = true
    const drawing = pdf.draw(page, { canvas: canvas.current, text: text.current }, { scale, turn })
    drawing.done.then(
      (elements) => live && setDrawn(elements),
      () => live && setBroken(true),
    )
    return () => {
      live = false
      drawing.cancel()
    }
  }, [pdf, page, scale, turn])
  useMarks(drawn, page, hits, current)
  const silent = drawn !== undefined && drawn.length === 0
  return (
    <section
      className={styles['sheet']}
      aria-label={t('pdf.page', { page, total: pdf.pages })}
      style={{ top, width: size.width, height: size.height }}
    >
      <canvas ref={canvas} className={styles['canvas']} aria-hidden="true" />
      <div ref={text} className={styles['text']} dir="ltr" />
      {broken ? <p className={styles['broken']}>{t('pdf.pageBroken')}</p> : null}
      {silent ? <p className="sr-only">{t('pdf.noText')}</p> : null}
    </section>
  )
})

/** Names of the style sheet's `::highlight()`. */
const FOUND = 'parlor-pdf-found'
const CURRENT = 'parlor-pdf-current'

/** Highlights the hits on a rendered page without changing its elements. */
function useMarks(
  drawn: readonly HTMLElement[] | undefined,
  page: number,
  hits: readonly Hit[],
  current: Hit | undefined,
): void {
  useEffect(() => {
    if (drawn === undefined || typeof Highlight === 'undefined') return undefined
    const undo = hits.flatMap((hit) => {
      const range = hit.page === page ? rangeOf(hit, drawn) : undefined
      if (range === undefined) return []
      const marked = highlight(hit === current ? CURRENT : FOUND)
      marked.add(range)
      return () => marked.delete(range)
    })
    return () => {
      for (const one of undo) one()
    }
  }, [drawn, page, hits, current])
}

function highlight(name: string): Highlight {
  const known = CSS.highlights.get(name)
  if (known !== undefined) return known
  const made = new Highlight()
  CSS.highlights.set(name, made)
  return made
}
