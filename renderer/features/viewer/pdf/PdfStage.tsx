import {
  useState,
  type RefObject,
  useEffect,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  type KeyboardEvent,
  memo,
} from 'react'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useDelayed } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useEngine, useHost } from '../../../store/hooks.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Spinner } from '../../../ui/View/Empty.tsx'
import { loadCode } from '../../../lib/page/part.tsx'
import { announce } from '../../../lib/page/announce.ts'
import { keysOf } from '../../../lib/text/chords.ts'
import { openFile, opensElsewhere, piecesOf } from '../../attachments/index.ts'
import { type View, type Size, useRoom, type Item } from '../view.ts'
import type { OpenPdf, PdfDocument } from './pdf-document.ts'
import { useFind, type Find, type Hit, rangeOf } from './find.ts'
import viewer from '../Viewer.module.css'
import styles from './Pdf.module.css'

/** No loading text if the document opens sooner. */
const SPINNER_DELAY_MS = 150

type Props = {
  readonly item: Item
  readonly name: string
  readonly view: View
  readonly ref: RefObject<HTMLDivElement | null>
  readonly open?: OpenPdf
}

/** A PDF, rendered page by page, or the problem that prevents it. */
export function PdfStage({ item, name, view, ref, open = openPdfOnDemand }: Props) {
  const t = useTexts('messages')
  const [attempt, setAttempt] = useState(0)
  const opened = usePdf(item, open, attempt)
  const waiting = useDelayed(opened.state === 'opening', SPINNER_DELAY_MS)
  return (
    <div ref={ref} className={cx(viewer['stage'], styles['stage'])} aria-busy={opened.state === 'opening'}>
      {opened.state === 'open' ? (
        <Pages pdf={opened.pdf} first={opened.first} name={name} view={view} />
      ) : opened.state === 'failed' ? (
        <Problem problem={opened.problem} item={item} onRetry={() => setAttempt(attempt + 1)} />
      ) : waiting ? (
        <p className={styles['opening']} role="status">
          <Spinner size={20} />
          {t('pdf.opening')}
        </p>
      ) : null}
    </div>
  )
}

/** Why a PDF is not shown: its bytes cannot be loaded, it has a password, or it is damaged. */
const PDF_PROBLEMS = ['gone', 'locked', 'broken'] as const
type PdfProblem = (typeof PDF_PROBLEMS)[number]

type ProblemProps = { readonly problem: PdfProblem; readonly item: Item; readonly onRetry: () => void }

/** Why the document is not shown, and what to do. */
function Problem({ problem, item: { message, attachment }, onRetry }: ProblemProps) {
  const t = useTexts('messages')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  return (
    <div className={viewer['failed']} role="alert">
      <p className={styles['problem']}>
        {problem === 'gone' ? errorText({ code: 'data/file-gone' }) : t(`pdf.${problem}`)}
      </p>
      {problem === 'gone' ? (
        <Button onClick={onRetry}>{t('status.retry')}</Button>
      ) : opensElsewhere(attachment) ? (
        <Button onClick={() => void dispatch(openFile({ messageId: message.id, index: attachment.index }))}>
          {t('viewer.openWith')}
        </Button>
      ) : null}
    </div>
  )
}

type Opened =
  | { readonly state: 'opening' }
  | { readonly state: 'open'; readonly pdf: PdfDocument; readonly first: Size }
  | { readonly state: 'failed'; readonly problem: PdfProblem }

/** Loads the code of PDF.js when the first PDF is opened. */
const openPdfOnDemand: OpenPdf = async (pieces) => (await loadCode(() => import('./pdf-document.ts'))).openPdf(pieces)

/** An open PDF, closed on unmount. A higher `attempt` retries. */
function usePdf({ message, attachment }: Item, open: OpenPdf, attempt: number): Opened {
  const engine = useEngine()
  const [result, setResult] = useState<{ readonly attempt: number; readonly opened: Opened }>()
  const { id: messageId } = message
  const { index } = attachment
  useEffect(() => {
    let live = true
    let pdf: PdfDocument | undefined
    const tryOpening = async (): Promise<Opened> => {
      try {
        pdf = await open(piecesOf(engine, { messageId, index }))
        return { state: 'open', pdf, first: await pdf.size(1) }
      } catch (error) {
        const problem = PDF_PROBLEMS.find((one) => one === (error as Error).message) ?? 'broken'
        return { state: 'failed', problem }
      }
    }
    const begin = async (): Promise<void> => {
      const opened = await tryOpening()
      if (live) setResult({ attempt, opened })
      else pdf?.close()
    }
    void begin()
    return () => {
      live = false
      pdf?.close()
    }
  }, [engine, messageId, index, open, attempt])
  return result?.attempt === attempt ? result.opened : { state: 'opening' }
}

type PagesProps = { readonly pdf: PdfDocument; readonly first: Size; readonly name: string; readonly view: View }

/** The current page is the one at this fraction of the view's height. */
const LOOKED_AT = 0.35

/** All pages in one column; only those in view and near it are rendered. */
function Pages({ pdf, first, name, view }: PagesProps) {
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

type SheetProps = {
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
const Sheet = memo(function Sheet({ pdf, page, top, size, scale, turn, onSize, hits, current }: SheetProps) {
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
