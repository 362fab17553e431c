import type { Pieces } from '../../attachments/index.ts'
import type { Size, View } from '../view.ts'

/** Why there is no paper: its bytes cannot be had, a password keeps it, or it is no sound PDF. */
export const PAPER_PROBLEMS = ['gone', 'locked', 'broken'] as const
export type PdfProblem = (typeof PAPER_PROBLEMS)[number]

/**
 * A drawing under way. `done` answers the elements of the page's words, one for each piece of {@link PdfDocument.text}, and
 * rejects when it was cancelled or the page cannot be drawn.
 */
export type Drawing = { readonly done: Promise<readonly HTMLElement[]>; readonly cancel: () => void }

export type DrawInto = { readonly canvas: HTMLCanvasElement; readonly text: HTMLElement }

/** `scale`: CSS pixels for each point. `turn`: clockwise, beyond what the file says. */
export type DrawHow = { readonly scale: number; readonly turn: View['turn'] }

/** An open PDF. Pages count from 1; sizes are in points, upright as the file says. */
export type PdfDocument = {
  readonly pages: number
  size(page: number): Promise<Size>
  /** The words of a page in reading order, in the pieces that are drawn; a line's last piece ends with a line feed. */
  text(page: number): Promise<readonly string[]>
  draw(page: number, into: DrawInto, how: DrawHow): Drawing
  close(): void
}

/** Rejects with an error whose message is a {@link PdfProblem}. */
export type OpenPdf = (pieces: Pieces) => Promise<PdfDocument>
