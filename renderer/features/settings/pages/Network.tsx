import { useState } from 'react'
import type { Settings } from '#shared/domain/settings.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useTexts, useErrorText, useFormats } from '../../../i18n/index.ts'
import { useAppDispatch, useSession, useSettings } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { Segments } from '../../../ui/Choice/Choice.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Certificates, OwnCertificate } from '../certificates/Certificates.tsx'
import { SettingRow } from '../controls/SettingRow.tsx'
import { saveProxyPassword, testNetwork, updateProxy } from '../commands.ts'
import styles from '../Settings.module.css'

/** Proxy and certificates for remote servers. The local server does not use them. */
export function Network() {
  const t = useTexts('settings')
  const workspace = useSession().workspace
  const form = useNetworkForm(workspace?.kind === 'hosted' ? (workspace.url ?? '') : 'https://')
  return (
    <>
      <SettingRow title={t('network.way')} hint={t(`network.hints.${form.proxy.proxyMode}`)}>
        <Segments
          label={t('network.way')}
          value={form.proxy.proxyMode}
          onChange={(proxyMode) => form.setProxy({ proxyMode })}
          choices={(['system', 'none', 'manual', 'pac'] as const).map((value) => ({
            value,
            label: t(`network.modes.${value}`),
          }))}
        />
      </SettingRow>
      <ProxyFields form={form} />
      <TestRow form={form} />
      <p className={styles['said']} role="status">
        {form.status}
      </p>
      <Certificates />
      <OwnCertificate firstHost={workspace?.kind === 'hosted' ? hostOf(workspace.url ?? '') : ''} />
    </>
  )
}

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? ''

function ProxyFields({ form }: { readonly form: NetworkForm }) {
  const t = useTexts('settings')
  const { proxy, setProxy, error, working } = form
  const hasProxy = proxy.proxyMode === 'manual' || proxy.proxyMode === 'pac'
  const plain = { mono: true, autoComplete: 'off', spellCheck: false } as const
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.apply()
      }}
    >
      {hasProxy ? (
        <TextField
          {...plain}
          label={t(proxy.proxyMode === 'pac' ? 'network.script' : 'network.proxy')}
          placeholder={proxy.proxyMode === 'pac' ? 'http://wpad.example/proxy.pac' : 'http://proxy.example:3128'}
          value={proxy.proxyUrl}
          error={error?.at === 'url' ? error.text : undefined}
          onChange={(proxyUrl) => setProxy({ proxyUrl })}
        />
      ) : null}
      {proxy.proxyMode === 'none' ? null : (
        <>
          <TextField
            {...plain}
            label={t('network.user')}
            autoComplete="username"
            value={proxy.proxyUser}
            onChange={(proxyUser) => setProxy({ proxyUser })}
          />
          <TextField
            {...plain}
            label={t('network.password')}
            type="password"
            autoComplete="current-password"
            hint={t('network.passwordHint')}
            value={form.password}
            onChange={form.setPassword}
          />
          <TextField
            {...plain}
            label={t('network.bypass')}
            hint={t('network.bypassHint')}
            value={proxy.proxyBypass}
            onChange={(proxyBypass) => setProxy({ proxyBypass })}
          />
        </>
      )}
      <Button type="submit" variant="primary" working={working === 'apply'}>
        {t('network.apply')}
      </Button>
    </form>
  )
}

function TestRow({ form }: { readonly form: NetworkForm }) {
  const t = useTexts('settings')
  return (
    <form
      className={styles['test']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.test()
      }}
    >
      <TextField
        label={t('network.address')}
        mono
        type="url"
        autoComplete="off"
        spellCheck={false}
        value={form.address}
        error={form.error?.at === 'test' ? form.error.text : undefined}
        onChange={form.setAddress}
      />
      <Button type="submit" working={form.working === 'test'}>
        {t('network.test')}
      </Button>
    </form>
  )
}

/** The same as a dialog, before sign-in. */
export function NetworkDialog() {
  const t = useTexts('settings')
  const dispatch = useAppDispatch()
  return (
    <Dialog title={t('network.title')} width={640} onClose={() => dispatch(dialogClosed())}>
      <Network />
    </Dialog>
  )
}

/** Outcome of the last action; rendered as text. */
type Outcome = 'applied' | { readonly tookMs: number } | { readonly refused: 'url' | 'test'; readonly error: ErrorBody }

type Proxy = Pick<Settings, 'proxyMode' | 'proxyUrl' | 'proxyUser' | 'proxyBypass'>

/** Form state of the proxy. Changes take effect only when applied, because a partial address would break the connection. */
function useNetworkForm(firstAddress: string) {
  const t = useTexts('settings')
  const errorText = useErrorText()
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { proxyMode, proxyUrl, proxyUser, proxyBypass } = useSettings()
  const [proxy, setProxy] = useState<Proxy>({ proxyMode, proxyUrl, proxyUser, proxyBypass })
  // The saved password is never shown: an empty field keeps it, and removing the user name removes it.
  const [password, setPassword] = useState('')
  const [address, setAddress] = useState(firstAddress)
  const [working, setWorking] = useState<'apply' | 'test'>()
  const [outcome, setOutcome] = useState<Outcome>()

  function change<T>(set: (value: T) => void): (value: T) => void {
    return (value) => {
      set(value)
      setOutcome(undefined)
    }
  }

  async function apply(): Promise<boolean> {
    setWorking('apply')
    const isLeft = password === '' && proxy.proxyUser !== ''
    const saved = isLeft ? undefined : await dispatch(saveProxyPassword({ password }))
    const changed = saved?.ok === false ? saved : await dispatch(updateProxy(proxy))
    setWorking(undefined)
    setOutcome(changed.ok ? 'applied' : { refused: 'url', error: changed.error })
    return changed.ok
  }

  const statusText = (): string => {
    if (outcome === 'applied') return t('network.applied')
    return outcome && 'tookMs' in outcome ? t('network.reached', { ms: formats.number(outcome.tookMs) }) : ''
  }

  const refused = typeof outcome === 'object' && 'refused' in outcome ? outcome : undefined
  return {
    proxy,
    password,
    address,
    working,
    error: refused && { at: refused.refused, text: errorText(refused.error) },
    status: statusText(),
    setProxy: change((part: Partial<Proxy>) => setProxy({ ...proxy, ...part })),
    setPassword: change(setPassword),
    setAddress: change(setAddress),
    apply,
    /** Tests with the entered proxy, which is applied first. */
    async test(): Promise<void> {
      setOutcome(undefined)
      if (!(await apply())) return
      setWorking('test')
      const answer = await dispatch(testNetwork({ url: address.trim() }))
      setWorking(undefined)
      setOutcome(answer.ok ? { tookMs: answer.value.tookMs } : { refused: 'test', error: answer.error })
    },
  }
}

type NetworkForm = ReturnType<typeof useNetworkForm>
