import { useRef } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { useSession } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, DialogText } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { useCopy } from './words.tsx'
import styles from './Integrations.module.css'

type Props = { readonly secret: string; readonly onClose: () => void }

/** Shows a new key, once: it is gone with the dialog. */
export function NewKeyDialog({ secret, onClose }: Props) {
  const t = useTexts('integrations')
  const copy = useCopy()
  const first = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      width={480}
      title={t('key.title')}
      initialFocus={first}
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('key.done')}
        </Button>
      }
    >
      <div className={styles['form']}>
        <DialogText>{t('key.once')}</DialogText>
        <div className={styles['secret']}>
          <TextField label={t('key.label')} mono readOnly value={secret} onChange={() => undefined} />
          <Button ref={first} icon="copy" onClick={() => void copy(secret, t('copy.key'))}>
            {t('copy.do')}
          </Button>
        </div>
        <Example />
      </div>
    </Dialog>
  )
}

/** How a script reads with a key. */
export function Example() {
  const t = useTexts('integrations')
  const url = useSession().workspace?.url ?? 'http://127.0.0.1'
  return (
    <pre className={styles['code']} dir="ltr" aria-label={t('key.example')}>
      {`curl -H "Authorization: Bearer $KEY" \\\n  ${url.replace(/\/$/, '')}/read/channels`}
    </pre>
  )
}
