import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useTexts } from '../i18n/index.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import styles from './layout/Frame.module.css'

/** Full page: this window cannot talk to Parlor. */
export function Refused({ error }: { readonly error: ErrorBody }) {
  const t = useTexts('common')
  const errorText = useErrorText()
  return (
    <main className={styles['start']}>
      <Empty
        scene="offline"
        title={t('refused.title')}
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            {t('tryAgain')}
          </Button>
        }
      >
        {errorText(error)}
      </Empty>
    </main>
  )
}
