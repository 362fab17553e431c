import { useState } from 'react'
import type { Settings } from '#shared/domain/settings.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { keepProxyPassword, testNetwork, updateProxy } from '../commands.ts'

/** What became of the last press; put into words when it is drawn. */
type Outcome = 'applied' | { readonly tookMs: number } | { readonly refused: 'url' | 'test'; readonly error: ErrorBody }

type Proxy = Pick<Settings, 'proxyMode' | 'proxyUrl' | 'proxyUser' | 'proxyBypass'>

/** What is being written stays here until it is applied: half an address is no way out. */
export function useNetworkForm(firstAddress: string) {
  const t = useTexts('settings')
  const errorText = useErrorText()
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { proxyMode, proxyUrl, proxyUser, proxyBypass } = useSettings()
  const [proxy, setProxy] = useState<Proxy>({ proxyMode, proxyUrl, proxyUser, proxyBypass })
  // What is kept never comes back here: left empty it stays as it is, and goes with the name it belongs to.
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
    const kept = isLeft ? undefined : await dispatch(keepProxyPassword({ password }))
    const changed = kept?.ok === false ? kept : await dispatch(updateProxy(proxy))
    setWorking(undefined)
    setOutcome(changed.ok ? 'applied' : { refused: 'url', error: changed.error })
    return changed.ok
  }

  const said = (): string => {
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
    said: said(),
    setProxy: change((part: Partial<Proxy>) => setProxy({ ...proxy, ...part })),
    setPassword: change(setPassword),
    setAddress: change(setAddress),
    apply,
    /** By the way that is written here: it is applied first. */
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
