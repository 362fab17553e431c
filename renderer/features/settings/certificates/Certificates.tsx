import { useRef, useEffect, useState } from 'react'
import type { Certificate, TrustedCertificate, ClientCertificate } from '#shared/domain/desktop/desktop.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { useTexts, useFormats, useRemark } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { command } from '../../../store/command.ts'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { toBase64 } from '../../../lib/files/base64.ts'
import { SettingRow, ManagedBy } from '../controls/SettingRow.tsx'
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

/** Subject, issuer, validity and fingerprint of a certificate. */
function AboutCertificate({ of: { subject, issuer, validTo, fingerprint } }: { readonly of: Certificate }) {
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

/** First byte of a DER file: an ASN.1 SEQUENCE. */
const ASN1_SEQUENCE = 0x30

/** The content of a PEM or DER file as PEM. */
function pemOf(bytes: Uint8Array): string {
  if (bytes[0] !== ASN1_SEQUENCE) return new TextDecoder().decode(bytes)
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`
}

/** Below the bridge's limit; a certificate file has a few thousand bytes, a third more in base64. */
const MAX_BYTES = 300_000

type Chosen = { readonly text: string; readonly holds: readonly Certificate[] }

/** The additional certificate authorities, and the chosen file that is shown before it is trusted. */
function useCertificates() {
  const t = useTexts('desktop')
  const dispatch = useAppDispatch()
  const [trusted, setTrusted] = useState<readonly TrustedCertificate[]>([])
  const [chosen, setChosen] = useState<Chosen>()
  const fault = useRemark((own: 'tooLarge') => t(`certificates.${own}`))
  const success = useRemark((own: 'trusted' | { readonly removed: string }) =>
    own === 'trusted' ? t('certificates.trusted') : t('certificates.removed', { name: own.removed }),
  )
  useEffect(() => {
    void dispatch(askCertificates(undefined)).then((answer) => answer.ok && setTrusted(answer.value))
  }, [dispatch])

  function begin(): void {
    setChosen(undefined)
    fault.clear()
    success.clear()
  }
  async function take(file: File): Promise<void> {
    begin()
    if (file.size > MAX_BYTES) return fault.show('tooLarge')
    const text = pemOf(new Uint8Array(await file.arrayBuffer()))
    const answer = await dispatch(readCertificates({ text }))
    if (answer.ok) setChosen({ text, holds: answer.value })
    else fault.refuse(answer.error)
  }
  function apply(
    answer: Result<readonly TrustedCertificate[], ErrorBody>,
    done: Parameters<typeof success.show>[0],
  ): void {
    if (!answer.ok) return fault.refuse(answer.error)
    setTrusted(answer.value)
    setChosen(undefined)
    success.show(done)
  }
  return {
    trusted,
    chosen,
    fault: fault.text,
    success: success.text,
    take,
    cancel: begin,
    trust: async (): Promise<void> => {
      if (chosen) apply(await dispatch(trustCertificates({ text: chosen.text })), 'trusted')
    },
    remove: async ({ fingerprint, subject }: Certificate): Promise<void> => {
      begin()
      apply(await dispatch(removeCertificate({ fingerprint })), { removed: subject })
    },
  }
}

const askCertificates = command('certificates/asked', (_input: undefined, engine) => engine.certificates.list(), {
  quiet: true,
})
/** Errors of all of these are shown beside their buttons. */
const readCertificates = command(
  'certificates/read',
  (input: { readonly text: string }, engine) => engine.certificates.read(input),
  { quiet: true },
)
const trustCertificates = command(
  'certificates/trusted',
  (input: { readonly text: string }, engine) => engine.certificates.trust(input),
  { quiet: true },
)
const removeCertificate = command(
  'certificates/removed',
  (input: { readonly fingerprint: string }, engine) => engine.certificates.remove(input),
  { quiet: true },
)

const askOwnCertificate = command('certificates/ownAsked', (_input: undefined, engine) => engine.certificates.own(), {
  quiet: true,
})
const setOwnCertificate = command(
  'certificates/ownSet',
  (input: { readonly host: string; readonly files: string[]; readonly passphrase: string }, engine) =>
    engine.certificates.setOwn(input),
  { quiet: true },
)
const removeOwnCertificate = command(
  'certificates/ownRemoved',
  (_input: undefined, engine) => engine.certificates.removeOwn(),
  { quiet: true },
)

/** The user's client certificate for a server that requires one. */
export function OwnCertificate({ firstHost }: { readonly firstHost: string }) {
  const t = useTexts('desktop')
  const own = useOwnCertificate(firstHost)
  const { held, files } = own
  return (
    <>
      <SettingRow title={t('identity.title')} hint={t('identity.hint')}>
        {held === undefined ? <FilesButton onChosen={own.choose} /> : null}
      </SettingRow>
      {held === undefined ? null : (
        <div className={styles['card']}>
          <AboutCertificate of={held} />
          <p className={styles['hint']}>{t('identity.for', { host: held.host })}</p>
          <Button size="small" onClick={() => void own.remove()}>
            {t('identity.remove')}
          </Button>
        </div>
      )}
      {files.length === 0 ? null : <ChosenIdentity own={own} />}
      {own.fault === undefined ? null : (
        <p role="alert" className={styles['hint']}>
          {own.fault}
        </p>
      )}
      <p className={styles['said']} role="status">
        {own.success}
      </p>
    </>
  )
}

function ChosenIdentity({ own }: { readonly own: ReturnType<typeof useOwnCertificate> }) {
  const t = useTexts('desktop')
  const formats = useFormats()
  const plain = { autoComplete: 'off', spellCheck: false } as const
  return (
    <form
      className={styles['card']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void own.use()
      }}
    >
      <p className={styles['hint']}>
        {t('identity.chosen', { names: formats.list(own.files.map(({ name }) => name)) })}
      </p>
      <TextField
        {...plain}
        mono
        label={t('identity.host')}
        hint={t('identity.hostHint')}
        value={own.host}
        onChange={own.setHost}
      />
      <TextField
        {...plain}
        type="password"
        label={t('identity.passphrase')}
        hint={t('identity.passphraseHint')}
        value={own.passphrase}
        onChange={own.setPassphrase}
      />
      <Button type="submit" variant="primary">
        {t('identity.use')}
      </Button>
      <Button onClick={() => own.choose([])}>{t('certificates.cancel')}</Button>
    </form>
  )
}

function FilesButton({ onChosen }: { readonly onChosen: (files: readonly File[]) => void }) {
  const t = useTexts('desktop')
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon="upload" onClick={() => field.current?.click()}>
        {t('identity.choose')}
      </Button>
      <input
        ref={field}
        type="file"
        multiple
        accept=".p12,.pfx,.pem,.crt,.cer,.key,application/x-pkcs12,application/x-pem-file"
        hidden
        aria-label={t('identity.chooseHint')}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          if (files.length > 0) onChosen(files)
        }}
      />
    </>
  )
}

/** A certificate and its key. */
const MAX_FILES = 2

/** The user's client certificate for one server, and the files chosen to replace it. */
function useOwnCertificate(firstHost: string) {
  const t = useTexts('desktop')
  const dispatch = useAppDispatch()
  const [held, setHeld] = useState<ClientCertificate>()
  const [host, setHost] = useState(firstHost)
  const [files, setFiles] = useState<readonly File[]>([])
  const [passphrase, setPassphrase] = useState('')
  const fault = useRemark<'tooLarge'>((own) => t(`identity.${own}`))
  const success = useRemark<'used' | 'removed'>((own) => t(`identity.${own}`))
  useEffect(() => {
    void dispatch(askOwnCertificate(undefined)).then((answer) => answer.ok && setHeld(answer.value.certificate))
  }, [dispatch])

  function choose(chosen: readonly File[]): void {
    success.clear()
    fault.clear()
    const isTooMuch = chosen.length > MAX_FILES || chosen.some(({ size }) => size > MAX_BYTES)
    if (isTooMuch) fault.show('tooLarge')
    setFiles(isTooMuch ? [] : chosen)
  }
  async function use(): Promise<void> {
    const bytes = await Promise.all(files.map(async (file) => toBase64(new Uint8Array(await file.arrayBuffer()))))
    const answer = await dispatch(setOwnCertificate({ host, files: bytes, passphrase }))
    if (!answer.ok) return fault.refuse(answer.error)
    setHeld(answer.value)
    setFiles([])
    setPassphrase('')
    fault.clear()
    success.show('used')
  }
  async function remove(): Promise<void> {
    const answer = await dispatch(removeOwnCertificate(undefined))
    if (!answer.ok) return fault.refuse(answer.error)
    setHeld(undefined)
    success.show('removed')
  }
  return {
    held,
    host,
    setHost,
    files,
    choose,
    passphrase,
    setPassphrase,
    fault: fault.text,
    success: success.text,
    use,
    remove,
  }
}
