import { useEffect, useState } from 'react'
import { fetchCode } from '../../../lib/page/part.tsx'
import { useEngine } from '../../../store/hooks.ts'
import { piecesOf } from '../../attachments/index.ts'
import type { Item } from '../gallery.ts'
import type { Size } from '../view.ts'
import { PAPER_PROBLEMS, type OpenPdf, type PdfDocument, type PdfProblem } from './port.ts'

type Opened =
  | { readonly state: 'opening' }
  | { readonly state: 'open'; readonly pdf: PdfDocument; readonly first: Size }
  | { readonly state: 'failed'; readonly problem: PdfProblem }

/** Loads the code of PDF.js when the first PDF is opened. */
export const openWhenWanted: OpenPdf = async (pieces) =>
  (await fetchCode(() => import('./pdf-document.ts'))).openPdf(pieces)

/** An open PDF, closed on unmount. A higher `attempt` retries. */
export function usePdf({ message, attachment }: Item, open: OpenPdf, attempt: number): Opened {
  const engine = useEngine()
  const [held, setHeld] = useState<{ readonly attempt: number; readonly opened: Opened }>()
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
        const problem = PAPER_PROBLEMS.find((one) => one === (error as Error).message) ?? 'broken'
        return { state: 'failed', problem }
      }
    }
    const begin = async (): Promise<void> => {
      const opened = await tryOpening()
      if (live) setHeld({ attempt, opened })
      else pdf?.close()
    }
    void begin()
    return () => {
      live = false
      pdf?.close()
    }
  }, [engine, messageId, index, open, attempt])
  return held?.attempt === attempt ? held.opened : { state: 'opening' }
}
