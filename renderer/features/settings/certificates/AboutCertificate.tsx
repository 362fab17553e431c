import type { Certificate } from '#shared/domain/desktop/certificate.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/use-minute.ts'
import styles from '../Settings.module.css'

/** Subject, issuer, validity and fingerprint of a certificate. */
export function AboutCertificate({ of: { subject, issuer, validTo, fingerprint } }: { readonly of: Certificate }) {
  const t = useTexts('desktop')
  const formats = useFormats()
  const now = useMinute()
  const date = formats.date(validTo, now)
  return (
    <div className={styles['text']}>
      <div className={styles['name']}>
        <bdi>{subject}</bdi>
      </div>
      <div className={styles['hint']}>
        {subject === issuer ? t('certificates.byItself') : t('certificates.issuer', { name: issuer })}{' '}
        {validTo < now ? t('certificates.ended', { date }) : t('certificates.until', { date })}
      </div>
      <div className={styles['hint']}>
        {t('certificates.fingerprint')} <code className={styles['code']}>{fingerprint}</code>
      </div>
    </div>
  )
}
