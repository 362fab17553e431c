import { useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { focusOnce } from '../../lib/page/focus.ts'
import { Segments } from '../../ui/Choice/Segments.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { dialogOpened } from '../../store/window/ui.ts'
import { connectHosted } from './commands.ts'
import { FormHead } from './FormHead.tsx'
import { PresetServers } from './PresetServers.tsx'
import { TokenHint } from './TokenHint.tsx'
import styles from './Onboarding.module.css'

type Field = 'url' | 'apiKey' | 'token' | 'tokenUrl'
/** An error code instead of a text, because the language can be changed on this screen. */
type Fault = ErrorBody | 'hosted.urlMissing' | 'hosted.apiKeyMissing'
type Errors = { readonly [Name in Field]?: Fault }

type Values = Record<Field, string> & { readonly from: 'token' | 'tokenUrl' | 'guest' }

/** The field that an error belongs to; others are shown under the token, next to the button. */
const FIELD_OF: Readonly<Record<string, Field>> = {
  'session/invalid-url': 'url',
  'session/unreachable': 'url',
  'api/access-key': 'apiKey',
}

const fieldOf = (code: string, from: Values['from']): Field => FIELD_OF[code] ?? (from === 'guest' ? 'url' : from)

/** Connects to a hosted server with the values from its administrator. Errors are shown at their fields. */
export function ConnectForm({ url = '', onBack }: { readonly url?: string | undefined; readonly onBack: () => void }) {
  const t = useTexts('session')
  const form = useConnectForm(url)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <FormHead title={t('hosted.formTitle')} lead={t('hosted.lead')} onBack={onBack} />
      <PresetServers onChoose={({ url, apiKey }) => form.set({ url, apiKey })} />
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
      <p className={styles['over']} aria-hidden="true">
        {t('hosted.tokenFrom')}
      </p>
      <Segments
        label={t('hosted.tokenFrom')}
        block
        value={form.values.from}
        onChange={(from) => form.set({ from })}
        choices={[
          { value: 'token', label: t('hosted.token') },
          { value: 'tokenUrl', label: t('hosted.tokenUrl') },
          { value: 'guest', label: t('hosted.guest') },
        ]}
      />
      {form.values.from === 'guest' ? (
        <p className={styles['checked']}>{t('hosted.guestHint')}</p>
      ) : (
        <TokenField form={form} />
      )}
      <Button type="submit" variant="primary" size="large" block working={form.working}>
        {t('hosted.connect')}
      </Button>
      {form.values.from === 'guest' ? null : <p className={styles['checked']}>{t('hosted.checked')}</p>}
      <Button variant="link" onClick={form.openNetwork}>
        {t('hosted.network')}
      </Button>
    </form>
  )
}

/** A token, or the URL of a token provider. */
function TokenField({ form }: { readonly form: ReturnType<typeof useConnectForm> }) {
  const t = useTexts('session')
  const { values, errors } = form
  const plain = { mono: true, autoComplete: 'off', spellCheck: false } as const
  return values.from === 'token' ? (
    <TextField
      {...plain}
      label={t('hosted.token')}
      type="password"
      hint={<TokenHint token={values.token} />}
      value={values.token}
      error={errors.token}
      onChange={(token) => form.set({ token })}
    />
  ) : (
    <TextField
      {...plain}
      label={t('hosted.tokenUrl')}
      type="url"
      placeholder="https://"
      hint={t('hosted.tokenUrlHint')}
      value={values.tokenUrl}
      error={errors.tokenUrl}
      onChange={(tokenUrl) => form.set({ tokenUrl })}
    />
  )
}

function useConnectForm(url: string) {
  const t = useTexts('session')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const [values, setValues] = useState<Values>({ url, apiKey: '', token: '', tokenUrl: '', from: 'token' })
  const [errors, setErrors] = useState<Errors>({})
  const [working, setWorking] = useState(false)
  const refuse = (error: ErrorBody): void => setErrors({ [fieldOf(error.code, values.from)]: error })
  const said = (name: Field): string | undefined => {
    const fault = errors[name]
    return fault === undefined ? undefined : typeof fault === 'string' ? t(fault) : errorText(fault)
  }
  return {
    values,
    errors: { url: said('url'), apiKey: said('apiKey'), token: said('token'), tokenUrl: said('tokenUrl') },
    working,
    openNetwork: () => dispatch(dialogOpened({ kind: 'network' })),
    set(change: Partial<Values>): void {
      setValues({ ...values, ...change })
      setErrors({})
    },
    async submit(): Promise<void> {
      const url = values.url.trim()
      if (url === '') {
        setErrors({ url: 'hosted.urlMissing' })
        return
      }
      if (values.apiKey.trim() === '') {
        setErrors({ apiKey: 'hosted.apiKeyMissing' })
        return
      }
      setWorking(true)
      const { from } = values
      const proof = from === 'guest' ? { guest: true } : { [from]: values[from].trim() }
      const connected = await dispatch(connectHosted({ url, apiKey: values.apiKey.trim(), ...proof }))
      setWorking(false)
      if (!connected.ok) refuse(connected.error)
    },
  }
}
