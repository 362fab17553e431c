import { useCallback, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useHost } from '../../../store/hooks.ts'
import { keysOf } from '../../../lib/text/chords.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { useRoom, type Size, type View } from '../view.ts'
import type { PdfDocument } from './port.ts'
import { Sheet } from './Sheet.tsx'
import { useFind, type Find } from './find.ts'
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

/** Gap between pages and above the first, in CSS pixels. */
const GAP = 16
/** Maximum scale to fit the width, in CSS pixels per point. */
const MAX_FIT = 1.6

/** The layout of the pages in one column, in CSS pixels. Page N is at index N - 1. */
type Layout = {
  readonly scale: number
  readonly starts: readonly number[]
  readonly sizes: readonly Size[]
  readonly width: number
  readonly height: number
}

/** A position that is preserved on zoom and rotation: a page, and a fraction of its height. */
type Anchor = { readonly page: number; readonly into: number }

/** @param sizeOf size of a page in points, unrotated; that of the first page until a page is loaded */
export function layOut(pages: number, sizeOf: (page: number) => Size, room: Size, { zoom, turn }: View): Layout {
  const first = turnedSize(sizeOf(1), turn)
  const scale = Math.min(MAX_FIT, Math.max(1, room.width - 2 * GAP) / Math.max(1, first.width)) * zoom
  const sizes: Size[] = []
  const starts: number[] = []
  let top = GAP
  for (let page = 1; page <= pages; page += 1) {
    const { width, height } = turnedSize(sizeOf(page), turn)
    const size = { width: Math.round(width * scale), height: Math.round(height * scale) }
    starts.push(top)
    sizes.push(size)
    top += size.height + GAP
  }
  const widest = sizes.reduce((most, { width }) => Math.max(most, width), 0)
  return { scale, starts, sizes, width: Math.max(room.width, widest + 2 * GAP), height: top }
}

const turnedSize = ({ width, height }: Size, turn: View['turn']): Size =>
  turn % 180 === 0 ? { width, height } : { width: height, height: width }

/** The page at `y`; the nearest one above or below all pages. */
export function pageAt({ starts }: Pick<Layout, 'starts'>, y: number): number {
  const after = starts.findIndex((start) => start > y)
  return after === -1 ? starts.length : Math.max(1, after)
}

export function anchorAt(layout: Layout, y: number): Anchor {
  const page = pageAt(layout, y)
  const height = layout.sizes[page - 1]?.height ?? 1
  return { page, into: (y - (layout.starts[page - 1] ?? 0)) / height }
}

export const heightOf = (layout: Layout, { page, into }: Anchor): number =>
  (layout.starts[page - 1] ?? 0) + into * (layout.sizes[page - 1]?.height ?? 0)

type PageBarProps = {
  readonly page: number
  readonly total: number
  readonly onPage: (page: number) => void
  readonly find: Find
}

/** Page number, buttons for the previous and next page, and the search in the document. */
function PageBar({ page, total, onPage, find }: PageBarProps) {
  const t = useTexts('messages')
  const { os } = useHost()
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape' && find.query !== '') find.setQuery('')
    // The field handles letters and arrows; Escape in an empty field closes the viewer.
    else if (event.key === 'Escape' || event.key === 'Tab' || event.ctrlKey || event.metaKey) return
    else {
      event.stopPropagation()
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const searched = find.query.trim() !== '' && !find.busy
  return (
    <div className={styles['bar']}>
      <IconButton
        icon="chevron-up"
        size="small"
        label={t('pdf.previous')}
        aria-disabled={page === 1}
        onClick={() => onPage(page - 1)}
      />
      <IconButton
        icon="chevron-down"
        size="small"
        label={t('pdf.next')}
        aria-disabled={page === total}
        onClick={() => onPage(page + 1)}
      />
      <span className={styles['count']}>{t('pdf.page', { page, total })}</span>
      <input
        className={styles['find']}
        type="search"
        data-find=""
        aria-label={t('pdf.find')}
        aria-keyshortcuts="Control+F"
        placeholder={`${t('pdf.find')} (${keysOf('Mod+F', os).join(' ')})`}
        autoComplete="off"
        maxLength={200}
        value={find.query}
        onChange={(event) => find.setQuery(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span role="status" className={styles['count']}>
        {!searched
          ? ''
          : find.hits.length === 0
            ? t('pdf.nothing')
            : t('pdf.hits', { at: find.at, total: find.hits.length })}
      </span>
      {find.hits.length < 2 ? null : (
        <>
          <IconButton icon="chevron-left" size="small" label={t('pdf.previousHit')} onClick={() => find.step(-1)} />
          <IconButton icon="chevron-right" size="small" label={t('pdf.nextHit')} onClick={() => find.step(1)} />
        </>
      )}
    </div>
  )
}
