import { useRef } from 'react'
import { useTexts } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { ManagedBy } from '../managed/ManagedBy.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { AboutCertificate } from './AboutCertificate.tsx'
import { useCertificates } from './use-certificates.ts'
import styles from '../Settings.module.css'

/** Certificate authorities trusted besides the system's. The content of a file is shown before it is trusted. */
export function Certificates() {
  const t = useTexts('desktop')
  const { trusted, chosen, fault, success, take, cancel, trust, remove } = useCertificates()
  return (
    <>
      <SettingRow title={t('certificates.title')} hint={t('certificates.hint')}>
        <FileButton onChosen={(file) => void take(file)} />
      </SettingRow>
      {fault === undefined ? null : (
        <p role="alert" className={styles['hint']}>
          {fault}
        </p>
      )}
      {chosen === undefined ? null : (
        <section ref={focusCard} tabIndex={-1} className={styles['card']} aria-label={t('certificates.inFile')}>
          <p className={styles['hint']}>{t('certificates.warning')}</p>
          {chosen.holds.map((one) => (
            <AboutCertificate key={one.fingerprint} of={one} />
          ))}
          <Button variant="primary" onClick={() => void trust()}>
            {t('certificates.trust', { count: chosen.holds.length })}
          </Button>
          <Button onClick={cancel}>{t('certificates.cancel')}</Button>
        </section>
      )}
      {trusted.length === 0 ? null : (
        <ul aria-label={t('certificates.title')}>
          {trusted.map((one) => (
            <li key={one.fingerprint} className={styles['card']}>
              <AboutCertificate of={one} />
              {one.by === 'policy' ? (
                <ManagedBy />
              ) : (
                <Button
                  size="small"
                  aria-label={t('certificates.removeOne', { name: one.subject })}
                  onClick={() => void remove(one)}
                >
                  {t('certificates.remove')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className={styles['said']} role="status">
        {success}
      </p>
    </>
  )
}

/** Scrolls to the card and focuses it, so that its content is read before a button is used. */
function focusCard(card: HTMLElement | null): void {
  card?.scrollIntoView({ block: 'nearest' })
  card?.focus({ preventScroll: true })
}

function FileButton({ onChosen }: { readonly onChosen: (file: File) => void }) {
  const t = useTexts('desktop')
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon="upload" onClick={() => field.current?.click()}>
        {t('certificates.choose')}
      </Button>
      <input
        ref={field}
        type="file"
        accept=".pem,.crt,.cer,.der,application/x-pem-file,application/x-x509-ca-cert"
        hidden
        aria-label={t('certificates.choose')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          currentTarget.value = ''
          if (file) onChosen(file)
        }}
      />
    </>
  )
}
