import { useState, type RefObject } from 'react'
import { useErrorText, useTexts } from '../../../i18n/index.ts'
import { cx } from '../../../lib/cx.ts'
import { useDelayed } from '../../../lib/time/use-delayed.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Spinner } from '../../../ui/View/Spinner.tsx'
import { openFile } from '../../attachments/index.ts'
import type { Item } from '../gallery.ts'
import type { View } from '../view.ts'
import { Pages } from './Pages.tsx'
import type { OpenPdf, PdfProblem } from './port.ts'
import { openWhenWanted, usePdf } from './use-pdf.ts'
import viewer from '../Viewer.module.css'
import styles from './Pdf.module.css'

/** No loading text if the document opens sooner. */
const PATIENCE_MS = 150

type Props = {
  readonly item: Item
  readonly name: string
  readonly view: View
  readonly ref: RefObject<HTMLDivElement | null>
  readonly open?: OpenPdf
}

/** A PDF, rendered page by page, or the problem that prevents it. */
export function PdfStage({ item, name, view, ref, open = openWhenWanted }: Props) {
  const t = useTexts('messages')
  const [attempt, setAttempt] = useState(0)
  const opened = usePdf(item, open, attempt)
  const waiting = useDelayed(opened.state === 'opening', PATIENCE_MS)
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
