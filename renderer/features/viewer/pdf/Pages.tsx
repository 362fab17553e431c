import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useRoom } from '../use-room.ts'
import type { Size, View } from '../view.ts'
import { anchorAt, heightOf, layOut, pageAt, type Anchor } from './layout.ts'
import { PageBar } from './PageBar.tsx'
import type { PdfDocument } from './port.ts'
import { Sheet } from './Sheet.tsx'
import { useFind } from './use-find.ts'
import styles from './Pdf.module.css'

type Props = { readonly pdf: PdfDocument; readonly first: Size; readonly name: string; readonly view: View }

/** The current page is the one at this fraction of the view's height. */
const LOOKED_AT = 0.35

/** All pages in one column; only those in view and near it are rendered. */
export function Pages({ pdf, first, name, view }: Props) {
  const t = useTexts('messages')
  const scroller = useRef<HTMLDivElement>(null)
  const room = useRoom(scroller)
  const [sizes, setSizes] = useState<ReadonlyMap<number, Size>>(new Map([[1, first]]))
  const [top, setTop] = useState(0)
  const layout = useMemo(
    () => layOut(pdf.pages, (page) => sizes.get(page) ?? first, room, view),
    [pdf, sizes, first, room, view],
  )
  const anchor = useRef<Anchor>({ page: 1, into: 0 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    element.scrollTop = heightOf(layout, anchor.current) - room.height * LOOKED_AT
    setTop(element.scrollTop)
  }, [layout, room.height])
  const onScroll = (): void => {
    const element = scroller.current
    if (element === null) return
    anchor.current = anchorAt(layout, element.scrollTop + room.height * LOOKED_AT)
    setTop(element.scrollTop)
  }
  const goTo = (page: number): void => {
    const next = Math.max(1, Math.min(pdf.pages, page))
    scroller.current?.scrollTo({ top: (layout.starts[next - 1] ?? 0) - 8 })
    announce(t('pdf.page', { page: next, total: pdf.pages }))
  }
  const find = useFind(pdf, goTo)
  const onSize = useCallback((page: number, size: Size): void => {
    setSizes((known) => (known.has(page) ? known : new Map([...known, [page, size]])))
  }, [])
  const from = pageAt(layout, top - room.height / 2)
  const to = pageAt(layout, top + room.height * 1.5)
  const current = pageAt(layout, top + room.height * LOOKED_AT)
  return (
    <>
      <PageBar page={current} total={pdf.pages} onPage={goTo} find={find} />
      <div
        ref={scroller}
        className={styles['scroller']}
        data-pages=""
        role="group"
        aria-label={t('pdf.pages', { name })}
        tabIndex={0}
        onScroll={onScroll}
      >
        <div className={styles['pages']} style={{ width: layout.width, height: layout.height }}>
          {Array.from({ length: to - from + 1 }, (_, offset) => from + offset).map((page) => (
            <Sheet
              key={page}
              pdf={pdf}
              page={page}
              top={layout.starts[page - 1] ?? 0}
              size={layout.sizes[page - 1] ?? first}
              scale={layout.scale}
              turn={view.turn}
              onSize={onSize}
              hits={find.hits}
              current={find.current}
            />
          ))}
        </div>
      </div>
    </>
  )
}
