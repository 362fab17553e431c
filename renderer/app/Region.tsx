import type { ReactNode } from 'react'
import { useTexts } from '../i18n/index.ts'
import { useEngine } from '../store/hooks.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'

type Props = { readonly where: string; readonly resetKey?: string; readonly children: ReactNode }

/** A part of the window that may fail on its own. */
export function Region({ where, resetKey, children }: Props) {
  const engine = useEngine()
  const t = useTexts('common')
  const log = (at: string, message: string): void => {
    engine.app.logFailure({ where: at, message }).catch(() => {
      // Nobody is left to tell: the boundary's own words are on screen.
    })
  }
  return (
    <ErrorBoundary
      where={where}
      onFailure={log}
      {...(resetKey === undefined ? {} : { resetKey })}
      fallback={(retry) => (
        <Empty scene="chat" title={t('broken.title')} action={<Button onClick={retry}>{t('tryAgain')}</Button>}>
          {t('broken.text')}
        </Empty>
      )}
    >
      {children}
    </ErrorBoundary>
  )
}
