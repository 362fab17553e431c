import { useEffect, useState } from 'react'
import { useEngine } from '../../../store/hooks.ts'
import { piecesOf } from '../../attachments/index.ts'
import type { Item } from '../gallery.ts'
import type { Size } from '../view.ts'
import { PAPER_PROBLEMS, type OpenPaper, type Paper, type PaperProblem } from './port.ts'

export type Opened =
  | { readonly state: 'opening' }
  | { readonly state: 'open'; readonly paper: Paper; readonly first: Size }
  | { readonly state: 'failed'; readonly problem: PaperProblem }

/** The reader's code is fetched from the bundle when the first PDF is looked at. */
export const openWhenWanted: OpenPaper = async (pieces) => (await import('./paper.ts')).openPaper(pieces)

/** A file opened as paper, as long as it is looked at. `attempt` is raised to try again. */
export function usePaper({ message, attachment }: Item, open: OpenPaper, attempt: number): Opened {
  const engine = useEngine()
  const [held, setHeld] = useState<{ readonly attempt: number; readonly opened: Opened }>()
  const { id: messageId } = message
  const { index } = attachment
  useEffect(() => {
    let live = true
    let paper: Paper | undefined
    const tryOpening = async (): Promise<Opened> => {
      try {
        paper = await open(piecesOf(engine, { messageId, index }))
        return { state: 'open', paper, first: await paper.size(1) }
      } catch (error) {
        const problem = PAPER_PROBLEMS.find((one) => one === (error as Error).message) ?? 'broken'
        return { state: 'failed', problem }
      }
    }
    const begin = async (): Promise<void> => {
      const opened = await tryOpening()
      if (live) setHeld({ attempt, opened })
      else paper?.close()
    }
    void begin()
    return () => {
      live = false
      paper?.close()
    }
  }, [engine, messageId, index, open, attempt])
  return held?.attempt === attempt ? held.opened : { state: 'opening' }
}
