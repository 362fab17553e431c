import { useState, type RefObject, useEffect } from 'react'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useDelayed } from '../../../lib/time/clocks.ts'
import { useAppDispatch, useEngine } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Spinner } from '../../../ui/View/Spinner.tsx'
import { openFile, piecesOf } from '../../attachments/index.ts'
import type { Item } from '../gallery.ts'
import type { View, Size } from '../view.ts'
import { Pages } from './Pages.tsx'
import { type OpenPdf, type PdfProblem, PDF_PROBLEMS, type PdfDocument } from './port.ts'
import { loadCode } from '../../../lib/page/part.tsx'
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
      ) : (
        <Button onClick={() => void dispatch(openFile({ messageId: message.id, index: attachment.index }))}>
          {t('viewer.openWith')}
        </Button>
      )}
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
