import { useState } from 'react'
import type { Settings } from '#shared/domain/settings.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../store/hooks.ts'
import { keepProxyPassword, testNetwork, updateProxy } from './commands.ts'

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
  const [error, setError] = useState<{ readonly at: 'url' | 'test'; readonly text: string }>()
  const [said, setSaid] = useState('')

  function change<T>(set: (value: T) => void): (value: T) => void {
    return (value) => {
      set(value)
      setError(undefined)
      setSaid('')
    }
  }

  async function apply(): Promise<boolean> {
    setWorking('apply')
    const isLeft = password === '' && proxy.proxyUser !== ''
    const kept = isLeft ? undefined : await dispatch(keepProxyPassword({ password }))
    const changed = kept?.ok === false ? kept : await dispatch(updateProxy(proxy))
    setWorking(undefined)
    if (changed.ok) setSaid(t('network.applied'))
    else setError({ at: 'url', text: errorText(changed.error) })
    return changed.ok
  }

  return {
    proxy,
    password,
    address,
    working,
    error,
    said,
    setProxy: change((part: Partial<Proxy>) => setProxy({ ...proxy, ...part })),
    setPassword: change(setPassword),
    setAddress: change(setAddress),
    apply,
    /** By the way that is written here: it is applied first. */
    async test(): Promise<void> {
      setError(undefined)
      if (!(await apply())) return
      setWorking('test')
      const answer = await dispatch(testNetwork({ url: address.trim() }))
      setWorking(undefined)
      if (answer.ok) setSaid(t('network.reached', { ms: formats.number(answer.value.tookMs) }))
      else setError({ at: 'test', text: errorText(answer.error) })
    },
  }
}

export type NetworkForm = ReturnType<typeof useNetworkForm>
