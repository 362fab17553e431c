import { useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button.tsx'
import { focusOnce } from '../../lib/focus.ts'
import { TextField } from '../../ui/TextField.tsx'
import { connectHosted } from './commands.ts'
import { FormHead } from './FormHead.tsx'

type Field = 'url' | 'apiKey' | 'token'
type Errors = { readonly [Name in Field]?: string }

/** Under which field a refusal belongs; the rest stands under the token, next to the button. */
const FIELD_OF: Readonly<Record<string, Field>> = {
  'session/invalid-url': 'url',
  'session/unreachable': 'url',
  'api/access-key': 'apiKey',
}

/** Any server of the contract, with the values its owner gives. Errors stand where they belong. */
export function ConnectForm({ onBack }: { readonly onBack: () => void }) {
  const t = useTexts('session')
  const form = useConnectForm()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <FormHead title={t('hosted.formTitle')} lead={t('hosted.lead')} onBack={onBack} />
      <TextField
        label={t('hosted.url')}
        mono
        type="url"
        ref={focusOnce}
        autoComplete="url"
        spellCheck={false}
        placeholder="https://"
        value={form.values.url}
        error={form.errors.url}
        onChange={(url) => form.set({ url })}
      />
      <TextField
        label={t('hosted.apiKey')}
        mono
        autoComplete="off"
        spellCheck={false}
        value={form.values.apiKey}
        error={form.errors.apiKey}
        onChange={(apiKey) => form.set({ apiKey })}
      />
      <TextField
        label={t('hosted.token')}
        mono
        type="password"
        autoComplete="off"
        spellCheck={false}
        hint={t('hosted.tokenHint')}
        value={form.values.token}
        error={form.errors.token}
        onChange={(token) => form.set({ token })}
      />
      <Button type="submit" variant="primary" size="large" block working={form.working}>
        {t('hosted.connect')}
      </Button>
    </form>
  )
}

function useConnectForm() {
  const t = useTexts('session')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const [values, setValues] = useState({ url: '', apiKey: '', token: '' })
  const [errors, setErrors] = useState<Errors>({})
  const [working, setWorking] = useState(false)
  const refuse = (error: ErrorBody): void => setErrors({ [FIELD_OF[error.code] ?? 'token']: errorText(error) })
  return {
    values,
    errors,
    working,
    set(change: Partial<typeof values>): void {
      setValues({ ...values, ...change })
      setErrors({})
    },
    async submit(): Promise<void> {
      const url = values.url.trim()
      if (url === '') {
        setErrors({ url: t('hosted.urlMissing') })
        return
      }
      if (values.apiKey.trim() === '') {
        setErrors({ apiKey: t('hosted.apiKeyMissing') })
        return
      }
      setWorking(true)
      const connected = await dispatch(connectHosted({ url, apiKey: values.apiKey.trim(), token: values.token.trim() }))
      setWorking(false)
      if (!connected.ok) refuse(connected.error)
    },
  }
}
