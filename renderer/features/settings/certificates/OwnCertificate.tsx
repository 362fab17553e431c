import { useRef, useEffect, useState } from 'react'
import type { ClientCertificate } from '#shared/domain/desktop/desktop.ts'
import { useFormats, useTexts, useRemark } from '../../../i18n/index.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import styles from '../Settings.module.css'
import { toBase64 } from '../../../lib/files/base64.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { AboutCertificate } from './Certificates.tsx'
import { askOwnCertificate, removeOwnCertificate, setOwnCertificate } from './commands.ts'

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
      {files.length === 0 ? null : <Chosen own={own} />}
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

function Chosen({ own }: { readonly own: ReturnType<typeof useOwnCertificate> }) {
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

/** Below the bridge's limit for each file. */
const MAX_BYTES = 300_000
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
