import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useTexts } from '../i18n/index.ts'
import { Button } from '../ui/Button/Button.tsx'
import { Empty } from '../ui/View/Empty.tsx'
import styles from './layout/Frame.module.css'

/** Reloading cannot help here: the page's session key is no longer valid. */
const NEEDS_NEW_WINDOW: ReadonlySet<string> = new Set(['bridge/session', 'bridge/code'])

/** Full page: this window cannot connect to the engine. */
export function Refused({ error }: { readonly error: ErrorBody }) {
  const t = useTexts('common')
  const errorText = useErrorText()
  return (
    <main className={styles['start']}>
      <Empty
        scene="offline"
        title={t('refused.title')}
        action={
          NEEDS_NEW_WINDOW.has(error.code) ? undefined : (
            <Button variant="primary" onClick={() => location.reload()}>
              {t('tryAgain')}
            </Button>
          )
        }
      >
        {errorText(error)}
      </Empty>
    </main>
  )
}
