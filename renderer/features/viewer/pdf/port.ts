import type { Pieces } from '../../attachments/index.ts'
import type { Size, View } from '../view.ts'

/** Why a PDF is not shown: its bytes cannot be loaded, it has a password, or it is damaged. */
export const PDF_PROBLEMS = ['gone', 'locked', 'broken'] as const
export type PdfProblem = (typeof PDF_PROBLEMS)[number]

/**
 * A render in progress. `done` resolves with the elements of the text layer, one for each piece of
 * {@link PdfDocument.text}, and rejects when it was canceled or failed.
 */
export type Drawing = { readonly done: Promise<readonly HTMLElement[]>; readonly cancel: () => void }

export type DrawInto = { readonly canvas: HTMLCanvasElement; readonly text: HTMLElement }

/** `scale`: CSS pixels per point. `turn`: clockwise, in addition to the rotation of the page. */
export type DrawHow = { readonly scale: number; readonly turn: View['turn'] }

/** An open PDF. Pages count from 1; sizes are in points, with the rotation of the file. */
export type PdfDocument = {
  readonly pages: number
  size(page: number): Promise<Size>
  /** The text of a page in reading order, in the pieces of the text layer; the last piece of a line ends with a line feed. */
  text(page: number): Promise<readonly string[]>
  draw(page: number, into: DrawInto, how: DrawHow): Drawing
  close(): void
}

/** Rejects with an error whose message is a {@link PdfProblem}. */
export type OpenPdf = (pieces: Pieces) => Promise<PdfDocument>
