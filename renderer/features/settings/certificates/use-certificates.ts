import { useEffect, useState } from 'react'
import type { Certificate, TrustedCertificate } from '#shared/domain/desktop/certificate.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import type { Result } from '#shared/lib/result.ts'
import { useRemark, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { askCertificates, readCertificates, removeCertificate, trustCertificates } from './commands.ts'
import { pemOf } from './pem.ts'

/** Below the bridge's limit; a certificate file has a few thousand bytes, a third more in base64. */
const MAX_BYTES = 300_000

type Chosen = { readonly text: string; readonly holds: readonly Certificate[] }

/** The additional certificate authorities, and the chosen file that is shown before it is trusted. */
export function useCertificates() {
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
