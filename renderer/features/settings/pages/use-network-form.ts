import { useState } from 'react'
import type { Settings } from '#shared/domain/settings.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { saveProxyPassword, testNetwork, updateProxy } from '../commands.ts'

/** Outcome of the last action; rendered as text. */
type Outcome = 'applied' | { readonly tookMs: number } | { readonly refused: 'url' | 'test'; readonly error: ErrorBody }

type Proxy = Pick<Settings, 'proxyMode' | 'proxyUrl' | 'proxyUser' | 'proxyBypass'>

/** Form state of the proxy. Changes take effect only when applied, because a partial address would break the connection. */
export function useNetworkForm(firstAddress: string) {
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

export type NetworkForm = ReturnType<typeof useNetworkForm>
