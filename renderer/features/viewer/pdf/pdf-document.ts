import {
  getDocument,
  PDFDataRangeTransport,
  PDFWorker,
  TextLayer,
  version,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist'
import { bytesOf, type Pieces } from '../../attachments/index.ts'
import type { Size, View } from '../view.ts'

/**
 * A render in progress. `done` resolves with the elements of the text layer, one for each piece of
 * {@link PdfDocument.text}, and rejects when it was canceled or failed.
 */
type Drawing = { readonly done: Promise<readonly HTMLElement[]>; readonly cancel: () => void }

type DrawInto = { readonly canvas: HTMLCanvasElement; readonly text: HTMLElement }

/** `scale`: CSS pixels per point. `turn`: clockwise, in addition to the rotation of the page. */
type DrawHow = { readonly scale: number; readonly turn: View['turn'] }

/** An open PDF. Pages count from 1; sizes are in points, with the rotation of the file. */
export type PdfDocument = {
  readonly pages: number
  size(page: number): Promise<Size>
  /** The text of a page in reading order, in the pieces of the text layer; the last piece of a line ends with a line feed. */
  text(page: number): Promise<readonly string[]>
  draw(page: number, into: DrawInto, how: DrawHow): Drawing
  close(): void
}

/** Rejects with an error whose message is why: `gone`, `locked` or `broken`. */
export type OpenPdf = (pieces: Pieces) => Promise<PdfDocument>

/** Maximum size of an image in a PDF, the same as for images in messages. */
const MAX_IMAGE_PIXELS = 50_000_000
/** Maximum size of a canvas; a page zoomed further is slightly blurred. */
const MAX_CANVAS_PIXELS = 16_000_000
/** Four bytes each. */
const MAX_CANVAS_BYTES = MAX_CANVAS_PIXELS * 4
/** Size of one read: only the parts needed for the visible pages are read, not the whole file. */
const PIECE_BYTES = 262_144

/**
 * Opens a PDF with PDF.js in this window: its worker would need a Trusted Types policy, and the page allows none (ADR 20).
 * Nothing in the file can run or load anything: there is no layer of links and forms, no script engine, no XFA, and the
 * page's CSP forbids requests, eval and wasm.
 */
export const openPdf: OpenPdf = async (pieces) => {
  // If the worker module is loaded, PDF.js runs it in this thread instead of starting a worker.
  await import('pdfjs-dist/build/pdf.worker.min.mjs')
  const worker = PDFWorker.create({})
  let task: PDFDocumentLoadingTask | undefined
  const close = (): void => {
    void task?.destroy().catch(() => undefined)
    worker.destroy()
  }
  try {
    const transport = new Transport(pieces, await pieces.sizeBytes())
    task = getDocument({
      worker,
      range: transport,
      rangeChunkSize: PIECE_BYTES,
      disableAutoFetch: true,
      disableStream: true,
      disableWorkerRendering: true,
      useWasm: false,
      useWorkerFetch: false,
      enableXfa: false,
      stopAtErrors: false,
      maxImageSize: MAX_IMAGE_PIXELS,
      canvasMaxAreaInBytes: MAX_CANVAS_BYTES,
      useSystemFonts: true,
      BinaryDataFactory: OwnData,
      wasmUrl: new URL(`/assets/pdf-${version}/`, location.href).href,
      verbosity: 0,
    })
    const lost = transport.lost.then(() => Promise.reject(new Error('gone')))
    const file = await Promise.race([task.promise, lost])
    // Pages that are not rendered by then show an error.
    void transport.lost.then(close)
    return pdfOf(file, close)
  } catch (error) {
    close()
    throw problemOf(error)
  }
}

/** Provides PDF.js with the byte ranges it requests. */
class Transport extends PDFDataRangeTransport {
  /** Resolves when a read fails. */
  readonly lost: Promise<void>
  readonly #pieces: Pieces
  #lose: () => void = () => undefined

  constructor(pieces: Pieces, sizeBytes: number) {
    super(sizeBytes, null)
    this.#pieces = pieces
    this.lost = new Promise((resolve) => {
      this.#lose = resolve
    })
  }

  override requestDataRange(begin: number, end: number): void {
    this.#pieces.read(begin, end).then(
      (bytes) => this.onDataRange(begin, bytes),
      () => this.#lose(),
    )
  }
}

/** Character maps and fonts that a file uses but does not embed, loaded from the bundle on demand. */
class OwnData {
  readonly fetch = async ({
    kind,
    filename,
  }: {
    readonly kind: string
    readonly filename: string
  }): Promise<Uint8Array> => {
    const files = kind === 'cMapUrl' ? (await import('./cmaps.ts')).cmaps : (await import('./fonts.ts')).fonts
    const found = files[filename]
    if (found === undefined) throw new Error(`nothing here is called ${filename}`)
    return bytesOf(found.slice(found.indexOf(',') + 1))
  }
}

const PROBLEMS: Readonly<Record<string, string>> = { PasswordException: 'locked' }

function problemOf(error: unknown): Error {
  const { name, message } = error as Error
  return new Error(message === 'gone' ? 'gone' : (PROBLEMS[name] ?? 'broken'), { cause: error })
}

function pdfOf(file: PDFDocumentProxy, close: () => void): PdfDocument {
  return {
    pages: file.numPages,
    close,
    async size(page) {
      const { width, height } = (await file.getPage(page)).getViewport({ scale: 1 })
      return { width, height }
    },
    async text(page) {
      const { items } = await (await file.getPage(page)).getTextContent()
      return items.flatMap((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : []))
    },
    draw: (page, into, how) => draw(file.getPage(page), into, how),
  }
}

function draw(page: Promise<PDFPageProxy>, into: DrawInto, { scale, turn }: DrawHow): Drawing {
  let cancelled = false
  let stop: (() => void) | undefined
  const run = async (): Promise<readonly HTMLElement[]> => {
    const sheet = await page
    if (cancelled) throw new Error('cancelled')
    const rotation = (sheet.rotate + turn) % 360
    const shown = sheet.getViewport({ scale, rotation })
    const fine = fineness(shown)
    const viewport = sheet.getViewport({ scale: scale * fine, rotation })
    into.canvas.width = Math.floor(viewport.width)
    into.canvas.height = Math.floor(viewport.height)
    const picture = sheet.render({ canvas: into.canvas, viewport })
    into.text.replaceChildren()
    into.text.style.setProperty('--total-scale-factor', String(scale))
    const text = new TextLayer({
      textContentSource: sheet.streamTextContent(),
      container: into.text,
      viewport: shown,
    })
    stop = () => {
      picture.cancel()
      text.cancel()
    }
    await Promise.all([picture.promise, text.render()])
    return text.textDivs
  }
  return {
    done: run(),
    cancel: () => {
      cancelled = true
      stop?.()
    },
  }
}

/** Device pixels per CSS pixel, within the maximum size of a canvas. */
const fineness = ({ width, height }: Size): number =>
  Math.min(globalThis.devicePixelRatio || 1, Math.sqrt(MAX_CANVAS_PIXELS / (width * height)))
