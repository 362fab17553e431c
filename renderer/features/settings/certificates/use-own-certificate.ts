import { useEffect, useState } from 'react'
import type { ClientCertificate } from '#shared/domain/desktop/certificate.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { toBase64 } from '../../../lib/files/base64.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { askOwnCertificate, removeOwnCertificate, setOwnCertificate } from './commands.ts'

/** Below the bridge's limit for each file. */
const MAX_BYTES = 300_000
/** A certificate and its key. */
const MAX_FILES = 2

/** The user's client certificate for one server, and the files chosen to replace it. */
export function useOwnCertificate(firstHost: string) {
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
