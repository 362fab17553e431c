import { useState, useEffect, useRef } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useTexts, useFormats } from '../../i18n/index.ts'
import { useAppDispatch, useHost } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { focusOnce } from '../../lib/page/focus.ts'
import { Segments } from '../../ui/Choice/Choice.tsx'
import { TextField } from '../../ui/Field/TextField.tsx'
import { dialogOpened } from '../../store/window/ui.ts'
import { connectHosted, timeServer } from './commands.ts'
import { FormHead } from './CreateWorkspaceForm.tsx'
import { useMinute } from '../../lib/time/clocks.ts'
import { fromBase64 } from '../../lib/files/base64.ts'
import type { PresetServer } from '#shared/domain/desktop/policies.ts'
import { announce } from '../../lib/page/announce.ts'
import { usePageInView } from '../../lib/page/environment.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Tag } from '../../ui/Mark/Pill.tsx'
import { Spinner } from '../../ui/View/Empty.tsx'
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
  'server/access-key': 'apiKey',
}

const fieldOf = (code: string, from: Values['from']): Field => FIELD_OF[code] ?? (from === 'guest' ? 'url' : from)

/** Connects to a hosted server with the values from its administrator. Errors are shown at their fields. */
export function ConnectForm({ url = '', onBack }: { readonly url?: string; readonly onBack: () => void }) {
  const t = useTexts('session')
  const form = useConnectForm(url)
  const { time } = form.answer
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
        end={<AnswerTag time={time} />}
        onChange={(url) => form.set({ url })}
      />
      <TextField
        label={t('hosted.apiKey')}
        mono
        autoComplete="off"
        spellCheck={false}
        value={form.values.apiKey}
        error={form.errors.apiKey}
        end={form.values.apiKey.trim() === '' ? undefined : <KeyTag time={time} />}
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
      <div className={styles['actions']}>
        <Button type="submit" variant="primary" size="large" block working={form.working}>
          {t('hosted.connect')}
        </Button>
        <Button size="large" working={time === 'asking'} onClick={() => void form.answer.test()}>
          {t('hosted.test')}
        </Button>
      </div>
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
  const answer = useAnswerTime(values.url, values.apiKey)
  const refuse = (error: ErrorBody): void => setErrors({ [fieldOf(error.code, values.from)]: error })
  const errorOf = (name: Field): string | undefined => {
    const fault = errors[name]
    return fault === undefined ? undefined : typeof fault === 'string' ? t(fault) : errorText(fault)
  }
  return {
    values,
    errors: { url: errorOf('url'), apiKey: errorOf('apiKey'), token: errorOf('token'), tokenUrl: errorOf('tokenUrl') },
    working,
    answer: {
      ...answer,
      async test(): Promise<void> {
        if (values.url.trim() === '') {
          setErrors({ url: 'hosted.urlMissing' })
          return
        }
        setErrors({})
        const refused = await answer.test()
        if (refused !== undefined) refuse(refused)
      },
    },
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

/** The user of a pasted token, shown before connecting; never the token itself. */
function TokenHint({ token }: { readonly token: string }) {
  const t = useTexts('session')
  const formats = useFormats()
  const now = useMinute()
  if (token.trim() === '') return t('hosted.tokenHint')
  const claims = parseToken(token)
  if (claims === undefined) return t('hosted.tokenNone')
  const { userId: id, endsAt } = claims
  if (id === undefined) return t('hosted.tokenNobody')
  if (endsAt !== undefined && endsAt <= now) return t('hosted.tokenOver', { id, time: formats.dayAndTime(endsAt) })
  return t('hosted.tokenFor', { id })
}

/** Claims of a pasted token, not verified. `endsAt`: epoch milliseconds. */
type TokenClaims = { readonly userId?: string; readonly endsAt?: number }

/** Parses the payload of a JWT; `undefined` if it is not one. */
function parseToken(token: string): TokenClaims | undefined {
  const [, payload, signature] = token.trim().split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const bytes = fromBase64(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof claims !== 'object' || claims === null) return undefined
    const { user_id: userId, exp } = claims as { user_id?: unknown; exp?: unknown }
    return {
      ...(typeof userId === 'string' && userId !== '' ? { userId } : {}),
      endsAt: typeof exp === 'number' && Number.isFinite(exp) ? exp * 1_000 : undefined,
    }
  } catch {
    // Not base64, or not JSON.
    return undefined
  }
}

/** Servers preset by the administrator of this device: a click fills in the address and the key. */
function PresetServers({ onChoose }: { readonly onChoose: (server: PresetServer) => void }) {
  const t = useTexts('desktop')
  const servers = useHost().managed?.values.ServerList ?? []
  if (servers.length === 0) return null
  return (
    <div role="group" aria-label={t('managed.policies.ServerList')}>
      {servers.map((server) => (
        <Button key={`${server.url} ${server.apiKey}`} icon="server" block onClick={() => onChoose(server)}>
          {server.name}
        </Button>
      ))}
    </div>
  )
}

/** `knowsKey`: meaningful only for the key that was sent. */
type AnswerTime = { readonly ms: number; readonly knowsKey: boolean } | 'asking' | 'none' | undefined

/** After the last letter, and from an answer to the next request. */
const PAUSE_MS = 600
const EVERY_MS = 5_000

/**
 * How fast the server at an address answers, measured whenever typing stops and again every few seconds while the page is
 * in view. `undefined` while there is no address that can be asked.
 */
function useAnswerTime(url: string, apiKey: string) {
  const t = useTexts('session')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const inView = usePageInView()
  const about = `${url.trim()} ${apiKey.trim()}`
  const [answer, setAnswer] = useState<{ readonly about: string; readonly time: AnswerTime }>()
  const latest = useRef(about)
  useEffect(() => void (latest.current = about), [about])
  const ask = async (): Promise<{ readonly time: AnswerTime; readonly error?: ErrorBody }> => {
    const timed = await dispatch(timeServer({ url: url.trim(), apiKey: apiKey.trim() }))
    const time = timed.ok ? timed.value : timed.error.code === 'session/unreachable' ? 'none' : undefined
    if (latest.current === about) setAnswer({ about, time })
    return timed.ok ? { time } : { time, error: timed.error }
  }
  const askNow = useRef(ask)
  useEffect(() => void (askNow.current = ask))
  const canAsk = /^https?:\/\/[^/]/i.test(url.trim()) && URL.canParse(url.trim())
  useEffect(() => {
    if (!canAsk || !inView) return undefined
    let timer = setTimeout(again, PAUSE_MS)
    let over = false
    async function again(): Promise<void> {
      await askNow.current()
      if (!over && latest.current === about) timer = setTimeout(again, EVERY_MS)
    }
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [about, canAsk, inView])
  return {
    time: answer?.about === about ? answer.time : undefined,
    /** Measures now, and says what came of it; resolves with why not, if the server can not be asked. */
    async test(): Promise<ErrorBody | undefined> {
      setAnswer({ about, time: 'asking' })
      const { time, error } = await ask()
      if (typeof time === 'object') announce(t('hosted.answers', { ms: formats.number(time.ms) }))
      return error
    },
  }
}

/** The time in the field of the address. Not a live region: it changes every few seconds. */
function AnswerTag({ time }: { readonly time: AnswerTime }) {
  const t = useTexts('session')
  const formats = useFormats()
  if (time === undefined) return null
  if (time === 'asking') return <Spinner size={14} />
  if (time === 'none') return <Tag tone="danger">{t('hosted.noAnswer')}</Tag>
  return (
    <Tag tone="success">
      <Icon name="check" size={12} />
      {t('hosted.answers', { ms: formats.number(time.ms) })}
    </Tag>
  )
}

/** In the field of the API key, when the server does not know it. */
function KeyTag({ time }: { readonly time: AnswerTime }) {
  const t = useTexts('session')
  return typeof time === 'object' && !time.knowsKey ? <Tag tone="warning">{t('hosted.keyUnknown')}</Tag> : null
}
