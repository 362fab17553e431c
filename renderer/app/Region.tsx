import type { ReactNode } from 'react'
import { HostSuspense } from '../features/connection/index.ts'
import { useTexts } from '../i18n/index.ts'
import { useEngine } from '../store/hooks.ts'
import { Button } from '../ui/Button/Button.tsx'
import { Empty } from '../ui/View/Empty.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'

type Props = {
  readonly where: string
  /** Remounts the region when it changes. */
  readonly resetKey?: string
  readonly children: ReactNode
}

/** A part of the window with its own error boundary and its own fallback while its code is loading. */
export function Region({ where, resetKey = where, children }: Props) {
  const engine = useEngine()
  const log = (at: string, message: string): void => {
    engine.app.logFailure({ where: at, message }).catch(() => {
      // The log is unreachable too; the boundary already shows the error on screen.
    })
  }
  return (
    <ErrorBoundary key={resetKey} where={where} onFailure={log} fallback={Broken}>
      <HostSuspense>{children}</HostSuspense>
    </ErrorBoundary>
  )
}

function Broken({ onRetry }: { readonly onRetry: () => void }) {
  const t = useTexts('common')
  return (
    <Empty scene="chat" title={t('broken.title')} action={<Button onClick={onRetry}>{t('tryAgain')}</Button>}>
      {t('broken.text')}
    </Empty>
  )
}
